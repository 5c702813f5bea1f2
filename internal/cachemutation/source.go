package cachemutation

import (
	"cmp"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A read is where a cache gives out what it keeps.
type read struct {
	at ssa.Instruction // the call; nil for what a handler is given
	v  ssa.Value
	sh share
	of string // the cache, in the words of the source
	// sub is the sub-rule that tells of writes, where the read alone decides it.
	sub string
	// untyped: it is an object only once it has been asserted to be one.
	untyped bool
	// found is what is known where the object is there.
	found map[ssa.Value]flow.Truth
}

// reads are the places in fn where a cache gives out an object: a call of one, or of a function that gives out what it has from one.
func (a *mutations) reads(fn *ssa.Function) []read {
	var out []read
	flow.Calls(fn, func(in ssa.CallInstruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		if r, ok := kube.CacheReadOf(&call.Call); ok && !a.inSight(call) {
			out = append(out, a.cacheRead(call, r)...)
			return
		}
		if list := disabledRead(&call.Call); list != nil {
			out = append(out, read{at: call, v: list, sh: share{within: ""}, of: name(flow.Recv(&call.Call)), sub: "disabled"})
		}
		for _, s := range a.summaries(call) {
			for _, g := range s.Gives {
				if g.Param >= 0 {
					continue
				}
				v := flow.ResultAt(call, g.Result)
				if v == nil {
					continue
				}
				out = append(out, read{at: call, v: v, sh: g.share(), of: calleeName(call) + "()", sub: "returned", untyped: !g.Object, found: found(call, v)})
			}
		}
	})
	return out
}

// inSight reports whether the functions that call runs are known, so that what they do tells what they give.
func (a *mutations) inSight(call *ssa.Call) bool {
	fns, all := a.p.Callees(call)
	return all && len(fns) > 0
}

// cacheRead is the read that call is of a cache.
func (a *mutations) cacheRead(call *ssa.Call, r kube.CacheRead) (out []read) {
	recv := flow.Recv(&call.Call)
	if a.isOwnStore(recv) {
		return nil
	}
	for _, i := range r.Results {
		v := flow.ResultAt(call, i)
		if v == nil {
			continue
		}
		sh := share{at: true}
		if r.List {
			sh = share{within: "[]", ref: true}
		}
		out = append(out, read{at: call, v: v, sh: sh, of: name(recv), untyped: r.Untyped, found: found(call, v)})
	}
	return out
}

// found is what is known of the results of call where v, one of them, is an object: there was no error, and it exists.
func found(call *ssa.Call, v ssa.Value) map[ssa.Value]flow.Truth {
	known := map[ssa.Value]flow.Truth{}
	if err := flow.ErrorOf(call); err != nil {
		known[err] = flow.Yes
	}
	if _, slice := v.Type().Underlying().(*types.Slice); !slice {
		known[v] = flow.No
	}
	res := call.Call.Signature().Results()
	for i := range res.Len() {
		if flow.IsBool(res.At(i).Type()) {
			if exists := flow.ResultAt(call, i); exists != nil {
				known[exists] = flow.Yes
			}
		}
	}
	return known
}

// isOwnStore reports whether v is a store that this package has made to keep what it puts there itself.
func (a *mutations) isOwnStore(v ssa.Value) bool {
	call, ok := flow.Resolve(v).(*ssa.Call)
	if !ok {
		if fa := flow.LoadedFrom(flow.Resolve(v)); fa != nil {
			return a.ownStores()[flow.Field(fa.X.Type(), fa.Field)]
		}
		return false
	}
	return makesStore(call)
}

// ownStores are the fields of the package's types that hold stores which it has made itself.
func (a *mutations) ownStores() map[*types.Var]bool {
	if a.own == nil {
		a.own = map[*types.Var]bool{}
		for _, fn := range a.p.All() {
			for st, fa := range flow.FieldStores(fn) {
				if call, ok := flow.Resolve(st.Val).(*ssa.Call); ok && makesStore(call) {
					a.own[flow.Field(fa.X.Type(), fa.Field)] = true
				}
			}
		}
	}
	return a.own
}

// makesStore reports whether call makes a store of client-go's that no informer fills. One that comes with a controller is filled by it.
func makesStore(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil || !kube.SamePackage(fn.Pkg().Path(), kube.Cache) {
		return false
	}
	switch fn.Name() {
	case "NewStore", "NewIndexer", "NewTTLStore", "NewThreadSafeStore", "NewExpirationStore", "NewFakeExpirationStore":
		return true
	}
	return false
}

// disabledRead is the object or list that a read of controller-runtime's fills without copying, nil where call is none.
func disabledRead(call *ssa.CallCommon) ssa.Value {
	fn, args := flow.Callee(call), flow.Args(call)
	if fn == nil || len(args) < 3 || !kube.IsContext(args[0].Type()) || fn.Name() != "List" && fn.Name() != "Get" {
		return nil
	}
	for _, opt := range flow.Elements(args[len(args)-1]) {
		c, ok := flow.Unwrap(opt).(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.Bool || !constant.BoolVal(c.Value) {
			if load, isLoad := flow.Unwrap(opt).(*ssa.UnOp); !isLoad || !isDisabling(load.Type()) {
				continue
			}
		}
		if isDisabling(flow.Unwrap(opt).Type()) {
			if fn.Name() == "List" {
				return flow.Unwrap(args[1])
			}
			return flow.Unwrap(args[2])
		}
	}
	return nil
}

// isDisabling reports whether t is the option of a read that gives out what the cache has.
func isDisabling(t types.Type) bool {
	n := kube.Named(t)
	return n != nil && words.Has(n.Obj().Name(), "disable") && words.Has(n.Obj().Name(), "deep")
}

// handled are the objects that functions of the package are given out of a cache: by informers, and by the controllers of wrangler
// and norman. What is deleted has left the cache, and so has the old one of two.
func (a *mutations) handled() []read {
	var out []read
	seen := map[*ssa.Parameter]bool{}
	given := func(fn *ssa.Function, last int) {
		for i := len(fn.Params) - 1; i >= 0 && last > 0; i-- {
			p := fn.Params[i]
			if !kube.IsAny(p.Type()) && !kube.IsCached(p.Type()) {
				continue
			}
			if last--; !seen[p] {
				seen[p] = true
				out = append(out, read{v: p, at: fn.Blocks[0].Instrs[0], sh: share{at: true}, of: "the informer", sub: "param", untyped: !kube.IsObject(p.Type())})
			}
		}
	}
	for _, h := range controllers.Handlers(a.p) {
		if h.Informer {
			for _, part := range []controllers.Part{h.Created, h.Updated, h.Filter} {
				for _, fn := range part.Fns {
					given(fn, 1)
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
						given(handler, 1)
					}
				}
			}
		})
	}
	return out
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

// name is how the source calls the cache v: of c.factory.PodLister().Pods(ns), it is PodLister.
func name(v ssa.Value) string {
	var last string
	for v != nil {
		v = flow.Resolve(v)
		word := ""
		switch x := v.(type) {
		case *ssa.Call:
			fn := flow.Callee(&x.Call)
			if fn == nil {
				return cmp.Or(last, "the cache")
			}
			word, v = fn.Name(), flow.Recv(&x.Call)
		case *ssa.UnOp:
			fa, ok := x.X.(*ssa.FieldAddr)
			if !ok {
				return cmp.Or(last, "the cache")
			}
			word, v = fieldName(fa.X.Type(), fa.Field), fa.X
		case *ssa.Parameter, *ssa.Global:
			word, v = flow.RootName(v), nil
		default:
			v = nil
		}
		if len(words.Of(word)) > 1 && words.Has(word, "lister", "informer", "cache", "store", "indexer") {
			return word
		}
		if last == "" || words.Has(last, "lister", "informer") && word != "" && len(words.Of(last)) == 1 && v != nil {
			last = cmp.Or(word, last)
		}
	}
	return cmp.Or(last, "the cache")
}
