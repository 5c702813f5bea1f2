package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Owner guards: a function that is registered on one object is not called on another object of the type. If an event
// is reached through a function that is stored in a field, and all such functions are stored on objects that lie in
// known fields, the event does not happen for objects in other fields.

// A OwnerGuard is a condition of an event: that a parameter is an object that lies in one of these fields.
type OwnerGuard struct {
	Param int
	In    string // the classes of the fields, sorted, with a bar in between
}

// ownerFields are the classes of the fields in which those objects lie on which the package stores functions to the
// field f, spelled as in OwnerGuard; "" where that is not known of all.
func (e *engine) ownerFields(f *types.Var) string {
	return e.owners.Ask(f.Origin(), "", func() string { return e.findOwnerFields(f.Origin()) })
}

// findOwnerFields is ownerFields without the memo.
func (e *engine) findOwnerFields(f *types.Var) string {
	var classes []string
	holders := values.From(e.origins.Holders(f)...)
	for v := range holders.All() {
		if c := fieldOf(v); c != "" {
			classes = append(classes, string(c))
			continue
		}
		p, ok := flow.Resolve(v).(*ssa.Parameter)
		if !ok {
			return ""
		}
		i := slices.Index(p.Parent().Params, p)
		callers := e.origins.Callers(p.Parent())
		if len(callers) == 0 {
			return ""
		}
		for _, c := range callers {
			args := flow.AllArgs(c.Common())
			if i >= len(args) || len(args) != len(p.Parent().Params) {
				return ""
			}
			holders.Add(args[i])
		}
	}
	slices.Sort(classes)
	return strings.Join(slices.Compact(classes), "|")
}

// fieldOf is the class of the field that the object v is loaded from; "" for other values.
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

// ownerGuard is the condition that the object v lies in one of fields in terms of this function: zero if it holds or
// nothing is known, false if v is loaded from another field.
func (in *interp) ownerGuard(v ssa.Value, fields string) (OwnerGuard, bool) {
	if c := fieldOf(v); c != "" {
		return OwnerGuard{}, slices.Contains(strings.Split(fields, "|"), string(c))
	}
	if i := flow.ParamIndex(in.fn, flow.Resolve(v)); i >= 0 {
		return OwnerGuard{i, fields}, true
	}
	return OwnerGuard{}, true
}

// ownerGuards are the owner guards of an event that is reached with the actuals a, those of the callee included, in
// terms of this function. It is false if one does not hold.
func (in *interp) ownerGuards(callee []OwnerGuard, a actuals) (out []OwnerGuard, ok bool) {
	add := func(v ssa.Value, fields string) bool {
		k, ok := in.ownerGuard(v, fields)
		if ok && k.In != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
		return ok
	}
	if a.owner != nil && !add(a.owner, a.fields) {
		return nil, false
	}
	for _, k := range callee {
		if k.Param < len(a.args) && a.recv == nil && a.sel == "" && !add(a.args[k.Param], k.In) {
			return nil, false
		}
	}
	return out, true
}
