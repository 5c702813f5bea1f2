package unboundedsync

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// received is how a stop channel may leave the package without being closed elsewhere.
const received = origin.Received

// A place is a field or package variable that holds a context, a stop channel or a cancel function.
type place struct {
	stored []ssa.Value
	loads  []*ssa.Function // where it is read
	shared bool            // its address goes where stores cannot be seen
}

// places are all of a package.
type places struct {
	fields  map[*types.Var]*place
	globals map[*ssa.Global]*place
	closers map[origin.Group][]*ssa.Function // who closes a channel, or sends on it
	made    map[*types.Named]bool            // the types of the objects that the package makes
}

// index looks for the stores of the package, when first wanted.
func (c *checker) index() *places {
	if c.all != nil {
		return c.all
	}
	p := &places{map[*types.Var]*place{}, map[*ssa.Global]*place{}, map[origin.Group][]*ssa.Function{}, map[*types.Named]bool{}}
	c.all = p
	fns := c.pkg.Funcs
	if init := c.pkg.Func("init"); init != nil {
		fns = append(fns[:len(fns):len(fns)], init)
	}
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			c.note(p, in)
		}
	}
	return p
}

func (c *checker) note(p *places, in ssa.Instruction) {
	fn := in.Parent()
	switch x := in.(type) {
	case *ssa.Alloc:
		if n := kube.Named(x.Type()); n != nil {
			p.made[n] = true
		}
	case *ssa.FieldAddr:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && follows(f.Type()) {
			pl := at(p.fields, f.Origin())
			for _, r := range *x.Referrers() {
				pl.use(r, x, fn)
			}
		}
	case *ssa.Field:
		if f := flow.Field(x.X.Type(), x.Field); f != nil && follows(f.Type()) {
			pl := at(p.fields, f.Origin())
			pl.loads = append(pl.loads, fn)
		}
	case *ssa.Send:
		p.closes(c.origins(), x.Chan, fn)
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly {
				p.closes(c.origins(), st.Chan, fn)
			}
		}
	case ssa.CallInstruction:
		if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			p.closes(c.origins(), x.Common().Args[0], fn)
		}
	}
	for _, op := range in.Operands(nil) {
		if g, ok := (*op).(*ssa.Global); ok && follows(deref(g.Type())) {
			at(p.globals, g).use(in, g, fn)
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
	case *ssa.DebugRef:
	default:
		p.shared = true
	}
}

func (p *places) closes(ix *origin.Index, ch ssa.Value, fn *ssa.Function) {
	if g := ix.GroupOf(ch); g.Known() {
		p.closers[g] = append(p.closers[g], fn)
	}
}

func (c *checker) closersOf(g origin.Group) []*ssa.Function { return c.index().closers[g] }

// follows reports whether places of type t are followed: what bounds a wait, and functions, one of which may cancel.
func follows(t types.Type) bool {
	if blocking.IsBound(t) {
		return true
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// storedHere is what the load x of a field reads where the function itself has just stored it into an object that it
// made: one store dominates the load, and no other one is in the function.
func (c *checker) storedHere(fa *ssa.FieldAddr, load *ssa.UnOp) ssa.Value {
	obj := flow.Resolve(fa.X)
	if _, ok := obj.(*ssa.Alloc); !ok {
		return nil
	}
	var only *ssa.Store
	for _, r := range *obj.Referrers() {
		other, ok := r.(*ssa.FieldAddr)
		if !ok || other.Field != fa.Field {
			continue
		}
		for _, r := range *other.Referrers() {
			st, ok := r.(*ssa.Store)
			if !ok {
				continue
			}
			if only != nil || st.Addr != ssa.Value(other) {
				return nil
			}
			only = st
		}
	}
	if only == nil || only.Parent() != load.Parent() || !flow.Dominates(only, load) {
		return nil
	}
	return only.Val
}
