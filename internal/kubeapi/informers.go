package kubeapi

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// IsInformerFactory reports whether t is an informer factory, of whatever client: it starts informers and waits for
// them.
func IsInformerFactory(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !types.IsInterface(n) {
		return false
	}
	Start, sync := StartOf(n), Method(n, WaitForCacheSync)
	if Start == nil || sync == nil || Start.Signature().Results().Len() != 0 || sync.Signature().Results().Len() != 1 {
		return false
	}
	_, ok = sync.Signature().Results().At(0).Type().Underlying().(*types.Map)
	return ok
}

// IsInformer reports whether t is a shared informer, not the generated accessor of one.
func IsInformer(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && types.IsInterface(n) && Method(n, HasSynced) != nil && Method(n, "Run") != nil
}

// Method returns the exported method of t, or of a pointer to it, with that name; nil if there is none.
func Method(t types.Type, name string) *types.Func {
	if _, isPtr := types.Unalias(t).(*types.Pointer); !isPtr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	m, _ := obj.(*types.Func)
	return m
}

// HandlerRegistration returns the handler that call adds to an informer of client-go, or makes one with, and the kind
// of its objects, nil if it is not known.
func HandlerRegistration(call *ssa.CallCommon) (kind types.Type, handler ssa.Value) {
	callee, args := SymbolOf(flow.Callee(call)), flow.Args(call)
	switch {
	case callee.Pkg == Cache && callee.Recv == "" && (callee.Name == "NewInformer" || callee.Name == "NewIndexerInformer") && len(args) > 3:
		return watchedKind(args[1]), args[3]
	case AddsEventHandler(flow.Callee(call)) && len(args) > 0:
		return informed(flow.Resolve(flow.Recv(call))), args[0]
	}
	return nil, nil
}

// informed returns the kind of the shared informer v: what it was made for, or what the lister of its accessor lists.
func informed(v ssa.Value) types.Type {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	args := flow.Args(&call.Call)
	switch callee := SymbolOf(flow.Callee(&call.Call)); callee.Name {
	case "NewSharedInformer", "NewSharedIndexInformer", "NewSharedIndexInformerWithOptions":
		if callee.Pkg == Cache && len(args) > 1 {
			return watchedKind(args[1])
		}
	case "GetInformer":
		if callee.Pkg == CRCache && len(args) > 1 {
			return watchedKind(args[1])
		}
	case Informer:
		if recv := flow.Recv(&call.Call); recv != nil && len(args) == 0 {
			return ofLister(result(Method(recv.Type(), Lister)))
		}
	}
	return nil
}

// ofLister returns what the lister of type t lists, nil if it is none of those that are generated for each kind.
func ofLister(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	list, ok := result(Method(t, "List")).(*types.Slice)
	if !ok || Named(list.Elem()) == nil || types.IsInterface(list.Elem()) {
		return nil
	}
	return list.Elem()
}

// result returns the first result of fn, nil if there is none.
func result(fn *types.Func) types.Type {
	if fn == nil || fn.Signature().Results().Len() == 0 {
		return nil
	}
	return types.Unalias(fn.Signature().Results().At(0).Type())
}

// AddsEventHandler reports whether fn adds a handler to a shared informer.
func AddsEventHandler(fn *types.Func) bool {
	return SymbolOf(fn).Pkg == Cache && strings.HasPrefix(fn.Name(), "AddEventHandler")
}

// An InformerUse is what a method of a shared informer is for.
type InformerUse uint8

// The uses of informers.
const (
	InformerStatus  InformerUse = iota + 1 // it says how far the informer is
	InformerHandler                        // it adds a handler
	InformerRun                            // it runs the informer
	InformerStore                          // it returns the objects
	InformerSetup
)

var informerUses = map[string]InformerUse{
	HasSynced: InformerStatus, "IsStopped": InformerStatus, "LastSyncResourceVersion": InformerStatus,
	"AddEventHandler": InformerHandler, AddWithResync: InformerHandler,
	"Run": InformerRun, "RunWithContext": InformerRun, "GetController": InformerRun,
	"GetStore": InformerStore, "GetIndexer": InformerStore,
	"SetWatchErrorHandler": InformerSetup, "SetWatchErrorHandlerWithContext": InformerSetup, "SetTransform": InformerSetup,
}

// InformerUseOf returns what the method of an informer with that name is for, 0 for other names.
func InformerUseOf(method string) InformerUse { return informerUses[method] }

const (
	factoryStart = "StartWithContext"
)

// StartsFactory reports whether the method of an informer factory with that name starts its informers.
func StartsFactory(method string) bool { return method == Start || method == factoryStart }

// WaitsForFactory reports whether the method of an informer factory with that name waits for its caches.
func WaitsForFactory(method string) bool { return method == WaitForCacheSync || method == factorySync }

// GetsInformer reports whether fn asks a cache of controller-runtime for an informer.
func GetsInformer(fn *types.Func) bool {
	s := SymbolOf(fn)
	return s.Pkg == CRCache && s.Recv != "" && strings.HasPrefix(s.Name, "GetInformer")
}
