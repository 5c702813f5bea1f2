package expectttl

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
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
		if f := s.Field(i); f.Name() == "RequeueAfter" && kube.IsType(f.Type(), "time", "Duration") {
			return true
		}
	}
	return false
}

// givesUp reports whether ret surely asks for no further look: no error, and a Result that is zero.
func givesUp(ret *ssa.Return) bool {
	for i := range ret.Results {
		if v := returned(ret, i); v == nil || !isZero(v) {
			return false
		}
	}
	return true
}

// returned is the value of result i. A named result that a deferred function can see lives in memory: it is what was
// stored there last, unless a deferred function may store to it (then nil).
func returned(ret *ssa.Return, i int) ssa.Value {
	v := ret.Results[i]
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return v
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	if isResult(v.Type()) && !storedWhole(alloc, ret.Block()) {
		return v
	}
	for _, u := range *alloc.Referrers() {
		if mc, ok := u.(*ssa.MakeClosure); ok && writesBinding(mc, alloc) {
			return nil
		}
	}
	var last ssa.Value
	for _, in := range ret.Block().Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			if in.Addr == ssa.Value(alloc) {
				last = in.Val
			}
		case ssa.Value:
			if in == ssa.Value(load) && last != nil {
				return last
			}
		}
	}
	return v
}

func storedWhole(alloc *ssa.Alloc, b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		if st, ok := in.(*ssa.Store); ok && st.Addr == ssa.Value(alloc) {
			return true
		}
	}
	return false
}

// writesBinding reports whether the closure may change the captured variable alloc.
func writesBinding(mc *ssa.MakeClosure, alloc *ssa.Alloc) bool {
	fn := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b == ssa.Value(alloc) && mayWrite(fn.FreeVars[i], 0) {
			return true
		}
	}
	return false
}

func mayWrite(addr ssa.Value, depth int) bool {
	if addr.Referrers() == nil || depth > 4 {
		return true
	}
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if mayWrite(u, depth+1) {
				return true
			}
		default:
			return true
		}
	}
	return false
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
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
