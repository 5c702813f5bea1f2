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

const cacheInternal = CRCache + "/internal"

// settings are the fields of options, since controller-runtime v0.11, by package and type.
var settings = map[Type]map[string]Setting{
	ManagerOptions: {
		"Cache": Settings, "Client": Settings, "NewCache": NewCache, "NewClient": NewClient, "Namespace": Namespaces,
		"ClientDisableCacheFor": DisableFor, "ClientBuilder": OtherSetting,
	},
	{CRCache, "Options"}: {
		"ByObject": ByObject, "DefaultNamespaces": Namespaces, "DefaultLabelSelector": Labels, "DefaultFieldSelector": Fields,
		"DefaultTransform": Transform, "ReaderFailOnMissingInformer": Demands, "Namespace": Namespaces, "Namespaces": Namespaces,
		"SelectorsByObject": ByObject, "DefaultSelector": Settings, "TransformByObject": ByObject,
	},
	{CRCache, "ByObject"}:                {"Namespaces": Namespaces, "Label": Labels, "Field": Fields, "Transform": Transform},
	{CRCache, "ObjectAll"}:               {},
	{CRCache, "Config"}:                  {"LabelSelector": Labels, "FieldSelector": Fields, "Transform": Transform},
	{CRCache, "ObjectSelector"}:          {"Label": Labels, "Field": Fields},
	{cacheInternal, "Selector"}:          {"Label": Labels, "Field": Fields},
	{Client, "Options"}:                  {"Cache": Settings},
	{Client, "CacheOptions"}:             {"DisableFor": DisableFor, "Unstructured": Untyped, "Reader": OtherSetting},
	{clusterPackage, "ClientOptions"}:    {"UncachedObjects": DisableFor, "CacheUnstructured": Untyped},
	{Client, "NewDelegatingClientInput"}: {"UncachedObjects": DisableFor, "CacheUnstructured": Untyped},
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

// Made returns the options of the cache or client that call makes, or that the function which it returns makes, and what
// kind of a setting they are; NoSetting for other calls.
func Made(call *ssa.CallCommon) (options ssa.Value, s Setting) {
	if len(call.Args) == 0 {
		return nil, NoSetting
	}
	switch SymbolOf(flow.Callee(call)) {
	case Symbol{Client, "", "New"}, Symbol{CRCache, "", "New"}, Symbol{CRCache, "", "BuilderWithOptions"},
		Symbol{Client, "", "NewDelegatingClient"}, Symbol{clusterPackage, "", "ClientBuilderWithOptions"}:
		return call.Args[len(call.Args)-1], Settings
	case Symbol{CRCache, "", "MultiNamespacedCacheBuilder"}:
		return call.Args[0], Namespaces
	}
	return nil, NoSetting
}

// MakesLive reports whether call makes a client without a cache, for a manager that wants one by a function of type
// sig. Given reports whether its options are those that the function gets: they have the cache, unless that is a
// parameter of its own, as before controller-runtime v0.15.
func MakesLive(call *ssa.CallCommon, sig *types.Signature, given bool) bool {
	if SymbolOf(flow.Callee(call)) != (Symbol{Client, "", "New"}) {
		return false
	}
	return !given || IsType(sig.Params().At(0).Type(), CRCache, "Cache")
}

// IsDefaultMaker reports whether fn is what a manager uses to make its cache or its client unless it is told otherwise.
func IsDefaultMaker(fn *types.Func) bool {
	s := SymbolOf(fn)
	return s == Symbol{CRCache, "", "New"} || s == Symbol{Client, "", "New"} || s == Symbol{clusterPackage, "", "DefaultNewClient"}
}

// IsOptions reports whether t is one of the structs of which a manager's options consist.
func IsOptions(t types.Type) bool {
	n := Named(t)
	return n != nil && n.Obj().Pkg() != nil && settings[Type{Path(n.Obj().Pkg().Path()), n.Obj().Name()}] != nil
}

// IsClientCache reports whether t is the options of the cache of a client: without any, the client has no cache.
func IsClientCache(t types.Type) bool { return IsType(t, Client, "CacheOptions") }

// IsAllObjects reports whether t stands for the objects of all other kinds, as a key of options.
func IsAllObjects(t types.Type) bool { return IsType(t, CRCache, "ObjectAll") }

// ownNamespaces are environment variables that hold the namespace of the pod itself, by convention.
var ownNamespaces = strings.Fields("POD_NAMESPACE MY_POD_NAMESPACE OPERATOR_NAMESPACE SYSTEM_NAMESPACE KUBERNETES_NAMESPACE MY_NAMESPACE")

// OwnNamespace reports whether the environment variable of that name holds the namespace of the pod, by convention.
func OwnNamespace(name string) bool { return slices.Contains(ownNamespaces, name) }

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
