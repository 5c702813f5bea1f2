package kubeapi

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// IsObject reports whether t is an object of the cluster: it has the methods of metav1.Object. A list has some of them, too.
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

// IsEvent reports whether t is an event of controller-runtime: kind is Create, Update, Delete or Generic, or empty for any.
func IsEvent(t types.Type, kind string) bool {
	n := Named(t)
	return n != nil && n.Obj().Pkg() != nil && SamePackage(n.Obj().Pkg().Path(), Event) && strings.HasSuffix(n.Obj().Name(), kind+"Event")
}

// MakesPlugin reports whether a function of that signature is one with which the scheduler makes a plugin of its, once, before it begins to work: it is
// given the scheduler's handle, and gives the plugin.
func MakesPlugin(sig *types.Signature) bool {
	of := func(t types.Type, name string) bool {
		n := Named(t)
		return n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil && slices.Contains(schedulers, n.Obj().Pkg().Path())
	}
	if sig.Results().Len() != 2 || !of(sig.Results().At(0).Type(), "Plugin") {
		return false
	}
	return slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool { return of(p.Type(), "Handle") })
}

// schedulers are where the scheduler has had its interfaces: the second since v0.34.
var schedulers = []string{"k8s.io/kubernetes/pkg/scheduler/framework", "k8s.io/kube-scheduler/framework"}

// IsReconcile reports whether fn is the method Reconcile of a controller-runtime reconciler. It had no context before v0.7.
func IsReconcile(fn *types.Func) bool {
	if fn == nil || fn.Name() != "Reconcile" {
		return false
	}
	sig := fn.Type().(*types.Signature)
	return sig.Recv() != nil && sig.Params().Len() > 0 && sig.Results().Len() == 2 && IsType(sig.Results().At(0).Type(), Reconcile, "Result")
}

// DeletionOf is the object whose deletion timestamp v is: x of x.DeletionTimestamp and x.GetDeletionTimestamp(), through the
// metadata that it embeds.
func DeletionOf(v ssa.Value) (obj ssa.Value, ok bool) {
	switch v := flow.Resolve(v).(type) {
	case *ssa.Call:
		if fn := flow.Callee(&v.Call); fn != nil && fn.Name() == "GetDeletionTimestamp" {
			return MetadataOwner(flow.Recv(&v.Call)), true
		}
	case *ssa.UnOp:
		if fa, isField := v.X.(*ssa.FieldAddr); isField && v.Op == token.MUL && MetadataField(fa) == "DeletionTimestamp" {
			return MetadataOwner(fa.X), true
		}
	}
	return nil, false
}

// IsDeletionTime reports whether v is the deletion timestamp of some object.
func IsDeletionTime(v ssa.Value) bool {
	_, ok := DeletionOf(v)
	return ok
}

// MetadataField is the field of metav1.ObjectMeta whose address fa is, "" for other fields.
func MetadataField(fa *ssa.FieldAddr) string {
	if f := flow.Field(fa.X.Type(), fa.Field); f != nil && IsType(fa.X.Type(), MetaV1, "ObjectMeta") {
		return f.Name()
	}
	return ""
}

// MetadataOwner is the object whose metadata v is, or v.
func MetadataOwner(v ssa.Value) ssa.Value {
	v = flow.Unwrap(v)
	if fa, ok := v.(*ssa.FieldAddr); ok && IsType(fa.Type(), MetaV1, "ObjectMeta") {
		return fa.X
	}
	return v
}

// AlwaysSetOf is the object of which v is metadata, or its address, that each object has as soon as the server has it; nil for other values.
func AlwaysSetOf(v ssa.Value) ssa.Value {
	set := func(field string) bool {
		return field == "ResourceVersion" || field == "UID" || field == "CreationTimestamp"
	}
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		if set(MetadataField(v)) {
			return MetadataOwner(v.X)
		}
	case *ssa.Call:
		if fn := flow.Callee(&v.Call); fn != nil && IsGetter(fn) && set(fn.Name()[len("Get"):]) {
			return MetadataOwner(flow.Recv(&v.Call))
		}
	}
	return nil
}

// IsAny reports whether t is an interface that every type implements.
func IsAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	return ok && i.Empty()
}

// OneKind is the type of objects that t is, or points to; nil for those that are of any kind, as an interface is, or an Unstructured.
func OneKind(t types.Type) *types.Named {
	n := Named(t)
	if n == nil || types.IsInterface(n) || n.Obj().Name() == "Unstructured" || n.Obj().Name() == "PartialObjectMetadata" {
		return nil
	}
	return n
}

// FinalizesParam is the parameter of the method fn, the receiver not counted, that is a deleted object, which keeps its finalizer where fn fails, as a library calls it: the
// FinalizeKind of Knative's generated reconcilers, the Finalize of controller-runtime's registry of finalizers, and the RemoveFinalizer of Crossplane's. Less than 0 for others.
func FinalizesParam(fn *types.Func) int {
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() != 2 || !IsContext(sig.Params().At(0).Type()) {
		return -1
	}
	res, obj := sig.Results(), sig.Params().At(1).Type()
	switch fn.Name() {
	case "FinalizeKind":
		if res.Len() == 1 && IsType(res.At(0).Type(), "knative.dev/pkg/reconciler", "Event") {
			return 1
		}
	case "Finalize":
		if res.Len() == 2 && IsType(obj, ControllerRuntime+"/pkg/client", "Object") && IsType(res.At(0).Type(), ControllerRuntime+"/pkg/finalizer", "Result") {
			return 1
		}
	case "RemoveFinalizer":
		if res.Len() == 1 && IsType(obj, "github.com/crossplane/crossplane-runtime/pkg/resource", "Object") {
			return 1
		}
	}
	return -1
}

// AsksAlive reports whether v asks an object's deletion timestamp whether it is zero: it is true of an object that is not being deleted.
func AsksAlive(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	fn := flow.Callee(&call.Call)
	args := flow.AllArgs(&call.Call)
	return fn != nil && fn.Name() == "IsZero" && len(args) == 1 && IsDeletionTime(args[0])
}
