package sharing

import (
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
	seen := map[*ssa.Parameter]bool{}
	given := func(fn *ssa.Function) { // the last object among its parameters is the new one
		for i := len(fn.Params) - 1; i >= 0; i-- {
			if p := fn.Params[i]; kube.IsAny(p.Type()) || kube.IsCached(p.Type()) {
				if !seen[p] {
					seen[p] = true
					out = append(out, Argument(p, "the informer"))
				}
				return
			}
		}
	}
	alone := a.alone()
	for _, h := range controllers.Handlers(a.p) {
		if h.Informer && (h.Val == nil || !alone[h.Val]) {
			for _, part := range []controllers.Part{h.Created, h.Updated, h.Filter} {
				for _, fn := range part.Fns {
					given(fn)
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
						given(handler)
					}
				}
			}
		})
	}
	return out
}

// alone are the structs of handlers of informers whose store is thrown away where they are made: nobody else is given their objects, and
// the handlers are called one after the other.
func (a *Sharing) alone() map[ssa.Value]bool {
	out := map[ssa.Value]bool{}
	for _, fn := range a.p.All() {
		flow.Calls(fn, func(in ssa.CallInstruction) {
			call, ok := in.(*ssa.Call)
			if !ok || flow.Recv(&call.Call) != nil {
				return
			}
			if store := flow.ResultAt(call, 0); store != nil && len(*store.Referrers()) > 0 {
				return
			}
			_, handler := controllers.Registered(&call.Call)
			if handler == nil {
				handler = ofOptions(&call.Call)
			}
			if handler == nil {
				return
			}
			if load, ok := flow.Unwrap(handler).(*ssa.UnOp); ok {
				out[load.X] = true
			}
		})
	}
	return out
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
