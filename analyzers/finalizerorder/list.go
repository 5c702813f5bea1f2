package finalizerorder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// change is what a list of finalizers is, compared with the one that it was made from.
type change int

const (
	unknown   change = iota // cannot be said
	unchanged               // the old list
	grows                   // at least one more
	shrinks                 // at least one less
	empties                 // none left
)

// changeOf reads how the list v came about: append, deletion by index or by a function, a filtering loop, a set that
// was changed on the way, a helper of the package. Parameters of type []string count as the old list, so that helpers
// are read by the same function.
func (a *analyzer) changeOf(v ssa.Value) change {
	v = flow.Resolve(v)
	return a.changes.Ask(v, unknown, func() change { return a.listChange(v) })
}

func (a *analyzer) listChange(v ssa.Value) change {
	if flow.IsEmpty(v) {
		return empties
	}
	if isList(v) {
		return unchanged
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return a.phiChange(v)
	case *ssa.Slice:
		if flow.WrittenOut(v.X) != "" {
			return grows // a list that is written out
		}
		if v.Low != nil || v.High != nil {
			if a.changeOf(v.X) == unchanged {
				return shrinks
			}
			return unknown
		}
		return a.changeOf(v.X)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return a.storedChange(v.X)
		}
	case *ssa.Call:
		return a.callChange(v)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 {
			return a.callChange(c)
		}
	}
	return unknown
}

// phiChange joins the ways in which a list came here. A list that starts empty and grows around a loop is a filtered
// copy: what it leaves out is why it was written.
func (a *analyzer) phiChange(phi *ssa.Phi) change {
	result, empty, accumulates := unknown, false, false
	for _, e := range phi.Edges {
		e = flow.Resolve(e)
		if e == ssa.Value(phi) {
			continue
		}
		if flow.IsEmpty(e) {
			empty = true
			continue
		}
		if appendsTo(e, phi) {
			accumulates = true
			continue
		}
		switch c := a.changeOf(e); {
		case c == unchanged && result == unknown:
			result = unchanged
		case c == unknown || c == unchanged:
		case result == unknown || result == unchanged || result == c:
			result = c
		default:
			return unknown
		}
	}
	switch {
	case accumulates && empty && result == unknown:
		return shrinks
	case accumulates && result == unchanged:
		return grows
	case empty && result == unknown:
		return empties
	}
	return result
}

// appendsTo reports whether v may be an append to acc, also through the joins inside a loop.
func appendsTo(v ssa.Value, acc *ssa.Phi) bool {
	work := values.From(v)
	for v := range work.All() {
		switch x := v.(type) {
		case *ssa.Call:
			if flow.Builtin(&x.Call) == "append" {
				if x.Call.Args[0] == ssa.Value(acc) {
					return true
				}
				work.Add(x.Call.Args[0])
			}
		case *ssa.Phi:
			work.Add(x.Edges...)
		}
	}
	return false
}

// storedChange reads a list from a variable that more than one store fills.
func (a *analyzer) storedChange(addr ssa.Value) change {
	if _, ok := addr.(*ssa.Alloc); !ok {
		return unknown
	}
	result := unknown
	for st := range flow.StoresTo(addr) {
		c := a.changeOf(st.Val)
		if c == unknown || c == unchanged || c == empties {
			continue
		}
		if result != unknown && result != c {
			return unknown
		}
		result = c
	}
	return result
}

// callChange reads a list that a call gives.
func (a *analyzer) callChange(call *ssa.Call) change {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() != "append" {
			return unknown
		}
		return a.appendChange(call)
	}
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return unknown
	}
	if c := a.setChange(call, fn); c != unknown {
		return c
	}
	fromList := false
	for _, arg := range flow.AllArgs(&call.Call) {
		if isStrings(arg.Type()) && (isList(flow.Resolve(arg)) || a.changeOf(arg) != unknown) {
			fromList = true
		}
	}
	if !fromList {
		return unknown
	}
	if callee, _ := a.callee(call); callee != nil {
		return a.helperChange(callee)
	}
	var fact Effects
	if a.fact(fn, &fact) && fact.List != 0 {
		return change(fact.List)
	}
	// A helper out of sight. What takes a list and gives one says by its name which way it goes.
	switch {
	case shortens(fn.Name()):
		return shrinks
	case lengthens(fn.Name()):
		return grows
	}
	return unknown
}

func (a *analyzer) appendChange(call *ssa.Call) change {
	base, rest := call.Call.Args[0], flow.Resolve(call.Call.Args[1])
	bc := a.changeOf(base)
	if putsBack(call) && bc != grows {
		return shrinks // one after the other, and some are left out
	}
	if s, ok := rest.(*ssa.Slice); ok && s.Low != nil && bc == shrinks {
		return shrinks // append(list[:i], list[i+1:]...)
	}
	switch rc := a.changeOf(rest); bc {
	case unchanged, grows:
		if rc == empties {
			return bc
		}
		return grows
	case empties: // append([]string(nil), list...)
		return rc
	case shrinks:
		return shrinks
	}
	return unknown
}

// putsBack reports whether call appends nothing but elements of an object's list of finalizers.
func putsBack(call *ssa.Call) bool {
	elements := flow.Elements(call.Call.Args[1])
	for _, e := range elements {
		load, ok := flow.Resolve(e).(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return false
		}
		ia, ok := load.X.(*ssa.IndexAddr)
		if !ok {
			return false
		}
		list := flow.Resolve(ia.X)
		if _, param := list.(*ssa.Parameter); param || !isList(list) {
			return false
		}
	}
	return len(elements) > 0
}

// setChange reads sets.List(s), s.List() and their like: what was done to s before.
func (a *analyzer) setChange(call *ssa.Call, fn *types.Func) change {
	if !kubeapi.ListsSet(fn.Name()) {
		return unknown
	}
	args := flow.AllArgs(&call.Call)
	if len(args) == 0 {
		return unknown
	}
	set := flow.Resolve(args[0])
	if c, ok := set.(*ssa.Call); ok { // sets.New(list...).Delete(f).List()
		if done := setEdit(c); done != unknown {
			return done
		}
	}
	result := unknown
	if set.Referrers() == nil {
		return unknown
	}
	for _, r := range *set.Referrers() {
		if c, ok := r.(*ssa.Call); ok {
			done := setEdit(c)
			if done != unknown && result != unknown && done != result {
				return unknown // it grows on one way and shrinks on another
			}
			if done != unknown {
				result = done
			}
		}
	}
	return result
}

// setEdit is what call does to a set.
func setEdit(call *ssa.Call) change {
	name := ""
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		name = b.Name()
	} else if m := flow.Callee(&call.Call); m != nil && flow.Recv(&call.Call) != nil {
		name = m.Name()
	}
	switch grown, shrunk := kubeapi.ChangesSet(name); {
	case grown:
		return grows
	case shrunk:
		return shrinks
	}
	return unknown
}

// helperChange infers what a function of the package makes of the list that it is given.
func (a *analyzer) helperChange(fn *ssa.Function) change {
	if c, ok := a.lists[fn]; ok {
		return c
	}
	a.lists[fn] = unknown // recursion
	sig := fn.Signature
	if sig.Results().Len() == 0 || !isStrings(sig.Results().At(0).Type()) {
		return unknown
	}
	result := unknown
	for ret := range flow.Returns(fn) {
		if len(ret.Results) == 0 {
			continue
		}
		c := a.changeOf(ret.Results[0])
		switch {
		case c == unchanged || c == empties && result != unknown:
		case result == unknown || result == empties || result == c:
			result = c
		default:
			a.lists[fn] = unknown
			return unknown
		}
	}
	a.lists[fn] = result
	return result
}

// isList reports whether v is a list of finalizers as it is: an object's, or the parameter of a helper.
func isList(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return isStrings(v.Type())
	case *ssa.Field:
		f := flow.Field(v.X.Type(), v.Field)
		return f != nil && kubeapi.Meta(f.Name()) == kubeapi.MetaFinalizers
	}
	field, _ := kubeapi.MetaRead(v)
	return field == kubeapi.MetaFinalizers
}

func isStrings(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && flow.IsString(s.Elem())
}

// newList is the list of finalizers that in, a store or a call of SetFinalizers, puts on an object; nil for other instructions.
func newList(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return flow.Resolve(in.Val)
	case ssa.CallInstruction:
		if field, _, val := kubeapi.MetaWrite(in); field == kubeapi.MetaFinalizers {
			return flow.Resolve(val)
		}
	}
	return nil
}
