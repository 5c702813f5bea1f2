package kubeapi

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// ObjectMeta is the type of metadata, and the field of an object that it is embedded as.
const ObjectMeta = "ObjectMeta"

// NamesAnyObject reports whether a type of that name is of objects of any kind, or of their metadata.
func NamesAnyObject(name string) bool { return name == "Object" || name == ObjectMeta }

// A Meta is a field of metav1.ObjectMeta.
type Meta string

// Fields of metav1.ObjectMeta.
const (
	MetaAnnotations       Meta = "Annotations"
	MetaCreationTimestamp Meta = "CreationTimestamp"
	MetaDeletionTimestamp Meta = "DeletionTimestamp"
	MetaFinalizers        Meta = "Finalizers"
	MetaGeneration        Meta = "Generation"
	MetaLabels            Meta = "Labels"
	MetaName              Meta = "Name"
	MetaNamespace         Meta = "Namespace"
	MetaOwnerReferences   Meta = "OwnerReferences"
	MetaResourceVersion   Meta = "ResourceVersion"
	MetaUID               Meta = "UID"
)

// metaFields have a getter and a setter in metav1.Object.
var metaFields = []Meta{
	MetaAnnotations, MetaCreationTimestamp, MetaDeletionTimestamp, MetaFinalizers, MetaGeneration, MetaLabels, MetaName, MetaNamespace,
	MetaOwnerReferences, MetaResourceVersion, MetaUID, "DeletionGracePeriodSeconds", "GenerateName", "ManagedFields", "SelfLink",
}

// GetterOf returns the field that fn, a method of metav1.Object, returns; "" for other functions.
func GetterOf(fn *types.Func) Meta {
	if fn == nil || fn.Signature().Recv() == nil || fn.Signature().Params().Len() != 0 {
		return ""
	}
	return accessed(fn, "Get")
}

// SetterOf returns the field that fn, a method of metav1.Object, sets; "" for other functions.
func SetterOf(fn *types.Func) Meta {
	if fn == nil || fn.Signature().Recv() == nil || fn.Signature().Params().Len() != 1 || fn.Signature().Results().Len() != 0 {
		return ""
	}
	return accessed(fn, "Set")
}

func accessed(fn *types.Func, prefix string) Meta {
	field, ok := strings.CutPrefix(fn.Name(), prefix)
	if !ok || !slices.Contains(metaFields, Meta(field)) {
		return ""
	}
	return Meta(field)
}

// IsMeta reports whether metav1.ObjectMeta has a field of that name.
func IsMeta(name string) bool { return slices.Contains(metaFields, Meta(name)) }

// IsSetter reports whether fn is a method of metav1.Object that writes to it, or one that sets the kind, or the
// content.
func IsSetter(fn *types.Func) bool {
	if SetterOf(fn) != "" {
		return true
	}
	recv := fn.Signature().Recv()
	switch fn.Name() {
	case "SetGroupVersionKind", "SetUnstructuredContent":
		return recv != nil && fn.Pkg() != nil && IsLibrary(fn.Pkg().Path())
	}
	return SetsKind(fn) && Unstructured.Is(recv.Type())
}

// SetsKind reports whether fn is a method that says only what kind an object is.
func SetsKind(fn *types.Func) bool {
	switch fn.Name() {
	case "SetGroupVersionKind", "SetKind", "SetAPIVersion":
		return fn.Signature().Recv() != nil
	}
	return false
}

// IsObjectMeta reports whether t, or what it points to, is metav1.ObjectMeta.
func IsObjectMeta(t types.Type) bool { return IsType(t, MetaV1, ObjectMeta) }

// MetadataField returns the field of metav1.ObjectMeta whose address fa is, "" for other fields.
func MetadataField(fa *ssa.FieldAddr) Meta {
	if f := flow.Field(fa.X.Type(), fa.Field); f != nil && IsObjectMeta(fa.X.Type()) {
		return Meta(f.Name())
	}
	return ""
}

// MetadataOwner returns the object whose metadata v is, or v.
func MetadataOwner(v ssa.Value) ssa.Value {
	v = flow.Unwrap(v)
	if fa, ok := v.(*ssa.FieldAddr); ok && IsObjectMeta(fa.Type()) {
		return fa.X
	}
	return v
}

// MetaRead returns the field of metadata that v reads, as obj.Name or obj.GetName(), and the object; "" for other
// values.
func MetaRead(v ssa.Value) (field Meta, obj ssa.Value) {
	switch v := v.(type) {
	case *ssa.Call:
		if field := GetterOf(flow.Callee(&v.Call)); field != "" {
			return field, MetadataOwner(flow.Recv(&v.Call))
		}
	case *ssa.UnOp:
		if fa, isField := v.X.(*ssa.FieldAddr); isField && v.Op == token.MUL && MetadataField(fa) != "" {
			return MetadataField(fa), MetadataOwner(fa.X)
		}
	}
	return "", nil
}

// MetaWrite returns the field of metadata that in sets, as obj.Name = val or obj.SetName(val), with the object and
// the new value; "" for other instructions.
func MetaWrite(in ssa.Instruction) (field Meta, obj, val ssa.Value) {
	switch in := in.(type) {
	case *ssa.Store:
		if fa, ok := in.Addr.(*ssa.FieldAddr); ok && MetadataField(fa) != "" {
			return MetadataField(fa), MetadataOwner(fa.X), in.Val
		}
	case ssa.CallInstruction:
		if field := SetterOf(flow.Callee(in.Common())); field != "" {
			return field, MetadataOwner(flow.Recv(in.Common())), flow.Args(in.Common())[0]
		}
	}
	return "", nil, nil
}

// DeletionOf returns the object whose deletion timestamp v is.
func DeletionOf(v ssa.Value) (obj ssa.Value, ok bool) {
	field, obj := MetaRead(flow.Resolve(v))
	if field != MetaDeletionTimestamp {
		return nil, false
	}
	return obj, true
}

// IsDeletionTime reports whether v is the deletion timestamp of some object.
func IsDeletionTime(v ssa.Value) bool {
	_, ok := DeletionOf(v)
	return ok
}

// AsksAlive reports whether v is whether an object's deletion timestamp is zero.
func AsksAlive(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && AsksZero(flow.Callee(&call.Call)) && IsDeletionTime(flow.AllArgs(&call.Call)[0])
}

// AsksZero reports whether fn is a method IsZero, as of metav1.Time and time.Time.
func AsksZero(fn *types.Func) bool {
	return fn != nil && fn.Name() == "IsZero" && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0
}

// AlwaysSetOf returns the object of which v is metadata, or its address, that the API server returns every object;
// nil for other values.
func AlwaysSetOf(v ssa.Value) ssa.Value {
	field, obj := MetaRead(v)
	if fa, ok := v.(*ssa.FieldAddr); ok {
		field, obj = MetadataField(fa), MetadataOwner(fa.X)
	}
	if field == MetaResourceVersion || field == MetaUID || field == MetaCreationTimestamp {
		return obj
	}
	return nil
}

// IsTimeOrQuantity reports whether t is one of the structs of API types that are copied like numbers.
func IsTimeOrQuantity(t types.Type) bool {
	return IsType(t, MetaV1, "Time") || IsType(t, MetaV1, "MicroTime") || IsType(t, apiMachinery+"/pkg/api/resource", "Quantity")
}

// PartOfObject reports whether the interface t has a method that objects have.
func PartOfObject(t types.Type) bool {
	return HasMethod(t, "GetObjectKind") || HasMethod(t, "GetName") || HasMethod(t, "GroupVersionKind")
}
