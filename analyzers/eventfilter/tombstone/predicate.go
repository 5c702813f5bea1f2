package tombstone

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// predicates reports the Delete functions of controller-runtime predicates that must return false for an event with
// DeleteStateUnknown set, though not for each event.
func (t *tombstones) predicates() {
	for _, fn := range t.pkg.Funcs {
		sig := fn.Signature
		if sig.Results().Len() != 1 || !flow.IsBool(sig.Results().At(0).Type()) || sig.Params().Len() != 1 ||
			!kubeapi.IsEvent(sig.Params().At(0).Type(), kubeapi.EventDelete) {
			continue
		}
		for v := range flow.InstrsOf[ssa.Value](fn) {
			if !readsUnknown(v) || returnsFalse(fn, nil) || !returnsFalse(fn, v) {
				continue
			}
			pos := v.Pos()
			if !pos.IsValid() {
				pos = fn.Pos()
			}
			if !t.reported[fn.Pos()] && !t.needless(fn) && t.mayBePredicate(fn) {
				t.reported[fn.Pos()] = true
				f := rule.Finding{Pos: pos, Sub: "tombstone", Site: "ignored-state-unknown",
					Message: "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; " +
						"let them through"}
				if !t.deferred(fn, f) {
					rule.Report(t.pass, f)
				}
			}
		}
	}
}

// mayBePredicate reports whether fn, which has the signature of a predicate's function, may belong to a predicate. A
// method does if its type, or a type of the package that embeds it, has all methods of predicates, or if the package
// calls it or uses it as a function value.
func (t *tombstones) mayBePredicate(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil || fn.Object() == nil || kubeapi.IsPredicate(recv.Type()) {
		return true
	}
	scope := t.pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		of, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !kubeapi.IsPredicate(of.Type()) {
			continue
		}
		if t.pkg.MethodOf(of.Type(), fn.Name()) == fn {
			return true
		}
	}
	return slices.ContainsFunc(t.pkg.All(), func(user *ssa.Function) bool {
		return slices.Contains(t.pkg.Next(program.Calls|program.Spawns|program.Mentions, user), fn)
	})
}

// readsUnknown reports whether v is the value of a field DeleteStateUnknown.
func readsUnknown(v ssa.Value) bool {
	var f *types.Var
	switch v := v.(type) {
	case *ssa.UnOp:
		if field, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			f = flow.Field(field.X.Type(), field.Field)
		}
	case *ssa.Field:
		f = flow.Field(v.X.Type(), v.Field)
	}
	return f != nil && f.Name() == kubeapi.DeleteStateUnknown
}

// returnsFalse reports whether fn must return false, if v is given: under the assumption that v is true.
func returnsFalse(fn *ssa.Function, v ssa.Value) bool {
	view := paths.Reachable(fn, func(x ssa.Value) flow.Truth {
		if v != nil && x == v {
			return flow.True
		}
		return flow.Unknown
	}, nil)
	return slices.Equal(view.Results(), []flow.Truth{flow.False})
}
