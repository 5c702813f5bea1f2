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

// predicates reports the Delete functions of controller-runtime predicates that say no to the deletions of which only a
// tombstone is known.
func (t *tombstones) predicates() {
	for _, fn := range t.pkg.Funcs {
		sig := fn.Signature
		if sig.Results().Len() != 1 || !flow.IsBool(sig.Results().At(0).Type()) || sig.Params().Len() != 1 || !kubeapi.IsEvent(sig.Params().At(0).Type(), kubeapi.EventDelete) {
			continue
		}
		for v := range flow.InstrsOf[ssa.Value](fn) {
			if !readsUnknown(v) || saysNo(fn, nil) || !saysNo(fn, v) {
				continue
			}
			pos := v.Pos()
			if !pos.IsValid() {
				pos = fn.Pos()
			}
			if !t.reported[fn.Pos()] && !t.needless(fn) && t.mayBeAsked(fn) {
				t.reported[fn.Pos()] = true
				f := rule.Finding{Pos: pos, Sub: "tombstone", Site: "ignored-state-unknown",
					Message: "predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; " +
						"let them through"}
				if !t.deferred(fn, f) {
					rule.Report(t.pass, f)
				}
			}
		}
	}
}

// mayBeAsked reports whether fn, a function that is like one of a predicate, may be one. A method is one where a type that has it, its own or one of the
// package with that in it, has all methods of predicates, or where the package calls it, or hands it on as a function.
func (t *tombstones) mayBeAsked(fn *ssa.Function) bool {
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

// saysNo reports whether fn returns false, where the condition v holds if there is one.
func saysNo(fn *ssa.Function, v ssa.Value) bool {
	view := paths.Reachable(fn, func(x ssa.Value) flow.Truth {
		if v != nil && x == v {
			return flow.True
		}
		return flow.Unknown
	}, nil)
	return slices.Equal(view.Results(), []flow.Truth{flow.False})
}
