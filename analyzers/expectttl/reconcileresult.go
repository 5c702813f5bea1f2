package expectttl

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// outcome is the shape of a function whose return decides whether a key is reconciled again.
type outcome int

const (
	other      outcome = iota
	withResult         // (Result, error)
	onlyError          // error
)

func outcomeOf(fn *ssa.Function) outcome {
	r := fn.Signature.Results()
	switch {
	case r.Len() == 2 && kubeapi.IsResult(r.At(0).Type()) && flow.IsError(r.At(1).Type()):
		return withResult
	case r.Len() == 1 && flow.IsError(r.At(0).Type()):
		return onlyError
	}
	return other
}

// givesUp reports whether ret surely asks for no further look: no error, and a Result that is zero.
func givesUp(ret *ssa.Return) bool {
	for i := range ret.Results {
		if v, sure := flow.Returned(ret, i); !sure || !flow.IsZero(v) {
			return false
		}
	}
	return true
}
