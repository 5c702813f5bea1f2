package kubeapi

import "go/types"

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
