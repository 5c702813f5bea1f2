package expectttl

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// outcome is the shape of a function whose return decides whether a key is looked at again.
type outcome int

const (
	other      outcome = iota
	withResult         // (Result, error)
	onlyError          // error
)

func outcomeOf(fn *ssa.Function) outcome {
	r := fn.Signature.Results()
	switch {
	case r.Len() == 2 && isResult(r.At(0).Type()) && flow.IsError(r.At(1).Type()):
		return withResult
	case r.Len() == 1 && flow.IsError(r.At(0).Type()):
		return onlyError
	}
	return other
}

// isResult reports whether t is a struct like controller-runtime's reconcile.Result.
func isResult(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() == "RequeueAfter" && kubeapi.IsType(f.Type(), "time", "Duration") {
			return true
		}
	}
	return false
}

// givesUp reports whether ret surely asks for no further look: no error, and a Result that is zero.
func givesUp(ret *ssa.Return) bool {
	for i := range ret.Results {
		if v, sure := flow.Returned(ret, i); !sure || !isZero(v) {
			return false
		}
	}
	return true
}

// isZero reports whether v is surely the zero value.
func isZero(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return true
		}
		switch v.Value.Kind() {
		case constant.Bool:
			return !constant.BoolVal(v.Value)
		case constant.Int, constant.Float:
			return constant.Sign(v.Value) == 0
		case constant.String:
			return constant.StringVal(v.Value) == ""
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if _, ok := e.(*ssa.Phi); ok || !isZero(e) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		alloc, ok := v.X.(*ssa.Alloc)
		return ok && staysZero(alloc, v)
	}
	return false
}

// staysZero reports whether nothing but zeroes is stored to the variable at addr, or to a part of it, before load.
func staysZero(addr ssa.Value, load ssa.Instruction) bool {
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.Store:
			if u.Addr != addr || !isZero(u.Val) && flow.Reaches(u, load, nil) {
				return false
			}
		case *ssa.FieldAddr:
			if !staysZero(u, load) {
				return false
			}
		case *ssa.UnOp:
		default:
			return false
		}
	}
	return true
}
