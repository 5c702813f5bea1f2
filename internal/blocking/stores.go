package blocking

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// A place is a field or package variable that holds a context, a stop channel or a cancel function.
type place struct {
	stored []ssa.Value
	loads  []*ssa.Function // where it is read
	shared bool            // its address is used such that stores may be unknown
}

// stores is how the package uses its places, and how it ends waits.
type stores struct {
	fields  map[*types.Var]*place
	globals map[*ssa.Global]*place
	made    map[*types.Named]bool // the types of the objects that the package makes
	closers map[origin.Group][]*ssa.Function
	firers  map[origin.Group][]*ssa.Function // functions that close a channel, or send on it
	downs   map[*types.TypeName][]down       // calls that shut objects down, by the types of the objects
}

// stores analyses the package when it is first called.
func (b *Bounds) stores() *stores {
	if b.index != nil {
		return b.index
	}
	s := &stores{
		map[*types.Var]*place{}, map[*ssa.Global]*place{}, map[*types.Named]bool{},
		map[origin.Group][]*ssa.Function{}, map[origin.Group][]*ssa.Function{}, map[*types.TypeName][]down{},
	}
	b.index = s
	for _, fn := range b.pkg.All() {
		for in := range flow.Instrs(fn) {
			s.place(in, fn)
			b.ending(s, in, fn)
		}
	}
	return s
}

// place notes what the instruction in does with places.
func (s *stores) place(in ssa.Instruction, fn *ssa.Function) {
	switch x := in.(type) {
	case *ssa.Alloc:
		if n := kubeapi.Named(x.Type()); n != nil {
			s.made[n] = true
		}
	case *ssa.FieldAddr:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && follows(f.Type()) {
			p := at(s.fields, f.Origin())
			for _, r := range *x.Referrers() {
				p.use(r, x, fn)
			}
		}
	case *ssa.Field:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && follows(f.Type()) {
			p := at(s.fields, f.Origin())
			p.loads = append(p.loads, fn)
		}
	}
	for _, op := range in.Operands(nil) {
		if g, ok := (*op).(*ssa.Global); ok && follows(g.Type().Underlying().(*types.Pointer).Elem()) {
			at(s.globals, g).use(in, g, fn)
		}
	}
}

// ending notes which waits the instruction in may end.
func (b *Bounds) ending(s *stores, in ssa.Instruction, fn *ssa.Function) {
	note := func(m map[origin.Group][]*ssa.Function, ch ssa.Value) {
		if g := b.pkg.Origins().GroupOf(ch); g.Known() {
			m[g] = append(m[g], fn)
		}
	}
	switch x := in.(type) {
	case *ssa.Send:
		note(s.firers, x.Chan)
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly {
				note(s.firers, st.Chan)
			}
		}
	case ssa.CallInstruction:
		if ch := flow.Closed(x.Common()); ch != nil {
			note(s.firers, ch)
			note(s.closers, ch)
		} else if obj := b.shutsDown(x.Common()); obj != nil {
			if n := kubeapi.Named(flow.Unwrap(obj).Type()); n != nil {
				s.downs[n.Obj()] = append(s.downs[n.Obj()], down{obj, x})
			}
		}
	}
}

func at[K comparable](m map[K]*place, k K) *place {
	if m[k] == nil {
		m[k] = &place{}
	}
	return m[k]
}

// use notes what r does with the address addr of the place.
func (p *place) use(r ssa.Instruction, addr ssa.Value, fn *ssa.Function) {
	switch r := r.(type) {
	case *ssa.Store:
		if r.Addr == addr {
			p.stored = append(p.stored, r.Val)
		} else {
			p.shared = true
		}
	case *ssa.UnOp:
		if r.Op == token.MUL {
			p.loads = append(p.loads, fn)
		}
	default:
		p.shared = true
	}
}

// follows reports whether places of type t are followed: contexts, channels, and functions, one of which may cancel.
func follows(t types.Type) bool {
	if IsBound(t) {
		return true
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// storedHere returns what the load of the field fa reads if the function itself stores it, into an object that it
// makes: one store dominates the load, and there is no other store in the function, nor in the package if other
// functions get the object before the load, as options do.
func (b *Bounds) storedHere(fa *ssa.FieldAddr, load *ssa.UnOp) ssa.Value {
	obj := flow.Resolve(fa.X)
	if _, ok := obj.(*ssa.Alloc); !ok {
		return nil
	}
	var only *ssa.Store
	for f, st := range flow.FieldsSet(obj) {
		if f != flow.Field(fa.X.Type(), fa.Field) {
			continue
		}
		if only != nil {
			return nil
		}
		only = st
	}
	if only == nil || only.Parent() != load.Parent() || !flow.Dominates(only, load) {
		return nil
	}
	if givenBefore(obj, load) {
		f := flow.Field(fa.X.Type(), fa.Field)
		if f == nil {
			return nil
		}
		if p := b.stores().fields[f.Origin()]; p == nil || p.shared || len(p.stored) > 1 {
			return nil
		}
	}
	return only.Val
}

// givenBefore reports whether the function may pass the object obj to a call before control reaches load.
func givenBefore(obj ssa.Value, load ssa.Instruction) bool {
	return slices.ContainsFunc(*obj.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(ssa.CallInstruction)
		return ok && !flow.Dominates(load, call)
	})
}
