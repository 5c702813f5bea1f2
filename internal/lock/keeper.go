package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A function that is registered on one object is not called on another one of the type. Where an event is come to by a function that
// an object keeps in a field, and all such functions are registered on objects that lie in fields, in sight, the event is one of those
// objects only: a caller that calls on an object of another field does not come to it.

// A Keeper is a condition of an event: that a parameter is an object that lies in one of these fields.
type Keeper struct {
	Param int
	In    string // the classes of the fields, sorted, with a bar in between
}

// keeperFields are the classes of the fields in which those objects lie on which the package stores functions to the field f, spelled as in
// Keeper; "" where that is not known of all.
func (e *engine) keeperFields(f *types.Var) string {
	return e.keepers.Ask(f.Origin(), "", func() string { return e.findKeeperFields(f.Origin()) })
}

// findKeeperFields is keeperFields without the memo.
func (e *engine) findKeeperFields(f *types.Var) string {
	var classes []string
	known := true
	seen := map[ssa.Value]bool{}
	var holder func(v ssa.Value)
	holder = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if c := fieldOf(v); c != "" {
			classes = append(classes, string(c))
			return
		}
		p, ok := flow.Resolve(v).(*ssa.Parameter)
		if !ok {
			known = false
			return
		}
		i := slices.Index(p.Parent().Params, p)
		callers := e.origins.Callers(p.Parent())
		known = known && len(callers) > 0
		for _, c := range callers {
			if args := flow.AllArgs(c.Common()); i < len(args) && len(args) == len(p.Parent().Params) {
				holder(args[i])
			} else {
				known = false
			}
		}
	}
	for _, v := range e.origins.Holders(f) {
		holder(v)
	}
	if !known {
		return ""
	}
	slices.Sort(classes)
	return strings.Join(slices.Compact(classes), "|")
}

// fieldOf is the class of the field that the object v is read from; "" where it does not come out of one.
func fieldOf(v ssa.Value) Class {
	v = flow.Unwrap(v)
	if fa := flow.LoadedFrom(v); fa != nil {
		return classOf(fa)
	}
	if u, ok := v.(*ssa.UnOp); ok {
		if fa, ok := u.X.(*ssa.FieldAddr); ok {
			return classOf(fa)
		}
	}
	return ""
}

// keeps puts the condition that the object v lies in one of the fields in into the terms of the function: the zero Keeper where it holds,
// or nothing is known. It is false where v lies in another field.
func (in *interp) keeps(v ssa.Value, fields string) (Keeper, bool) {
	if c := fieldOf(v); c != "" {
		return Keeper{}, slices.Contains(strings.Split(fields, "|"), string(c))
	}
	if i := flow.ParamIndex(in.fn, flow.Resolve(v)); i >= 0 {
		return Keeper{i, fields}, true
	}
	return Keeper{}, true
}

// kept are the conditions of an event that is come to by a, those of the callee included, in the terms of the function. It is false where
// one does not hold.
func (in *interp) kept(callee []Keeper, a actuals) (out []Keeper, ok bool) {
	add := func(v ssa.Value, fields string) bool {
		k, ok := in.keeps(v, fields)
		if ok && k.In != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
		return ok
	}
	if a.keeper != nil && !add(a.keeper, a.fields) {
		return nil, false
	}
	for _, k := range callee {
		if k.Param < len(a.args) && a.recv == nil && a.sel == "" && !add(a.args[k.Param], k.In) {
			return nil, false
		}
	}
	return out, true
}
