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

// CopiesInto reports whether fn is x.DeepCopyInto(y), as deepcopy-gen makes it.
func CopiesInto(fn *types.Func) bool {
	return fn.Name() == "DeepCopyInto" && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 1
}

// NamesCopy reports whether a function of that name copies an object, or makes of it what loggers print.
func NamesCopy(name string) bool {
	return strings.HasPrefix(name, "DeepCopy") || strings.HasPrefix(name, "KObj") || strings.HasPrefix(name, "KRef")
}

// CopyOf is the method DeepCopy of t, nil if it has none.
func CopyOf(t types.Type) *types.Func { return Method(t, "DeepCopy") }

// IsDeepCopy reports whether fn gives a copy of its receiver that has nothing in common with it, as deepcopy-gen makes it.
func IsDeepCopy(fn *types.Func) bool {
	return fn != nil && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0 && (fn.Name() == "DeepCopy" || fn.Name() == "DeepCopyObject")
}

// aliases are functions of libraries whose first result leads into the memory of their argument of that index.
var aliases = map[Symbol]int{
	accessor: 0,
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

// accessor gives an object's metadata.
var accessor = Symbol{Pkg: apiMeta, Name: "Accessor"}

// IsAccessor reports whether fn is meta.Accessor.
func IsAccessor(fn *types.Func) bool { return accessor.Is(fn) }

var givesContent = union(symbols(unstructured, "Unstructured.UnstructuredContent"), symbols(runtimePkg, "Unstructured.UnstructuredContent"))

// GivesContent reports whether fn gives the content of an Unstructured.
func GivesContent(fn *types.Func) bool { return givesContent.has(fn) }

// FromUnstructured reports whether fn makes a typed object, its second argument, of the content of an Unstructured.
func FromUnstructured(fn *types.Func) bool {
	return fn.Name() == "FromUnstructured" && fn.Pkg() != nil && SamePackage(fn.Pkg().Path(), runtimePkg)
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
	if GetterOf(fn) != "" {
		return Alias{Within: true}, !IsUnstructured(v.Type())
	}
	if fn.Name() == "ToUnstructured" && fn.Pkg() != nil && SamePackage(fn.Pkg().Path(), runtimePkg) {
		return Alias{Arg: len(flow.AllArgs(call)) - 1, Within: true, Content: true}, MayBeUnstructured(v.Type())
	}
	arg, ok := aliases[SymbolOf(fn)]
	ok = ok || GivesContent(fn)
	if arg == ofResult {
		arg = slices.IndexFunc(flow.AllArgs(call), func(v ssa.Value) bool { return types.Identical(v.Type(), fn.Signature().Results().At(0).Type()) })
	}
	within := GivesContent(fn) || fn.Name() == "FindStatusCondition" || fn.Name() == "GetControllerOfNoCopy"
	return Alias{Arg: arg, Within: within}, ok
}

// MayBeUnstructured reports whether an object of type t may have a map for its content.
func MayBeUnstructured(t types.Type) bool {
	return types.IsInterface(t) || IsUnstructured(t)
}

// IsUnstructured reports whether t is the type of objects whose content is a map.
func IsUnstructured(t types.Type) bool { return IsType(t, unstructured, "Unstructured") }

// ContentSel is the field of an Unstructured with its content, as a selector.
const ContentSel = ".Object"

// RemovesNestedField reports whether fn removes a field of the content of an Unstructured: its first argument, at the path of the others.
func RemovesNestedField(fn *types.Func) bool {
	return Symbol{Pkg: unstructured, Name: "RemoveNestedField"}.Is(fn)
}

var givesController = symbols(MetaV1, "GetControllerOf")

// GivesController reports whether fn gives a copy of the reference to the controller of an object.
func GivesController(fn *types.Func) bool { return givesController.has(fn) }

var (
	diffs = symbols(Client, "MergeFrom MergeFromWithOptions StrategicMergeFrom")
	raws  = symbols(Client, "RawPatch ConstantPatch")
	// lookers are functions beside them that do not write the objects that they are given.
	lookers = union(diffs, symbols(ControllerUtil, "AddFinalizer RemoveFinalizer ContainsFinalizer SetControllerReference SetOwnerReference RemoveOwnerReference"),
		symbols(MetaV1, "NewControllerRef"))
)

// DiffsPatch reports whether fn makes a patch of what differs from the object that it is given.
func DiffsPatch(fn *types.Func) bool { return diffs.has(fn) }

// RawPatch reports whether fn makes a patch of a type, its first argument, and bytes, its second one.
func RawPatch(fn *types.Func) bool { return raws.has(fn) }

// OnlyInMemory reports whether fn, of a library, asks no server about the objects that it is given.
func OnlyInMemory(fn *types.Func) bool { return lookers.has(fn) || MakesKey(fn) || IsAccessor(fn) }
