package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
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

// WritesTo returns the argument whose memory fn, a function of a library, writes to.
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

// deepWriters are those of writers that change the entries of a map, or the elements of a slice.
var deepWriters = map[string]bool{
	"SetMetaDataAnnotation": true, "SetMetaDataLabel": true, "SetStatusCondition": true,
}

// CopiesInto reports whether fn is x.DeepCopyInto(y), as deepcopy-gen makes it.
func CopiesInto(fn *types.Func) bool {
	return fn.Name() == "DeepCopyInto" && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 1
}

// NamesCopy reports whether a function of that name copies an object, or makes of it what loggers print.
func NamesCopy(name string) bool {
	return strings.HasPrefix(name, "DeepCopy") || strings.HasPrefix(name, "KObj") || strings.HasPrefix(name, "KRef")
}

// IsDeepCopy reports whether fn returns a deep copy of its receiver, as deepcopy-gen makes it.
func IsDeepCopy(fn *types.Func) bool {
	return fn != nil && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0 && (fn.Name() == "DeepCopy" || fn.Name() == "DeepCopyObject")
}

// aliases are functions of libraries whose first result leads into the memory of their argument of that index.
var aliases = map[Symbol]int{
	{Pkg: apiMeta, Name: "Accessor"}:                                                                        0,
	{Pkg: MetaV1, Recv: "ObjectMeta", Name: "GetObjectMeta"}:                                                0,
	{Pkg: MetaV1, Recv: "ObjectMetaAccessor", Name: "GetObjectMeta"}:                                        0,
	{Pkg: MetaV1, Recv: "TypeMeta", Name: "GetObjectKind"}:                                                  0,
	{Pkg: runtimePkg, Recv: "Object", Name: "GetObjectKind"}:                                                0,
	{Pkg: unstructured, Name: "NestedFieldNoCopy"}:                                                          0,
	{Pkg: apiMeta, Name: "FindStatusCondition"}:                                                             0,
	{Pkg: MetaV1, Name: "GetControllerOfNoCopy"}:                                                            0,
	{Pkg: kubeController, Recv: "PodControllerRefManager", Name: "ClaimPods"}:                               ofResult,
	{Pkg: kubeController, Recv: "ReplicaSetControllerRefManager", Name: "ClaimReplicaSets"}:                 ofResult,
	{Pkg: kubeController, Recv: "ControllerRevisionControllerRefManager", Name: "ClaimControllerRevisions"}: ofResult,
}

// FromUnstructured reports whether fn makes a typed object, its second argument, of the content of an Unstructured.
func FromUnstructured(fn *types.Func) bool {
	return fn.Name() == "FromUnstructured" && SymbolOf(fn).Pkg == runtimePkg
}

// ofResult stands for the argument of the type of the result: its index differs between versions.
const ofResult = -1

// Alias says what a function of a library returns of an argument.
type Alias struct {
	Arg int
	// Content: it does so for an Unstructured alone, of which it returns the content.
	Content bool
	Within  bool // the result is behind another reference in what the argument points to
}

// AliasOf returns the argument that the first result of call, of a library, aliases; v is the argument without its
// conversion to an interface: an Unstructured returns copies of its labels, and is returned by a converter, which
// copies other objects.
func AliasOf(call *ssa.CallCommon, v ssa.Value) (a Alias, ok bool) {
	fn := flow.Callee(call)
	if fn == nil {
		return Alias{}, false
	}
	if GetterOf(fn) != "" {
		return Alias{Within: true}, !Unstructured.Is(v.Type())
	}
	if fn.Name() == "ToUnstructured" && SymbolOf(fn).Pkg == runtimePkg {
		return Alias{Arg: len(flow.AllArgs(call)) - 1, Within: true, Content: true}, MayBeUnstructured(v.Type())
	}
	arg, ok := aliases[SymbolOf(fn)]
	ok = ok || Content.Has(fn)
	if arg == ofResult {
		arg = slices.IndexFunc(flow.AllArgs(call), func(v ssa.Value) bool { return types.Identical(v.Type(), fn.Signature().Results().At(0).Type()) })
	}
	within := Content.Has(fn) || fn.Name() == "FindStatusCondition" || fn.Name() == "GetControllerOfNoCopy"
	return Alias{Arg: arg, Within: within}, ok
}

// MayBeUnstructured reports whether an object of type t may have a map for its content.
func MayBeUnstructured(t types.Type) bool {
	return types.IsInterface(t) || Unstructured.Is(t)
}

// ContentSel is the field of an Unstructured with its content, as a selector.
const ContentSel = ".Object"

// lookers are functions that do not write the objects that they are given, beside those that make patches.
var lookers = union(symbols(ControllerUtil, "AddFinalizer RemoveFinalizer ContainsFinalizer SetControllerReference SetOwnerReference RemoveOwnerReference"),
	symbols(MetaV1, "NewControllerRef"))

// OnlyInMemory reports whether fn, of a library, asks no server about the objects that it gets.
func OnlyInMemory(fn *types.Func) bool {
	return lookers.Has(fn) || DiffPatches.Has(fn) || MakesKey(fn) || Accessor.Has(fn)
}
