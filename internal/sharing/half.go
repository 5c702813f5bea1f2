package sharing

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// A Half is a map that a function writes to: of some objects of its callers it is a part, and for the others one that nobody else has, and
// that nothing puts into the object. So the change is made to the one and lost to the other: one of the two is not meant.
type Half struct {
	At     ssa.Instruction // where the function is given the map
	Object string          // in the words of the source
	// Content: it is the whole content, of an Unstructured. Otherwise it is a part that not all objects have.
	Content bool
	Writes  []Effect // in the order of the source
	Doors   []Door   // those whose callers say whether somebody looks at the object; nil where somebody does
}

// A Door is a parameter of an exported function that nobody in its package calls, for a Half: whether somebody looks behind a call at what is given there
// is for other packages to say.
type Door struct {
	Func    string
	Param   int
	Content bool // only what has a content that it shares matters
}

// A Use is what a package does with a door of another one.
type Use struct {
	Of    Door
	Seen  bool   // somebody looks at what it gives there
	Doors []Door // or may, if they do at what is given to these
}

// Halves are those of fn.
func (a *Sharing) Halves(fn *ssa.Function) []Half {
	var out []Half
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Phi:
			if part := foundOrMade(in); part != nil {
				out = a.half(out, Half{At: part}, holder(part), in)
			}
		case *ssa.Call:
			args := flow.AllArgs(&in.Call)
			if s, ok := kube.AliasOf(&in.Call, unknownArgument(args)); ok && s.Content {
				if x := flow.Resolve(args[s.Arg]); types.IsInterface(x.Type()) && !asks(fn, x) {
					out = a.half(out, Half{At: in, Content: true}, x, flow.ResultAt(in, 0))
				}
			}
		}
	}
	return out
}

// unknownArgument is the last of args as it was made.
func unknownArgument(args []ssa.Value) ssa.Value {
	if len(args) == 0 {
		return nil
	}
	return flow.Unwrap(args[len(args)-1])
}

// foundOrMade is the map of phi that some object has, nil unless all others are made here.
func foundOrMade(phi *ssa.Phi) (part ssa.Instruction) {
	made := false
	for _, edge := range phi.Edges {
		switch x := flow.Unwrap(edge).(type) {
		case *ssa.MakeMap:
			made = true
		case *ssa.Call, *ssa.UnOp:
			if holder(x.(ssa.Instruction)) == nil || part != nil && part != x.(ssa.Instruction) {
				return nil
			}
			part = x.(ssa.Instruction)
		default:
			return nil
		}
	}
	if !made {
		return nil
	}
	return part
}

// holder is the object that part, which is read from it, is a map of; nil for other values.
func holder(part ssa.Instruction) ssa.Value {
	switch part := part.(type) {
	case *ssa.Call:
		if fn := flow.Callee(&part.Call); fn != nil && kube.IsGetter(fn) {
			if x := flow.Recv(&part.Call); !kube.IsUnstructured(flow.Unwrap(x).Type()) {
				return outermost(x)
			}
		}
	case *ssa.UnOp:
		if _, ok := part.Type().Underlying().(*types.Map); !ok {
			return nil
		}
		if fa, ok := part.X.(*ssa.FieldAddr); ok {
			return outermost(fa)
		}
	}
	return nil
}

// outermost is the object that the field at addr belongs to: the Pod, not its ObjectMeta; nil for none.
func outermost(addr ssa.Value) (object ssa.Value) {
	for {
		if kube.IsObject(addr.Type()) {
			object = addr
		}
		fa, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return object
		}
		addr = fa.X
	}
}

// asks reports whether fn asks of what type x is.
func asks(fn *ssa.Function, x ssa.Value) bool {
	for in := range flow.Instrs(fn) {
		if t, ok := in.(*ssa.TypeAssert); ok && flow.Resolve(t.X) == x {
			return true
		}
	}
	return false
}

// half adds h, of the map v and the object x, if it is written to and not put back.
func (a *Sharing) half(out []Half, h Half, x, v ssa.Value) []Half {
	from := flow.PathOf(x)
	param, ok := from.Root.(*ssa.Parameter)
	if !ok || v == nil || putsBack(v, from) {
		return out
	}
	if kept := from.Sel != "" && param.Parent().Signature.Recv() != nil && param == param.Parent().Params[0]; !kept {
		seen, doors := a.seenBy(param, h.Content, map[*ssa.Parameter]bool{})
		if !seen && len(doors) == 0 {
			return out
		}
		if !seen {
			h.Doors = doors
		}
	}
	h.Object = flow.RootName(from.Root)
	if steps := from.Steps(); len(steps) > 0 && steps[len(steps)-1].Field != nil {
		h.Object = steps[len(steps)-1].Field.Name()
	}
	a.trace(h.At.Parent(), v, share{at: true, deep: true, object: true}, func(e Effect) {
		if e.Deed.writes() && a.remains(h.At, e) {
			h.Writes = append(h.Writes, e)
		}
	})
	if len(h.Writes) == 0 {
		return out
	}
	slices.SortStableFunc(h.Writes, func(x, y Effect) int { return int(flow.Pos(x.In) - flow.Pos(y.In)) })
	return append(out, h)
}

// putsBack reports whether v, or a map that v may be, may come to be a part of the object at from after all.
func putsBack(v ssa.Value, from flow.Path) bool {
	seen := map[ssa.Value]bool{}
	var follow func(v ssa.Value) bool
	follow = func(v ssa.Value) bool {
		if seen[v] || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Return, *ssa.Send, *ssa.MakeClosure:
				return true
			case *ssa.Store:
				if in.Val != v {
					return false
				}
				to := flow.PathOf(in.Addr)
				_, variable := to.Root.(*ssa.Alloc)
				return to.Root == from.Root || variable && to.Sel == ""
			case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
				return follow(in.(ssa.Value))
			case ssa.CallInstruction:
				return slices.ContainsFunc(flow.AllArgs(in.Common()), func(arg ssa.Value) bool {
					p := flow.PathOf(arg)
					return arg != v && refers(arg.Type()) && p.Root == from.Root && (strings.HasPrefix(from.Sel, p.Sel) || strings.HasPrefix(p.Sel, from.Sel))
				})
			}
			return false
		})
	}
	if phi, ok := v.(*ssa.Phi); ok {
		return follow(phi) || slices.ContainsFunc(phi.Edges, follow)
	}
	return follow(v)
}

// seenBy reports whether somebody looks at what p leads to behind a call of its function: who has called it, or who has given it to the
// caller. Of an exported function that nobody in sight calls, others say so: its parameter is among the doors. Who calls a method by an interface is not
// known. Objects of a type of their own have no content that they share.
func (a *Sharing) seenBy(p *ssa.Parameter, content bool, asked map[*ssa.Parameter]bool) (seen bool, doors []Door) {
	if asked[p] {
		return false, nil
	}
	asked[p] = true
	fn := p.Parent()
	calls, i := a.p.Callers(fn), slices.Index(fn.Params, p)
	if len(calls) == 0 {
		if obj := flow.Object(fn); obj != nil && obj.Exported() && fn.Parent() == nil && fn.Signature.Recv() == nil {
			doors = append(doors, Door{obj.FullName(), i, content})
		}
		return false, doors
	}
	for _, call := range calls {
		looks, more := a.seenAt(call, i, content, asked)
		if looks {
			return true, nil
		}
		doors = append(doors, more...)
	}
	return false, doors
}

// seenAt reports whether somebody looks at the argument i of call behind it, or which doors say so.
func (a *Sharing) seenAt(call ssa.CallInstruction, i int, content bool, asked map[*ssa.Parameter]bool) (seen bool, doors []Door) {
	arg := flow.AllArgs(call.Common())[i]
	if content && !kube.MayBeUnstructured(flow.Unwrap(arg).Type()) {
		return false, nil
	}
	root := flow.PathOf(arg).Root
	elem := turnsElement(arg)
	if elem != nil && (elem.X != root || a.isCacheRead(root)) {
		elem = nil
	}
	if root == nil || usedBehind(root, call, elem) || elem != nil && usedBehind(elem, call, elem) {
		return true, nil
	}
	if outer, ok := root.(*ssa.Parameter); ok {
		return a.seenBy(outer, content, asked)
	}
	return false, nil
}

// Uses are those of doors, of packages below this one, by the names of their functions. Whoever does more with such a function than to call it is taken
// to look at what it is given.
func (a *Sharing) Uses(doors map[string][]Door) (out []Use) {
	if len(doors) == 0 {
		return nil
	}
	for _, fn := range a.p.All() {
		for in := range flow.Instrs(fn) {
			call, isCall := in.(ssa.CallInstruction)
			for _, op := range in.Operands(nil) {
				used, ok := (*op).(*ssa.Function)
				if !ok || flow.Object(used) == nil {
					continue
				}
				for _, d := range doors[flow.Object(used).FullName()] {
					u := Use{Of: d, Seen: true}
					if isCall && op == &call.Common().Value && d.Param < len(call.Common().Args) {
						u.Seen, u.Doors = a.seenAt(call, d.Param, d.Content, map[*ssa.Parameter]bool{})
					}
					out = append(out, u)
				}
			}
		}
	}
	return out
}

// turnsElement is the address of v where that is an element of a list that a loop takes one after the other; nil for other values.
func turnsElement(v ssa.Value) *ssa.IndexAddr {
	v = flow.Unwrap(v)
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	at, ok := v.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	index := at.Index
	if next, ok := index.(*ssa.BinOp); ok {
		index = next.X
	}
	if _, counts := index.(*ssa.Phi); !counts {
		return nil
	}
	return at
}

// isCacheRead reports whether its function has v from a cache.
func (a *Sharing) isCacheRead(v ssa.Value) bool {
	return v.Parent() == nil || slices.ContainsFunc(a.Reads(v.Parent()), func(r Read) bool { return r.Value == v })
}

// usedBehind reports whether control can come from call to something that is done with v. Elem is nil, or where the loop takes the element that call is about:
// in the next turn that is another one.
func usedBehind(v ssa.Value, call ssa.CallInstruction, elem *ssa.IndexAddr) bool {
	turn := func(in ssa.Instruction) bool { return elem != nil && in == ssa.Instruction(elem) }
	return v.Referrers() == nil || slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
			return usedBehind(in.(ssa.Value), call, elem)
		case *ssa.UnOp:
			if elem != nil && v == ssa.Value(elem) {
				return usedBehind(in, call, elem)
			}
		case *ssa.IndexAddr:
			if in == elem {
				return false
			}
		case *ssa.Call:
			if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
				return false
			}
		}
		return in != ssa.Instruction(call) && (in.Parent() != call.Parent() || flow.Reaches(call, in, turn))
	})
}
