package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Setting is what a field of a manager's options decides, or what such a value is.
type Setting uint8

// The settings. A manager's options consist of structs, which are Settings themselves.
const (
	NoSetting    Setting = iota // nothing about caches
	Settings                    // a struct of settings, or a pointer to one
	Namespaces                  // that are held: a name, a slice of them, or a map from them to Settings
	Labels                      // the selector of the labels of what is held
	Fields                      // and of fields
	Transform                   // a function that changes objects before they are held
	ByObject                    // a map from objects to one of the settings above
	DisableFor                  // a slice of objects that the client reads live
	Untyped                     // whether unstructured objects are read through the cache
	Demands                     // whether reads fail for which there is no informer
	NewCache                    // a function that makes the cache
	NewClient                   // a function that makes the client
	OtherSetting                // one that is not followed
)

// settings are the fields of options, by package and type.
var settings = map[Type]map[string]Setting{
	ManagerOptions: {"Cache": Settings, "Client": Settings, "NewCache": NewCache, "NewClient": NewClient, "Namespace": Namespaces, "ClientDisableCacheFor": DisableFor},
	{CRCache, "Options"}: {
		"ByObject": ByObject, "DefaultNamespaces": Namespaces, "DefaultLabelSelector": Labels, "DefaultFieldSelector": Fields,
		"DefaultTransform": Transform, "ReaderFailOnMissingInformer": Demands, "Namespaces": Namespaces,
	},
	{CRCache, "ByObject"}:    {"Namespaces": Namespaces, "Label": Labels, "Field": Fields, "Transform": Transform},
	{CRCache, "Config"}:      {"LabelSelector": Labels, "FieldSelector": Fields, "Transform": Transform},
	{Client, "Options"}:      {"Cache": Settings},
	{Client, "CacheOptions"}: {"DisableFor": DisableFor, "Unstructured": Untyped, "Reader": OtherSetting},
}

// SettingOf returns what the field of a struct of type t decides.
func SettingOf(t types.Type, field string) Setting {
	n := Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return NoSetting
	}
	return settings[Type{Path(n.Obj().Pkg().Path()), n.Obj().Name()}][field]
}

// ManagerOptionsOf returns the options with which call makes a manager, nil for other calls.
func ManagerOptionsOf(call *ssa.CallCommon) ssa.Value {
	if !ManagerMakers.Called(call) || len(call.Args) < 2 {
		return nil
	}
	return call.Args[1]
}

// MakesDefault reports whether v is the function with which a manager makes its cache or client unless told otherwise.
func MakesDefault(v ssa.Value) bool {
	fn, ok := v.(*ssa.Function)
	if !ok {
		return false
	}
	s := SymbolOf(flow.Object(fn))
	return s == Symbol{CRCache, "", "New"} || s == Symbol{Client, "", "New"}
}

// NamespacesOfCache returns the slice of namespaces for which the function v makes a cache, before controller-runtime
// v0.16; nil for other functions.
func NamespacesOfCache(v ssa.Value) ssa.Value {
	if call, ok := v.(*ssa.Call); ok && SymbolOf(flow.Callee(&call.Call)) == (Symbol{CRCache, "", "MultiNamespacedCacheBuilder"}) {
		return call.Call.Args[0]
	}
	return nil
}

// IsOptions reports whether t is one of the structs of which a manager's options consist.
func IsOptions(t types.Type) bool {
	n := Named(t)
	return n != nil && n.Obj().Pkg() != nil && settings[Type{Path(n.Obj().Pkg().Path()), n.Obj().Name()}] != nil
}

// SelectorText returns the selector of labels or fields that v is, as text; "" for one that selects everything. Name
// names what is no constant. It is not known where a function makes it that is none of the library's.
func SelectorText(v ssa.Value, name func(ssa.Value) string) (text string, known bool) {
	v = flow.Resolve(v)
	if flow.IsNil(v) {
		return "", true
	}
	call, _ := flow.ResultOf(v)
	if call == nil {
		return "", false
	}
	callee := SymbolOf(flow.Callee(&call.Call))
	if callee.Pkg != labelsPackage && callee.Pkg != fieldsPackage {
		return "", false
	}
	term := func(v ssa.Value) string {
		if s, ok := ConstantText(v); ok {
			return s
		}
		return name(v)
	}
	args := flow.AllArgs(&call.Call)
	switch callee.Name {
	case "Everything":
		return "", true
	case "OneTermEqualSelector":
		return term(args[0]) + "=" + term(args[1]), true
	case "OneTermNotEqualSelector":
		return term(args[0]) + "!=" + term(args[1]), true
	case "Parse", "ParseSelector", "ParseSelectorOrDie":
		return term(args[0]), true
	case "SelectorFromSet", "SelectorFromValidatedSet", "ValidatedSelectorFromSet", "AsSelector", "AsSelectorPreValidated", "AsValidatedSelector":
		set, ok := flow.Resolve(args[0]).(*ssa.MakeMap)
		if !ok {
			return term(args[0]), true
		}
		var terms []string
		for update := range flow.Referrers[*ssa.MapUpdate](set) {
			terms = append(terms, term(update.Key)+"="+term(update.Value))
		}
		slices.Sort(terms)
		return strings.Join(terms, ","), true
	}
	return "", false
}
