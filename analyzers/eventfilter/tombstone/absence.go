package tombstone

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// Absence is what a function does with an error that reports a missing object, its first parameter. Other errors are
// not described.
type Absence struct {
	Tests   bool // it returns true for it
	Ignores bool // it returns nil for it
}

// absenceOf returns what the callee of common, of this package or another one, does with a not-found error.
func (t *tombstones) absenceOf(common *ssa.CallCommon) Absence {
	if own := t.pkg.Callee(common); own != nil {
		return t.findAbsence(own)
	}
	if f := t.imported(flow.Callee(common)); f != nil {
		return f.Absence
	}
	return Absence{}
}

// findAbsence returns what fn, a function of the package, must do with a not-found error.
func (t *tombstones) findAbsence(fn *ssa.Function) Absence {
	results := fn.Signature.Results()
	if len(fn.Params) == 0 || !flow.IsError(fn.Params[0].Type()) || results.Len() == 0 || !quietBut(fn, own) {
		return Absence{}
	}
	return t.absences.Ask(fn, Absence{}, func() Absence {
		view := paths.Reachable(fn, func(v ssa.Value) flow.Truth {
			call, ok := v.(*ssa.Call)
			switch {
			case v == ssa.Value(fn.Params[0]):
				return flow.False // there is an error
			case ok && len(call.Call.Args) > 0 && flow.Resolve(call.Call.Args[0]) == ssa.Value(fn.Params[0]):
				return t.resultForNotFound(call)
			}
			return flow.Unknown
		}, nil)
		says := view.Results()
		switch err := flow.ErrorResult(fn.Signature); {
		case says == nil:
			return Absence{}
		case err >= 0:
			return Absence{Ignores: says[err] == flow.True}
		default:
			return Absence{Tests: len(says) == 1 && says[0] == flow.True}
		}
	})
}

// resultForNotFound returns the result of call for a not-found error: True for one that the test holds for, or for a
// nil error.
func (t *tombstones) resultForNotFound(call *ssa.Call) flow.Truth {
	fn := flow.Callee(&call.Call)
	of := t.absenceOf(&call.Call)
	if of.Tests || of.Ignores && call.Call.Signature().Results().Len() == 1 || kubeapi.NotFound.Has(fn) ||
		kubeapi.IgnoreNotFound.Has(fn) {
		return flow.True
	}
	return flow.Unknown
}
