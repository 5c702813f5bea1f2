package kubeapi

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A CacheRead is a call that returns objects of a cache: they are the cache's own memory.
type CacheRead struct {
	Results []int // those that are objects, or made of them
	List    bool  // they are in a slice or map that is made for the caller
	// Untyped: the result is an interface that other types than objects implement.
	Untyped bool
}

// storeReads are the methods of client-go's stores that read: those that give out objects, and those that do not.
var storeReads = map[string]*CacheRead{
	"Get": {}, "GetByKey": {}, "List": {List: true}, "ByIndex": {List: true}, "Index": {List: true},
	"ListKeys": nil, "IndexKeys": nil, "ListIndexFuncValues": nil, "GetIndexers": nil,
}

// ReadsStore reports whether a method of that name reads a store or a lister.
func ReadsStore(name string) bool {
	_, ok := storeReads[name]
	return ok
}

// OfStore reports whether fn is a method of a store of client-go.
func OfStore(fn *types.Func) bool {
	return SymbolOf(fn).Pkg == Cache && isStore(RecvName(fn))
}

// IsStore reports whether t is a store of client-go.
func IsStore(t types.Type) bool { return isStore(NameIn(t, Cache)) }

// CacheReadOf returns what call reads of a cache: of client-go's stores and indexers, and of what has the methods of
// a lister, if it is generated, generic or dynamic, or a cache of wrangler or norman.
func CacheReadOf(call *ssa.CallCommon) (r CacheRead, ok bool) {
	fn, recv := flow.Callee(call), flow.Recv(call)
	if fn == nil || recv == nil {
		return CacheRead{}, false
	}
	if OfStore(fn) {
		read := storeReads[fn.Name()]
		return CacheRead{Results: []int{0}, Untyped: true, List: read != nil && read.List}, read != nil
	}
	if !call.IsInvoke() && (fn.Pkg() == nil || !IsLibrary(fn.Pkg().Path())) {
		return CacheRead{}, false
	}
	t := recv.Type()
	if !IsLister(t) {
		return CacheRead{}, false
	}
	res := fn.Signature().Results()
	if res.Len() != 2 || !flow.IsError(res.At(1).Type()) {
		return CacheRead{}, false
	}
	r.Results = []int{0}
	first := res.At(0).Type()
	if s, isSlice := first.Underlying().(*types.Slice); isSlice {
		r.List, first = true, s.Elem()
	} else if fn.Name() != "Get" {
		return CacheRead{}, false
	}
	for v := range fn.Signature().Params().Variables() { // keys and selectors; one with a context or options asks a server
		if !flow.IsString(v.Type()) && !Selector.Is(v.Type()) {
			return CacheRead{}, false
		}
	}
	return r, IsCached(first)
}

// isStore reports whether a type of that name, of client-go's package of caches, is a store.
func isStore(name string) bool {
	switch name {
	case "Store", "Indexer", "ThreadSafeStore", "KeyGetter", "KeyLister", "KeyListerGetter":
		return true
	}
	return false
}

// IsLister reports whether t has the List of a lister.
func IsLister(t types.Type) bool {
	list := Method(t, "List")
	return list != nil && listsBySelector(list.Signature())
}

// listsBySelector reports whether sig is that of a lister's List: it takes a selector last, and returns the objects
// themselves. Clients take options there, and give a list object.
func listsBySelector(sig *types.Signature) bool {
	n := sig.Params().Len()
	if n == 0 || n > 2 || !Selector.Is(sig.Params().At(n-1).Type()) || sig.Results().Len() != 2 {
		return false
	}
	s, ok := sig.Results().At(0).Type().Underlying().(*types.Slice)
	return ok && IsCached(s.Elem())
}

// IsCached reports whether t is what caches keep: a pointer to an object, or an interface of objects.
func IsCached(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer, *types.TypeParam:
		return IsObject(t) || isTypeParam(t)
	default:
		return types.IsInterface(u) && (IsObject(t) || IsType(t, runtimePkg, "Object"))
	}
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}
