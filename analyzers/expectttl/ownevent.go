package expectttl

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// ownEvent reports whether q asks about the object that its function, a reconciler, has read, and has just shown to
// the store: what the store waits for is a newer version of that object, whose event reconciles it, and shows it to
// the store.
func ownEvent(q query) bool {
	fn := q.call.Parent()
	if !isOwner(fn) {
		return false
	}
	object := readObject(fn)
	if object == nil || !isGiven(q.call, object) {
		return false
	}
	return flow.Any(flow.InstrsOf[*ssa.Call](fn), func(call *ssa.Call) bool {
		recv, r := storeCall(&call.Call)
		return r == observes && q.store.same(storeOf(recv)) && isGiven(call, object) && flow.Dominates(call, q.call)
	})
}

// isGiven reports whether object, and nothing else, is what call is given.
func isGiven(call *ssa.Call, object ssa.Value) bool {
	args := flow.Args(&call.Call)
	return len(args) == 1 && flow.Resolve(args[0]) == flow.Resolve(object)
}

// gets reports whether call asks for an object: a request, or a function that says so.
func gets(call *ssa.Call) bool {
	if r, ok := kubeapi.RequestOf(&call.Call); ok {
		return r.Verb == kubeapi.VerbGet
	}
	fn := flow.Callee(&call.Call)
	return fn != nil && words.First(fn.Name()) == "get"
}

// readObject returns the object that fn is about: that of the first call named Get whose error is tested; nil if
// that returns one.
func readObject(fn *ssa.Function) ssa.Value {
	for _, b := range fn.DomPreorder() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || flow.ErrorOf(call) == nil || !gets(call) {
				continue
			}
			if call.Call.Signature().Results().Len() == 2 && kubeapi.IsObject(call.Call.Signature().Results().At(0).Type()) {
				return nil
			}
			for _, a := range flow.Args(&call.Call) {
				if o := flow.Unwrap(a); kubeapi.IsObject(o.Type()) {
					return o
				}
			}
		}
	}
	return nil
}

// isOwner reports whether fn works on the object of a key: a reconciler, a function that is handed its request, or one
// that takes the key of a work queue apart.
func isOwner(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return false
	}
	params := fn.Signature.Params()
	for i := range params.Len() {
		if kubeapi.ReconcileRequest.Is(params.At(i).Type()) {
			return true
		}
	}
	if isReconcile(fn) {
		return true
	}
	return flow.Any(flow.Calls(fn), func(c ssa.CallInstruction) bool {
		return kubeapi.KeySplitters.Has(flow.Callee(c.Common()))
	})
}
