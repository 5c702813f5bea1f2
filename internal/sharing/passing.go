package sharing

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A function that makes informers, does not pass them on, and stops them when it returns, reads a cache that no
// code can ask behind it: what it returns of that is its own.

// runsInformer reports whether the method of an informer with that name says nothing of its objects.
func runsInformer(method string) bool {
	use := kubeapi.InformerUseOf(method)
	return use == kubeapi.InformerStatus || use == kubeapi.InformerSetup || use == kubeapi.InformerRun
}

// endsWith reports whether in reads a cache that its function has made, and that is gone when it returns.
func endsWith(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	for recv := flow.Recv(&call.Call); recv != nil; recv = flow.Recv(&call.Call) {
		if call, ok = flow.Resolve(recv).(*ssa.Call); !ok {
			return false
		}
	}
	fn := flow.Callee(&call.Call)
	return call != in && call.Parent() == in.Parent() && fn != nil && words.First(fn.Name()) == "new" && isPassing(call)
}

// isPassing reports whether made, a factory or an informer, and what leads from it to a store, is not passed on,
// and runs no longer than its function.
func isPassing(made ssa.Value) bool {
	work := values.From(made)
	for in, v := range work.Uses() {
		if _, several := v.Type().(*types.Tuple); !several && !refers(v.Type()) {
			continue
		}
		switch in := in.(type) {
		case *ssa.MakeClosure: // a method as a value
			method := flow.Object(in.Fn.(*ssa.Function))
			if method == nil || !runsInformer(method.Name()) || method.Signature().Params().Len() > 0 {
				return false
			}
		case ssa.CallInstruction:
			if values.MethodCall(in, v) == nil || slices.ContainsFunc(flow.Args(in.Common()), func(arg ssa.Value) bool { return outlasts(arg, in) }) {
				return false
			}
			if call, ok := in.(*ssa.Call); ok {
				if _, reads := kubeapi.CacheReadOf(&call.Call); !reads {
					work.Add(call)
				}
			}
		default:
			return false
		}
	}
	return true
}

// outlasts reports whether end, which ends what the call in starts, is a context, or a channel that is not closed
// when the function returns.
func outlasts(end ssa.Value, in ssa.CallInstruction) bool {
	_, isChan := end.Type().Underlying().(*types.Chan)
	return isChan && !closedAtReturn(end, in) || kubeapi.IsContext(end.Type())
}

// closedAtReturn reports whether ch is a channel of the function of in, which closes it when it returns, if it has
// reach in.
func closedAtReturn(ch ssa.Value, in ssa.Instruction) bool {
	made, ok := flow.Resolve(ch).(*ssa.MakeChan)
	if !ok || made.Parent() != in.Parent() {
		return false
	}
	return flow.Any(flow.InstrsOf[*ssa.Defer](in.Parent()), func(d *ssa.Defer) bool {
		if !d.Block().Dominates(in.Block()) {
			return false
		}
		b, ok := d.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "close" && flow.Resolve(d.Call.Args[0]) == ssa.Value(made)
	})
}
