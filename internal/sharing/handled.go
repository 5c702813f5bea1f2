package sharing

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/words"
)

// handled are the objects that functions of the package are given out of a cache: by informers, and by the controllers of wrangler
// and norman. What is deleted has left the cache, and so has the old one of two.
func (a *Sharing) handled() []Read {
	var out []Read
	seen := map[*ssa.Parameter]int{}
	given := func(h *controllers.Handler, fn *ssa.Function, alone bool) { // the last object among its parameters is the new one
		for i := len(fn.Params) - 1; i >= 0; i-- {
			if p := fn.Params[i]; kube.IsAny(p.Type()) || kube.IsCached(p.Type()) {
				if at, again := seen[p]; again {
					out[at].Alone = out[at].Alone && alone
					return
				}
				seen[p] = len(out)
				a.hearers[p] = h
				r := Argument(p, "the informer")
				r.Alone = alone
				out = append(out, r)
				return
			}
		}
	}
	alone, handlers := a.alone(), controllers.Handlers(a.p)
	own := a.ofOwnInformers(handlers)
	for _, h := range handlers {
		if h.Informer && (h.Val == nil || !alone[h.Val]) {
			for _, part := range []controllers.Part{h.Created, h.Updated, h.Filter} {
				for _, fn := range part.Fns {
					given(h, fn, own[h])
				}
			}
		}
	}
	for _, fn := range a.p.All() {
		flow.Calls(fn, func(in ssa.CallInstruction) {
			common := in.Common()
			if fn := flow.Callee(common); fn == nil || !common.IsInvoke() || !registersHandler(fn.Name()) {
				return
			}
			for _, arg := range common.Args {
				if sig, ok := arg.Type().Underlying().(*types.Signature); ok && isKeyHandler(sig) {
					for _, handler := range controllers.Functions(a.p, arg) {
						given(nil, handler, false)
					}
				}
			}
		})
	}
	return out
}

// alone are the structs of handlers of informers whose store nobody else has: it is thrown away where they are made, or the informer is used for
// nothing else. The handlers are called one after the other.
func (a *Sharing) alone() map[ssa.Value]bool {
	out := map[ssa.Value]bool{}
	for _, fn := range a.p.All() {
		flow.Calls(fn, func(in ssa.CallInstruction) {
			if call, ok := in.(*ssa.Call); ok {
				if load, ok := flow.Unwrap(onlyHandler(call)).(*ssa.UnOp); ok {
					out[load.X] = true
				}
			}
		})
	}
	return out
}

// onlyHandler is what alone hears of the events of the informer that call makes, or registers a handler with; nil for other calls.
func onlyHandler(call *ssa.Call) ssa.Value {
	_, handler := controllers.Registered(&call.Call)
	if informer := flow.Recv(&call.Call); informer != nil {
		if handler == nil || !onlyRuns(informer, call) {
			return nil
		}
		return handler
	}
	if store := flow.ResultAt(call, 0); store != nil && len(*store.Referrers()) > 0 {
		return nil
	}
	return cmp.Or(handler, ofOptions(&call.Call))
}

// onlyRuns reports whether a function makes the shared informer, registers a handler with it by the call, and does nothing else with it that tells of its objects.
func onlyRuns(informer ssa.Value, registers *ssa.Call) bool {
	made, ok := informer.(*ssa.Call)
	return ok && makesInformer(made) && !tellsMore(made, registers, runsInformer)
}

// tellsMore reports whether more is done with the informer than to call the quiet ones of its methods, but for the one call.
func tellsMore(informer ssa.Value, registers *ssa.Call, quiet map[string]bool) bool {
	return slices.ContainsFunc(*informer.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.TypeAssert, *ssa.ChangeInterface:
			return tellsMore(in.(ssa.Value), registers, quiet)
		case *ssa.MakeClosure: // a method as a value
			method := flow.Object(in.Fn.(*ssa.Function))
			return method == nil || !quiet[method.Name()]
		case ssa.CallInstruction:
			return in != ssa.CallInstruction(registers) && (flow.Recv(in.Common()) != informer || !quiet[flow.Callee(in.Common()).Name()])
		}
		return true
	})
}

// makesInformer reports whether call makes a shared informer that nobody else has yet.
func makesInformer(call *ssa.Call) bool {
	callee := kube.SymbolOf(flow.Callee(&call.Call))
	return callee.Pkg == kube.Cache && callee.Recv == "" && words.Has(callee.Name, "new") && words.Has(callee.Name, "shared")
}

// runsInformer are the methods of a shared informer that say nothing of its objects.
var runsInformer = map[string]bool{
	"Run": true, "RunWithContext": true, "HasSynced": true, "IsStopped": true, "LastSyncResourceVersion": true, "SetWatchErrorHandler": true,
	"SetWatchErrorHandlerWithContext": true, "SetTransform": true,
}

// ofOptions is the handler in the options that call, of cache.NewInformerWithOptions, is given; nil for others.
func ofOptions(call *ssa.CallCommon) (handler ssa.Value) {
	if !(kube.Symbol{Pkg: kube.Cache, Name: "NewInformerWithOptions"}).Is(flow.Callee(call)) {
		return nil
	}
	load, ok := call.Args[0].(*ssa.UnOp)
	if !ok {
		return nil
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for st, fa := range flow.FieldStores(alloc.Parent()) {
		if f := flow.Field(fa.X.Type(), fa.Field); f != nil && f.Name() == "Handler" && isAt(alloc, fa.X) {
			handler = st.Val
		}
	}
	return handler
}

// isAt reports whether the struct at addr is the one at alloc, or one that is put there as a whole.
func isAt(alloc *ssa.Alloc, addr ssa.Value) bool {
	if addr == ssa.Value(alloc) {
		return true
	}
	return slices.ContainsFunc(*alloc.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(alloc) {
			return false
		}
		load, ok := st.Val.(*ssa.UnOp)
		return ok && load.X == addr
	})
}

// registersHandler reports whether a controller's method of that name takes a function that is given the objects of its cache.
// Handlers of removals are given copies.
func registersHandler(name string) bool {
	return words.Has(name, "on") && words.Has(name, "change") || words.Has(name, "add") && words.Has(name, "handler")
}

// isKeyHandler reports whether sig is that of a handler which is given a key and what the cache has under it.
func isKeyHandler(sig *types.Signature) bool {
	p, r := sig.Params(), sig.Results()
	return p.Len() == 2 && flow.IsString(p.At(0).Type()) && kube.IsCached(p.At(1).Type()) && r.Len() == 2 && flow.IsError(r.At(1).Type())
}
