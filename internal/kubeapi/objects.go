package kubeapi

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// IsObject reports whether t is an object of the cluster: it has the methods of metav1.Object. A list has some of
// them, too.
func IsObject(t types.Type) bool {
	return HasMethod(t, "SetFinalizers") && HasMethod(t, "GetDeletionTimestamp")
}

// TakesObject reports whether fn is given an object of the cluster: what it does is for each of many.
func TakesObject(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return IsObject(p.Type()) })
}

// TakesManager reports whether fn is given a manager, which it sets up: nothing of that runs yet.
func TakesManager(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return IsType(p.Type(), Manager, "Manager") })
}

// MakesPlugin reports whether a function of that signature makes a plugin of the scheduler, which it gets the handle
// of.
func MakesPlugin(sig *types.Signature) bool {
	of := func(t types.Type, name string) bool {
		return slices.ContainsFunc(schedulers, func(pkg string) bool { return IsType(t, pkg, name) })
	}
	return sig.Results().Len() == 2 && of(sig.Results().At(0).Type(), "Plugin") &&
		flow.Any(sig.Params().Variables(), func(p *types.Var) bool { return of(p.Type(), "Handle") })
}

// schedulers are the packages of the scheduler's interfaces: the second since v0.34.
var schedulers = []string{"k8s.io/kubernetes/pkg/scheduler/framework", "k8s.io/kube-scheduler/framework"}

// ReconcileOf returns the method Reconcile of n, nil if it has none.
func ReconcileOf(n *types.Named) *types.Func { return Method(types.NewPointer(n), ReconcileName) }

// IsReconcile reports whether fn is the method Reconcile of a controller-runtime reconciler. It had no context before
// v0.7.
func IsReconcile(fn *types.Func) bool {
	if fn == nil || fn.Name() != ReconcileName {
		return false
	}
	sig := fn.Type().(*types.Signature)
	return sig.Recv() != nil && sig.Params().Len() > 0 && sig.Results().Len() == 2 && IsType(sig.Results().At(0).Type(), Reconcile, "Result")
}

// IsAny reports whether t is an interface that every type implements.
func IsAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	return ok && i.Empty()
}

// OneKind returns the kind that t is, or points to; nil for types of any kind, as interfaces and Unstructured.
func OneKind(t types.Type) *types.Named {
	n := Named(t)
	if n == nil || types.IsInterface(n) || n.Obj().Name() == "Unstructured" || n.Obj().Name() == "PartialObjectMetadata" {
		return nil
	}
	return n
}

// FinalizesParam returns the index of the deleted object among the parameters of fn, without the receiver, if fn is a
// method that a library calls for one, and that keeps the finalizer by failing: FinalizeKind of Knative's generated
// reconcilers, Finalize of controller-runtime's registry of finalizers, RemoveFinalizer of Crossplane's. Less than 0
// for others.
func FinalizesParam(fn *types.Func) int {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() != 2 || !IsContext(sig.Params().At(0).Type()) || sig.Results().Len() == 0 {
		return -1
	}
	n, res, obj := sig.Results().Len(), sig.Results().At(0).Type(), sig.Params().At(1).Type()
	switch fn.Name() {
	case "FinalizeKind":
		if n == 1 && IsType(res, "knative.dev/pkg/reconciler", "Event") {
			return 1
		}
	case "Finalize":
		if n == 2 && IsType(obj, Client, "Object") && IsType(res, ControllerRuntime+"/pkg/finalizer", "Result") {
			return 1
		}
	case "RemoveFinalizer":
		if n == 1 && IsType(obj, "github.com/crossplane/crossplane-runtime/pkg/resource", "Object") {
			return 1
		}
	}
	return -1
}

// IsResult reports whether t is reconcile.Result, or a struct like it.
func IsResult(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && flow.Any(s.Fields(), func(f *types.Var) bool {
		return f.Name() == requeueAfter && IsType(f.Type(), "time", "Duration")
	})
}

const requeueAfter = "RequeueAfter"

// RequeueField reports whether fa is the address of a field of a Result that asks for another run.
func RequeueField(fa *ssa.FieldAddr) bool {
	name := flow.Field(fa.X.Type(), fa.Field).Name()
	return (name == requeueAfter || name == "Requeue") && IsResult(flow.Pointee(fa.X.Type()))
}

// IsReader reports whether fn is a method of a client that reads only.
func IsReader(fn *types.Func) bool { return SymbolOf(fn).Pkg == Client && RecvName(fn) == "Reader" }

// WritesObjects reports whether t can write objects: a client of controller-runtime, or a client set.
func WritesObjects(t types.Type) bool {
	return HasMethod(t, "Update") && HasMethod(t, "Patch") || HasMethod(t, "CoreV1") || HasMethod(t, "RESTClient")
}

// ItemOf returns the type of the Items of the list that t is, or points to; nil for other types.
func ItemOf(t types.Type) types.Type {
	list, ok := flow.Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range list.Fields() {
		if items, ok := f.Type().Underlying().(*types.Slice); ok && f.Name() == "Items" {
			return items.Elem()
		}
	}
	return nil
}
