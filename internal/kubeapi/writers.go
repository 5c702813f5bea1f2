package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

const (
	apiMeta        = "k8s.io/apimachinery/pkg/api/meta"
	unstructured   = "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kubeController = "k8s.io/kubernetes/pkg/controller"
	runtimePkg     = "k8s.io/apimachinery/pkg/runtime"
)

// A writer is a function of a library that writes to what an argument leads to.
type writer struct {
	arg  int // its index, receiver first
	what string
}

// writers are functions of libraries that write.
var writers = map[Symbol]writer{
	{Pkg: ControllerUtil, Name: "AddFinalizer"}:           {0, "Finalizers"},
	{Pkg: ControllerUtil, Name: "RemoveFinalizer"}:        {0, "Finalizers"},
	{Pkg: ControllerUtil, Name: "SetControllerReference"}: {1, "OwnerReferences"},
	{Pkg: ControllerUtil, Name: "SetOwnerReference"}:      {1, "OwnerReferences"},
	{Pkg: ControllerUtil, Name: "RemoveOwnerReference"}:   {1, "OwnerReferences"},
	{Pkg: MetaV1, Name: "SetMetaDataAnnotation"}:          {0, "Annotations"},
	{Pkg: MetaV1, Name: "SetMetaDataLabel"}:               {0, "Labels"},
	{Pkg: apiMeta, Name: "SetStatusCondition"}:            {0, "Conditions"},
	{Pkg: apiMeta, Name: "RemoveStatusCondition"}:         {0, "Conditions"},
	{Pkg: unstructured, Name: "SetNestedField"}:           {0, "a field"},
	{Pkg: unstructured, Name: "SetNestedMap"}:             {0, "a field"},
	{Pkg: unstructured, Name: "SetNestedSlice"}:           {0, "a field"},
	{Pkg: unstructured, Name: "SetNestedStringMap"}:       {0, "a field"},
	{Pkg: unstructured, Name: "SetNestedStringSlice"}:     {0, "a field"},
	{Pkg: unstructured, Name: "RemoveNestedField"}:        {0, "a field"},
	{Pkg: "encoding/json", Name: "Unmarshal"}:             {1, "the fields"},
	{Pkg: "sort", Name: "Sort"}:                           {0, "the elements"},
	{Pkg: "sort", Name: "Stable"}:                         {0, "the elements"},
	{Pkg: "sort", Name: "Strings"}:                        {0, "the elements"},
	{Pkg: "sort", Name: "Slice"}:                          {0, "the elements"},
	{Pkg: "sort", Name: "SliceStable"}:                    {0, "the elements"},
	{Pkg: "slices", Name: "Sort"}:                         {0, "the elements"},
	{Pkg: "slices", Name: "SortFunc"}:                     {0, "the elements"},
	{Pkg: "slices", Name: "SortStableFunc"}:               {0, "the elements"},
	{Pkg: "slices", Name: "Reverse"}:                      {0, "the elements"},
	{Pkg: "slices", Name: "Delete"}:                       {0, "the elements"},
	{Pkg: "slices", Name: "DeleteFunc"}:                   {0, "the elements"},
	{Pkg: "maps", Name: "Copy"}:                           {0, "the entries"},
	{Pkg: "maps", Name: "DeleteFunc"}:                     {0, "the entries"},
}

// A Writing is what a function of a library writes to.
type Writing struct {
	Arg  int // receiver first
	What string
	// Deep: it writes not only to what the argument points to, but to what a map or a slice there leads to.
	Deep   bool
	Setter bool // a method of the object that is called as what it sets
}

// WritesTo is the argument whose memory fn, a function of a library, writes to.
func WritesTo(fn *types.Func) (Writing, bool) {
	switch {
	case fn == nil:
		return Writing{}, false
	case IsSetter(fn):
		return Writing{What: strings.TrimPrefix(fn.Name(), "Set"), Setter: true}, true
	case CopiesInto(fn):
		return Writing{Arg: 1, What: "the fields"}, true
	}
	w, ok := writers[SymbolOf(fn)]
	return Writing{Arg: w.arg, What: w.what, Deep: ok && deepWriters[fn.Name()]}, ok
}

// deepWriters are those of writers that change the entries of a map, or the elements of a slice, where there is one.
var deepWriters = map[string]bool{
	"SetMetaDataAnnotation": true, "SetMetaDataLabel": true, "SetStatusCondition": true,
}

// getters are the methods of metav1.Object that give what their counterparts set.
var getters = map[string]bool{
	"Annotations": true, "Labels": true, "Generation": true, "DeletionTimestamp": true, "ResourceVersion": true, "Finalizers": true,
	"OwnerReferences": true, "Name": true, "GenerateName": true, "Namespace": true, "UID": true, "ManagedFields": true, "CreationTimestamp": true,
	"DeletionGracePeriodSeconds": true, "SelfLink": true,
}

// IsSetter reports whether fn is a method of metav1.Object that writes to it, or one that sets the kind, or the content.
func IsSetter(fn *types.Func) bool {
	sig := fn.Signature()
	what, set := strings.CutPrefix(fn.Name(), "Set")
	if !set || sig.Recv() == nil || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	switch what {
	case "GroupVersionKind", "UnstructuredContent":
		return fn.Pkg() != nil && IsLibrary(fn.Pkg().Path())
	case "APIVersion", "Kind":
		return IsType(sig.Recv().Type(), unstructured, "Unstructured")
	}
	return getters[what]
}

// IsGetter reports whether fn is a method of metav1.Object that gives out what the object has.
func IsGetter(fn *types.Func) bool {
	what, get := strings.CutPrefix(fn.Name(), "Get")
	return get && getters[what] && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0
}

// CopiesInto reports whether fn is x.DeepCopyInto(y), as deepcopy-gen makes it.
func CopiesInto(fn *types.Func) bool {
	return fn.Name() == "DeepCopyInto" && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 1
}

// IsDeepCopy reports whether fn gives a copy of its receiver that has nothing in common with it, as deepcopy-gen makes it.
func IsDeepCopy(fn *types.Func) bool {
	return fn != nil && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0 && (fn.Name() == "DeepCopy" || fn.Name() == "DeepCopyObject")
}

// aliases are functions of libraries whose first result leads into the memory of their argument of that index.
var aliases = map[Symbol]int{
	{Pkg: apiMeta, Name: "Accessor"}:                                                                        0,
	{Pkg: MetaV1, Recv: "ObjectMeta", Name: "GetObjectMeta"}:                                                0,
	{Pkg: MetaV1, Recv: "ObjectMetaAccessor", Name: "GetObjectMeta"}:                                        0,
	{Pkg: MetaV1, Recv: "TypeMeta", Name: "GetObjectKind"}:                                                  0,
	{Pkg: "k8s.io/apimachinery/pkg/runtime", Recv: "Object", Name: "GetObjectKind"}:                         0,
	{Pkg: unstructured, Recv: "Unstructured", Name: "UnstructuredContent"}:                                  0,
	{Pkg: runtimePkg, Recv: "Unstructured", Name: "UnstructuredContent"}:                                    0,
	{Pkg: unstructured, Name: "NestedFieldNoCopy"}:                                                          0,
	{Pkg: apiMeta, Name: "FindStatusCondition"}:                                                             0,
	{Pkg: MetaV1, Name: "GetControllerOfNoCopy"}:                                                            0,
	{Pkg: kubeController, Recv: "PodControllerRefManager", Name: "ClaimPods"}:                               ofResult,
	{Pkg: kubeController, Recv: "ReplicaSetControllerRefManager", Name: "ClaimReplicaSets"}:                 ofResult,
	{Pkg: kubeController, Recv: "ControllerRevisionControllerRefManager", Name: "ClaimControllerRevisions"}: ofResult,
}

// ofResult stands for the argument that is of the type of the result: versions differ in what comes before it.
const ofResult = -1

// Alias says what a function of a library gives of an argument.
type Alias struct {
	Arg int
	// Content: it does so for an Unstructured alone, of which it gives the content.
	Content bool
	Within  bool // what comes is inside of what the argument points to, behind another reference: a map, a slice, a pointer
}

// AliasOf is the argument into whose memory the first result of call, of a function of a library, leads; v is the value that comes
// as the argument, as it was before it was put into an interface: an Unstructured gives out copies of its labels, and is itself
// handed on by a converter, where other objects are written out anew.
func AliasOf(call *ssa.CallCommon, v ssa.Value) (a Alias, ok bool) {
	fn := flow.Callee(call)
	if fn == nil {
		return Alias{}, false
	}
	if IsGetter(fn) {
		return Alias{Within: true}, !IsUnstructured(v.Type())
	}
	if fn.Name() == "ToUnstructured" && fn.Pkg() != nil && SamePackage(fn.Pkg().Path(), runtimePkg) {
		return Alias{Arg: len(flow.AllArgs(call)) - 1, Within: true, Content: true}, MayBeUnstructured(v.Type())
	}
	arg, ok := aliases[SymbolOf(fn)]
	if arg == ofResult {
		arg = slices.IndexFunc(flow.AllArgs(call), func(v ssa.Value) bool { return types.Identical(v.Type(), fn.Signature().Results().At(0).Type()) })
	}
	within := fn.Name() == "UnstructuredContent" || fn.Name() == "FindStatusCondition" || fn.Name() == "GetControllerOfNoCopy"
	return Alias{Arg: arg, Within: within}, ok
}

// MayBeUnstructured reports whether an object of type t may have a map for its content.
func MayBeUnstructured(t types.Type) bool {
	return types.IsInterface(t) || IsUnstructured(t)
}

// IsUnstructured reports whether t is the type of objects whose content is a map.
func IsUnstructured(t types.Type) bool { return IsType(t, unstructured, "Unstructured") }
