package sharing

import (
	"go/constant"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// A type that makes an informer for itself, and has it in a field that only its package knows, has the store for itself as well. It may let others ask that;
// but if nobody in the program asks a cache for objects of the kind, nobody sees those of this one but who hears of its events.

// ofOwnInformers are those of handlers that are the only ones of such an informer.
func (a *Sharing) ofOwnInformers(handlers []*controllers.Handler) map[*controllers.Handler]bool {
	structs := map[ssa.Value]bool{}
	for _, fn := range a.p.All() {
		flow.Calls(fn, func(in ssa.CallInstruction) {
			call, ok := in.(*ssa.Call)
			if !ok {
				return
			}
			_, handler := controllers.Registered(&call.Call)
			load, ok := flow.Unwrap(handler).(*ssa.UnOp)
			if fa := flow.LoadedFrom(flow.Recv(&call.Call)); ok && fa != nil && a.isOwnInformer(flow.Field(fa.X.Type(), fa.Field), call) {
				structs[load.X] = true
			}
		})
	}
	out := map[*controllers.Handler]bool{}
	for _, h := range handlers {
		if h.Val != nil && structs[h.Val] {
			out[h] = true
			if h.Behind != nil {
				out[h.Behind] = true
			}
		}
	}
	return out
}

// isOwnInformer reports whether f has only informers that this package makes, which it runs, registers one handler with by the call, and asks for their stores.
// One that tells of its objects again after a time tells the handler what that has written: it sees that itself.
func (a *Sharing) isOwnInformer(f *types.Var, registers *ssa.Call) bool {
	if f == nil || f.Exported() || f.Pkg() != a.pass.Pkg {
		return false
	}
	for _, fn := range a.p.All() {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.Field:
				if is := flow.Field(in.X.Type(), in.Field); is != nil && is.Origin() == f.Origin() {
					return false
				}
			case *ssa.FieldAddr:
				if is := flow.Field(in.X.Type(), in.Field); is != nil && is.Origin() == f.Origin() && !keepsInformer(in, registers) {
					return false
				}
			}
		}
	}
	return true
}

// keepsInformer reports whether what is done with the field at addr leaves it an own one, see isOwnInformer.
func keepsInformer(addr *ssa.FieldAddr, registers *ssa.Call) bool {
	for _, in := range *addr.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			made, ok := in.Val.(*ssa.Call)
			if !flow.IsNil(in.Val) && !(ok && makesInformer(made) && !resyncs(made)) {
				return false
			}
		case *ssa.UnOp:
			if tellsMore(in, registers, givesStore) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// givesStore are the methods of a shared informer that say nothing of its objects themselves: who asks the store that some of them give does.
var givesStore = func() map[string]bool {
	all := maps.Clone(runsInformer)
	for _, name := range []string{"GetStore", "GetIndexer", "AddIndexers"} {
		all[name] = true
	}
	return all
}()

// resyncs reports whether the informer that call makes surely tells of all its objects again after a time.
func resyncs(call *ssa.Call) bool {
	if len(call.Call.Args) < 3 {
		return false
	}
	period, ok := call.Call.Args[2].(*ssa.Const)
	return ok && period.Value != nil && period.Value.Kind() == constant.Int && constant.Sign(period.Value) > 0
}
