package kubeapi

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// IsInformerFactory reports whether t is an informer factory, of whatever client: it starts informers and waits for them.
func IsInformerFactory(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !types.IsInterface(n) {
		return false
	}
	start, sync := Method(n, "Start"), Method(n, "WaitForCacheSync")
	if start == nil || sync == nil || start.Signature().Results().Len() != 0 || sync.Signature().Results().Len() != 1 {
		return false
	}
	_, ok = sync.Signature().Results().At(0).Type().Underlying().(*types.Map)
	return ok
}

// IsInformer reports whether t is a shared informer, not the generated accessor of one.
func IsInformer(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && types.IsInterface(n) && Method(n, "HasSynced") != nil && Method(n, "Run") != nil
}

// Method is the exported method of t, or of a pointer to it, with that name; nil where there is none.
func Method(t types.Type, name string) *types.Func {
	if _, isPtr := types.Unalias(t).(*types.Pointer); !isPtr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	m, _ := obj.(*types.Func)
	return m
}

// HandlerRegistration is the kind of the objects that call, which sets up an informer of client-go or adds a handler to one, hands to the
// argument handler; nil where it does neither, or the kind is not known.
func HandlerRegistration(call *ssa.CallCommon) (kind types.Type, handler ssa.Value) {
	callee, args := SymbolOf(flow.Callee(call)), flow.Args(call)
	switch {
	case callee.Pkg == Cache && callee.Recv == "" && (callee.Name == "NewInformer" || callee.Name == "NewIndexerInformer") && len(args) > 3:
		return watchedKind(args[1]), args[3]
	case callee.Pkg == Cache && (callee.Name == "AddEventHandler" || callee.Name == "AddEventHandlerWithResyncPeriod") && len(args) > 0:
		return informed(flow.Resolve(flow.Recv(call))), args[0]
	}
	return nil, nil
}

// informed is the kind of which the shared informer v tells: what it was made for, or what the lister beside its accessor lists.
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
	case "Informer":
		if recv := flow.Recv(&call.Call); recv != nil && len(args) == 0 {
			return ofLister(result(Method(recv.Type(), "Lister")))
		}
	}
	return nil
}

// ofLister is what the lister of type t lists, nil where it is none of those that are generated for each kind.
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

// result is the first result of fn, nil where there is none.
func result(fn *types.Func) types.Type {
	if fn == nil || fn.Signature().Results().Len() == 0 {
		return nil
	}
	return types.Unalias(fn.Signature().Results().At(0).Type())
}
