package churn

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// isRepeated reports whether control comes to the write on a reconcile before which nothing has changed but the order. It asks which blocks are feasible then, in its function, in those by
// which the trace has come to it, and in the callers of the outermost of them, if all are known.
//
// The assumption is that comparisons find a difference in what has the order, and in nothing else, and that the object
// is in none of the states of which its status is asked: a request that is sent in the state "New" alone moves the
// object on, and is not sent again. It approximates: an object may stay in such a state.
func (w *writing) isRepeated(write write) bool {
	s := &settled{w: w, kind: write.kind, asked: map[*ssa.Function]bool{}}
	way := append([]ssa.CallInstruction{write.at}, write.of.Calls()...)
	return !slices.ContainsFunc(way, s.isInfeasible) && s.reaches(way[len(way)-1])
}

// settled is the state of a cluster in which nothing has changed since the last reconcile.
type settled struct {
	w     *writing
	kind  types.Type // of the object
	asked map[*ssa.Function]bool
}

// reaches reports whether in is feasible, and a call of its function.
func (s *settled) reaches(in ssa.CallInstruction) bool {
	fn := in.Parent()
	if s.isInfeasible(in) {
		return false
	}
	callers := s.w.p.Callers(fn)
	if s.asked[fn] || len(callers) == 0 || s.w.p.IsValue(fn) {
		return true
	}
	s.asked[fn] = true
	return slices.ContainsFunc(callers, s.reaches)
}

func (s *settled) isInfeasible(in ssa.CallInstruction) bool {
	return !paths.Reachable(in.Parent(), s.truth, nil).Reaches(in.Block())
}

// truth is the assumption on v.
func (s *settled) truth(v ssa.Value) flow.Truth {
	switch v := v.(type) {
	case *ssa.BinOp:
		_, x := v.X.(*ssa.Const)
		_, y := v.Y.(*ssa.Const)
		_, basic := v.X.Type().Underlying().(*types.Basic)
		switch equal := v.Op == token.EQL; {
		case !basic || flow.IsBool(v.X.Type()) || !equal && v.Op != token.NEQ:
		case x || y:
			if s.isState(v.X) || s.isState(v.Y) {
				return flow.TruthOf(!equal)
			}
		default:
			return flow.TruthOf(equal != (s.hasOrder(v.X) || s.hasOrder(v.Y)))
		}
	case *ssa.Call:
		if kubeapi.Compares(flow.Callee(&v.Call)) {
			return flow.TruthOf(!slices.ContainsFunc(flow.AllArgs(&v.Call), s.hasOrder))
		}
	}
	return flow.Unknown
}

// hasOrder reports whether v has something in it that the trace has come to.
func (s *settled) hasOrder(v ssa.Value) bool {
	return s.w.Reached(flow.PathOf(v).Root) || flow.Any(values.From(v).Origins(nil), s.w.Reached)
}

// isState reports whether v is computed from the status of an object, or by a function of the package that is given an
// object of the kind.
func (s *settled) isState(v ssa.Value) bool {
	return values.DependsOn(v, func(x ssa.Value) bool {
		if call, ok := x.(*ssa.Call); ok && s.w.p.Callee(&call.Call) != nil {
			return slices.ContainsFunc(flow.AllArgs(&call.Call), func(a ssa.Value) bool {
				return s.kind != nil && types.Identical(flow.Unwrap(a).Type(), s.kind)
			})
		}
		fa, ok := x.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		f := flow.Field(fa.X.Type(), fa.Field)
		return f != nil && f == kubeapi.StatusOf(fa.X.Type())
	})
}
