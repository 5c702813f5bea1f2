package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// calledOutsideInformers reports whether v, a struct of handlers or a handler, is passed to code that calls it
// itself, and no known code registers it with an informer. Such code may take the object out of the tombstone before.
// It is a function of a package that calls delete methods of handlers, or a method of an interface with unknown
// implementations.
func (t *tombstones) calledOutsideInformers(v ssa.Value) bool { return t.callerOf(v) == callerOther }

// handlerCaller says what calls a handler.
type handlerCaller int

const (
	callerUnknown  handlerCaller = iota
	callerInformer               // an informer does
	callerOther                  // other code does
)

// callerOf returns what calls the handler v, by all its uses: an informer, if one use registers it.
func (t *tombstones) callerOf(v ssa.Value) handlerCaller {
	result := callerUnknown
	work := values.From(v)
	for in, v := range work.Uses() {
		if call, ok := in.(ssa.CallInstruction); ok {
			k := t.callerThrough(call, v, work)
			if k == callerInformer {
				return k
			}
			result = max(result, k)
		}
	}
	return result
}

// callerThrough returns what calls the handler v, an argument of call, as far as call shows that. It adds the other
// values to follow to handlers: the parameter of the callee, or a handler that wraps v.
func (t *tombstones) callerThrough(call ssa.CallInstruction, v ssa.Value, handlers *values.Worklist) handlerCaller {
	common := call.Common()
	callee := flow.Callee(common)
	if callee == nil || callee.Pkg() == nil {
		return callerUnknown
	}
	if common.IsInvoke() && common.Value == v {
		return callerOther // call calls one of its methods
	}
	if kubeapi.IsLibrary(callee.Pkg().Path()) {
		return callerInformer
	}
	own := t.pkg.Own(flow.StaticCallee(common))
	if w := words.Of(callee.Name()); own == nil && len(w) > 2 && slices.Equal(w[:3], []string{"add", "event", "handler"}) {
		return callerUnknown // named like an informer's method, but unknown
	}
	if c, ok := call.(*ssa.Call); ok && c.Call.Signature().Results().Len() == 1 &&
		kubeapi.IsResourceEventHandler(c.Type()) {
		handlers.Add(c) // a handler that wraps v
		return callerUnknown
	}
	i := slices.Index(common.Args, v)
	switch {
	case i < 0:
	case own != nil && len(own.Params) == len(common.Args):
		handlers.Add(own.Params[i])
		if t.callsHandlersItself() {
			return callerOther
		}
	case common.IsInvoke():
		return callerOther
	default:
		if f := t.imported(callee); f != nil && slices.Contains(f.CallsItself, i) {
			return callerOther
		}
	}
	return callerUnknown
}

// findsHandlerCalls reports whether a function of the package calls the delete method of a handler.
func (t *tombstones) findsHandlerCalls() bool {
	return flow.Any(flow.Calls(t.pkg.All()...), func(call ssa.CallInstruction) bool {
		common := call.Common()
		return common.IsInvoke() && kubeapi.IsHandlerOf(common.Method, kubeapi.EventDelete) &&
			kubeapi.IsInformerHandler(common.Value.Type())
	})
}

// callsItselfOf returns the indices of the parameters of fn, handlers, that calledOutsideInformers holds for.
func (t *tombstones) callsItselfOf(fn *ssa.Function) []int {
	var out []int
	for i, p := range fn.Params {
		if kubeapi.IsInformerHandler(p.Type()) && t.callerOf(p) == callerOther {
			out = append(out, i)
		}
	}
	return out
}
