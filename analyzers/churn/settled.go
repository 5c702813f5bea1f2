package churn

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// settled is the assumption that nothing but the order has changed since the last reconcile. What control does not come
// to then is done once, or is for an object that is missing something: the order cannot make the reconciler do it again.
//
// Under it, the objects that are read exist; functions that compare find a difference in what has the order, and in
// nothing else, and == finds none where nothing has the order; and the status that is asked for is none of the constants
// it is compared with, for a request that is sent in the phase "New" alone moves the object on. What functions say about
// the object is not known: control has to come to a place whatever they say. It approximates: an object may stay in a
// phase.
type settled struct {
	w      *writing
	object ssa.Value  // the object that is written, where it is known
	kind   types.Type // its type, nil if that is not known
	says   flow.Truth // what functions say about the object
}

// isRepeated reports whether the write is executed again under the assumption: whether a feasible path leads to it, to
// the calls by which the trace has come to its function, and to a call of the outermost function, if all are known.
func (w *writing) isRepeated(write write) bool {
	s := &settled{w: w, object: write.object}
	if write.object != nil {
		s.kind = flow.Unwrap(write.object).Type()
		if call, _ := flow.ResultOf(flow.PathOf(write.object).Root); call != nil {
			if request, ok := kubeapi.RequestOf(&call.Call); ok && request.Verb == kubeapi.VerbCreate {
				return false
			}
		}
	}
	asked := map[*ssa.Function]bool{}
	var reaches func(ssa.CallInstruction) bool
	reaches = func(in ssa.CallInstruction) bool {
		fn := in.Parent()
		if !s.comesTo(in.Block()) {
			return false
		}
		callers := w.p.Callers(fn)
		if asked[fn] || len(callers) == 0 || w.p.IsValue(fn) {
			return true
		}
		asked[fn] = true
		return slices.ContainsFunc(callers, reaches)
	}
	way := append([]ssa.CallInstruction{write.at}, write.of.Calls()...)
	inner, outermost := way[:len(way)-1], way[len(way)-1]
	return !slices.ContainsFunc(inner, func(c ssa.CallInstruction) bool { return !s.comesTo(c.Block()) }) && reaches(outermost)
}

// isKept reports whether the store in b, to a part of the object with the address addr, is executed again under the
// assumption.
func (w *writing) isKept(b *ssa.BasicBlock, addr ssa.Value) bool {
	return (&settled{w: w, object: addr}).comesTo(b)
}

// comesTo reports whether control comes to b whatever functions say about the object.
func (s *settled) comesTo(b *ssa.BasicBlock) bool {
	for _, s.says = range []flow.Truth{flow.True, flow.False} {
		if !paths.Reachable(b.Parent(), s.truth, nil).Reaches(b) {
			return false
		}
	}
	return true
}

// truth is the assumption on v.
func (s *settled) truth(v ssa.Value) flow.Truth {
	switch v := v.(type) {
	case *ssa.BinOp:
		if _, basic := v.X.Type().Underlying().(*types.Basic); basic && !flow.IsBool(v.X.Type()) {
			return flow.Equal(v, s.equal(v.X, v.Y))
		}
	case *ssa.Call:
		fn, args := flow.Callee(&v.Call), flow.AllArgs(&v.Call)
		switch {
		case kubeapi.NotFound.Called(&v.Call), kubeapi.AsksZero(fn) && kubeapi.AlwaysSetOf(flow.Resolve(args[0])) != nil:
			return flow.False
		case s.compares(v):
			return flow.TruthOf(!slices.ContainsFunc(args, s.hasOrder))
		case fn != nil && flow.IsBool(v.Type()) && !kubeapi.AsksZero(fn) && !kubeapi.OnlyInMemory(fn) && slices.ContainsFunc(args, s.isObject):
			return s.says
		}
	}
	return flow.Unknown
}

// compares reports whether call compares its arguments; the name decides where there is no body in sight.
func (s *settled) compares(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return kubeapi.Compares(fn) ||
		fn != nil && flow.IsBool(call.Type()) && s.w.p.Callee(&call.Call) == nil && words.Has(fn.Name(), "equal", "equals")
}

// equal reports whether x equals y.
func (s *settled) equal(x, y ssa.Value) flow.Truth {
	_, constX := x.(*ssa.Const)
	_, constY := y.(*ssa.Const)
	stored := func(v ssa.Value) bool { return kubeapi.AlwaysSetOf(flow.Resolve(v)) != nil || s.isState(v) }
	switch {
	case !constX && !constY && !s.hasOrder(x) && !s.hasOrder(y):
		return flow.True
	case !constX && !constY:
	case stored(x) || stored(y):
		return flow.False
	}
	return flow.Unknown
}

// hasOrder reports whether v has something in it that the trace has come to.
func (s *settled) hasOrder(v ssa.Value) bool {
	return s.w.Reached(flow.PathOf(v).Root) || flow.Any(values.From(v).Origins(nil), s.w.Reached)
}

// isObject reports whether v is the object, or a part of it, or one that has the order.
func (s *settled) isObject(v ssa.Value) bool {
	root := flow.PathOf(v).Root
	return root != nil && s.object != nil && root == flow.PathOf(s.object).Root || s.hasOrder(v)
}

// isState reports whether v is computed from the status of an object, or by a function of the package from an object of
// the kind.
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
