package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Source says where the answers of a client of controller-runtime come from.
type Source uint8

// The sources.
const (
	UnknownSource Source = iota
	ManagerClient        // the manager's client: the cache for reads, unless an option says otherwise
	ManagerCache         // the manager's cache itself
	LiveClient           // the API server for all requests
	OtherClient          // another cluster, or another cache than that of the manager
	FakeClient           // a test's client
	WrappedClient        // a type of the user's own that has methods of a client
)

// IsClient reports whether t has a method of controller-runtime's clients, readers, writers or caches.
func IsClient(t types.Type) bool {
	for _, name := range []string{"Get", "List", "Create", "Update", "Patch"} {
		if m := Method(t, name); m != nil && takesAnyObject(m.Signature()) {
			return true
		}
	}
	return false
}

// takesAnyObject reports whether sig is that of a request for an object, or a list, of any kind.
func takesAnyObject(sig *types.Signature) bool {
	if sig.Params().Len() < 2 || !IsContext(sig.Params().At(0).Type()) {
		return false
	}
	return flow.Any(sig.Params().Variables(), func(p *types.Var) bool {
		name := NameIn(p.Type(), Client)
		return name == "Object" || name == "ObjectList" || IsType(p.Type(), runtimePkg, "Object")
	})
}

// HoldsAnyObject reports whether t is an interface of objects, or lists, of any kind, or a type parameter that stands
// for one.
func HoldsAnyObject(t types.Type) bool {
	if !types.IsInterface(t) && !isTypeParam(flow.Pointee(t)) {
		return false
	}
	return HasMethod(t, "GetObjectKind") || HasMethod(types.NewPointer(flow.Pointee(t)), "GetObjectKind")
}

// clientWrappers return a client that answers as their first argument does.
var clientWrappers = union(symbols(Client, `NewNamespacedClient WithFieldOwner WithFieldValidation NewDryRunClient NewWithWatch
	WithSubResourceBody`))

// fakeClient is the package of clients without a server.
const fakeClient = Client + "/fake"

// ClientFrom says what client or cache of controller-runtime call returns: its source, or the value that it answers as;
// neither for other calls. From is the manager for a source that is a manager's.
func ClientFrom(call *ssa.CallCommon) (source Source, from ssa.Value) {
	fn, args := flow.Callee(call), flow.Args(call)
	s := SymbolOf(fn)
	switch {
	case s.Pkg == "":
		return UnknownSource, nil
	case s.Recv != "" && (s.Pkg == clusterPackage || s.Pkg == Manager):
		recv := flow.Unwrap(flow.Recv(call))
		manager := IsManager(recv.Type())
		switch {
		case s.Name == "GetAPIReader":
			return LiveClient, nil
		case s.Name == "GetClient" && manager:
			return ManagerClient, recv
		case (s.Name == GetCache || s.Name == "GetFieldIndexer") && manager:
			return ManagerCache, recv
		case s.Name == "GetClient" || s.Name == GetCache || s.Name == "GetFieldIndexer":
			return OtherClient, nil
		}
	case s.Pkg == Client && s.Recv != "" && (s.Name == Status || s.Name == "SubResource"):
		return UnknownSource, flow.Recv(call)
	case s.Pkg == Client && s.Recv == "" && (s.Name == "New" || s.Name == "NewWithWatch"):
		if len(args) == 2 {
			return readerOf(args[1])
		}
		return UnknownSource, nil
	case clientWrappers[s] && len(args) > 0:
		return UnknownSource, args[0]
	case Under(s.Pkg, fakeClient):
		return FakeClient, nil
	case s.Pkg == CRCache && s.Name == "New":
		return OtherClient, nil
	}
	return UnknownSource, nil
}

// EmbeddedClient returns the embedded field of the struct n that is a client, nil if it has none.
func EmbeddedClient(n *types.Named) *types.Var {
	st, ok := n.Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		if f := st.Field(i); f.Embedded() && IsClient(f.Type()) {
			return f
		}
	}
	return nil
}

// ImplementsRequest reports whether fn is the method of a client of the user's own that makes requests for objects of any kind.
func ImplementsRequest(fn *types.Func) bool {
	return fn != nil && fn.Signature().Recv() != nil && VerbOf(fn.Name()) != "" && takesAnyObject(fn.Signature()) && !types.IsInterface(fn.Signature().Recv().Type())
}

// EmbeddedReader returns the way to the embedded field from which n has both methods that read; nil if it has none.
func EmbeddedReader(n *types.Named) []int {
	_, get, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Get")
	_, list, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "List")
	if len(get) < 2 || len(list) < 2 || !slices.Equal(get[:len(get)-1], list[:len(list)-1]) {
		return nil
	}
	return get[:len(get)-1]
}

// IsManager reports whether t has the methods of a manager.
func IsManager(t types.Type) bool {
	return HasMethod(t, "GetClient") && HasMethod(t, Elected)
}

// readerOf returns what a client with these options reads: the API server, if they name no cache. There is no such
// option before v0.15. A client that reads a manager's cache, but not for all objects, answers as that of the manager.
func readerOf(options ssa.Value) (source Source, from ssa.Value) {
	st, ok := options.Type().Underlying().(*types.Struct)
	if !ok || !flow.Any(st.Fields(), func(f *types.Var) bool { return f.Name() == "Cache" }) {
		return LiveClient, nil
	}
	caching := literalFields(options)
	if caching == nil {
		return UnknownSource, nil
	}
	set, ok := caching["Cache"]
	if !ok || flow.IsNil(set) {
		return LiveClient, nil
	}
	alloc, ok := flow.Resolve(set).(*ssa.Alloc)
	if !ok {
		return UnknownSource, nil
	}
	fields := map[string]ssa.Value{}
	for f, st := range flow.FieldsSet(alloc) {
		fields[f.Name()] = st.Val
	}
	call, ok := flow.Resolve(fields["Reader"]).(*ssa.Call)
	switch {
	case fields["Reader"] == nil:
		return LiveClient, nil
	case fields["DisableFor"] != nil || !ok:
		return UnknownSource, nil
	case fields["Unstructured"] != nil:
		return UnknownSource, call
	}
	if source, from = ClientFrom(&call.Call); source == ManagerCache {
		return ManagerClient, from
	}
	return UnknownSource, nil
}

// literalFields returns what is stored to the fields of the struct v, which is a local variable or a literal; nil for
// others. A zero struct has none.
func literalFields(v ssa.Value) map[string]ssa.Value {
	fields := map[string]ssa.Value{}
	switch x := flow.Unwrap(v).(type) {
	case *ssa.Const:
		return fields
	case *ssa.UnOp:
		if _, local := x.X.(*ssa.Alloc); !local {
			return nil
		}
		for f, st := range flow.FieldsSet(x.X) {
			fields[f.Name()] = st.Val
		}
		return fields
	}
	return nil
}

// IsClientSet reports whether v is a resource of a generated client set, all of whose requests ask the API server.
func IsClientSet(v ssa.Value) bool {
	n := Named(v.Type())
	return n != nil && n.Obj().Pkg() != nil && strings.Contains(n.Obj().Pkg().Path(), "/typed/")
}

// Indexes reports whether fn adds an index to a cache of controller-runtime, which starts an informer.
func Indexes(fn *types.Func) bool {
	return fn != nil && fn.Name() == "IndexField" && (SymbolOf(fn).Pkg == Client || SymbolOf(fn).Pkg == CRCache)
}

// A Form is that of objects of any kind.
type Form string

// The forms: the metadata alone, and a map with all fields.
const (
	OnlyMetadata Form = "PartialObjectMetadata"
	AnyContent   Form = "Unstructured"
)

// KindName returns the name of the kind of objects or lists of type t, "path.T"; for objects of any kind it is "", and
// there is a form.
func KindName(t types.Type) (name string, form Form) {
	if items := ItemOf(t); items != nil {
		t = items
	}
	n := Named(t)
	if n == nil || n.Obj().Pkg() == nil || types.IsInterface(n) {
		return "", ""
	}
	switch {
	case Unstructured.Is(n):
		return "", AnyContent
	case IsType(n, MetaV1, string(OnlyMetadata)):
		return "", OnlyMetadata
	}
	return Path(n.Obj().Pkg().Path()) + "." + n.Obj().Name(), ""
}

// KindSet returns the kind that call, a method of an object of any kind, gives it: the value of the
// GroupVersionKind; nil for other calls.
func KindSet(call *ssa.CallCommon) ssa.Value {
	if fn := flow.Callee(call); fn != nil && fn.Name() == "SetGroupVersionKind" && len(flow.Args(call)) == 1 {
		return flow.Args(call)[0]
	}
	return nil
}

// KindNamed returns the kind that a GroupVersionKind names, as [KindName] does; "" if it is not constant. Kinds of
// built-in groups have the path of their package, others "group/version.Kind".
func KindNamed(gvk ssa.Value) string {
	gvk = flow.Resolve(gvk)
	if call, ok := gvk.(*ssa.Call); ok {
		fn, args := flow.Callee(&call.Call), flow.Args(&call.Call)
		if fn == nil || fn.Name() != "WithKind" || len(args) != 1 {
			return ""
		}
		kind, ok := flow.Text(flow.Resolve(args[0]))
		recv := flow.Resolve(flow.Recv(&call.Call))
		if load, isLoad := recv.(*ssa.UnOp); isLoad && ok {
			if g, isGlobal := load.X.(*ssa.Global); isGlobal && g.Pkg != nil {
				return Path(g.Pkg.Pkg.Path()) + "." + strings.TrimSuffix(kind, "List")
			}
		}
		if fields := textsIn(recv); ok && fields != nil {
			return kindPath(fields["Group"], fields["Version"], kind)
		}
		return ""
	}
	fields := textsIn(gvk)
	if fields == nil || fields["Kind"] == "" {
		return ""
	}
	return kindPath(fields["Group"], fields["Version"], fields["Kind"])
}

// textsIn returns the constant texts in the fields of the struct v; nil if one is not constant.
func textsIn(v ssa.Value) map[string]string {
	var texts map[string]string
	for name, field := range literalFields(v) {
		text, ok := flow.Text(flow.Resolve(field))
		if !ok {
			return nil
		}
		if texts == nil {
			texts = map[string]string{}
		}
		texts[name] = text
	}
	return texts
}

// kindPath names a kind by its group: built-in ones as their Go types are named.
func kindPath(group, version, kind string) string {
	kind = strings.TrimSuffix(kind, "List")
	folder, builtin := group, !strings.Contains(group, ".")
	switch {
	case group == "":
		folder = "core"
	case strings.HasSuffix(group, ".k8s.io"):
		folder, _, _ = strings.Cut(group, ".")
		builtin = builtinGroups[folder] || folder == "rbac" || folder == "flowcontrol"
	}
	if builtin {
		return BuiltIn + folder + "/" + version + "." + kind
	}
	return group + "/" + version + "." + kind
}

// builtinGroups are the folders of k8s.io/api whose groups end in .k8s.io.
var builtinGroups = map[string]bool{
	"admissionregistration": true, "authentication": true, "authorization": true, "certificates": true, "coordination": true,
	"discovery": true, "events": true, "networking": true, "node": true, "resource": true,
	"scheduling": true, "storage": true, "storagemigration": true,
}

// OfControllerRuntime reports whether fn is a method of a client, reader, writer or cache of controller-runtime, or of
// an interface or struct that has it.
func OfControllerRuntime(fn *types.Func) bool {
	pkg := SymbolOf(fn).Pkg
	return pkg == Client || pkg == CRCache
}

// VerbsOfCreateOrChange returns the verbs of the requests that a call of one of CreateOrChange makes.
func VerbsOfCreateOrChange(call *ssa.CallCommon) []Verb {
	if Called(call).Name == "CreateOrPatch" {
		return []Verb{VerbGet, VerbCreate, VerbPatch}
	}
	return []Verb{VerbGet, VerbCreate, VerbUpdate}
}

// Sub returns the subresource that r is a request for, "" for the object itself.
func (r Request) Sub() string {
	if c, ok := flow.Resolve(r.Client).(*ssa.Call); ok {
		if fn := flow.Callee(&c.Call); fn != nil && fn.Name() == "SubResource" && len(flow.Args(&c.Call)) == 1 {
			text, _ := flow.Text(flow.Args(&c.Call)[0])
			return text
		}
	}
	if r.Status {
		return "status"
	}
	return ""
}

// KeyTexts returns the namespace and the name in a key of an object, "" for what is not constant.
func KeyTexts(key ssa.Value) (namespace, name string) {
	fields := literalFields(key)
	if v := fields["Namespace"]; v != nil {
		namespace, _ = flow.Text(v)
	}
	if v := fields["Name"]; v != nil {
		name, _ = flow.Text(v)
	}
	return namespace, name
}

// ListOption returns what an option of a list request adds to what is selected by.
func ListOption(option ssa.Value, namespace string, labels, fields bool) (string, bool, bool) {
	v := flow.Unwrap(option)
	switch NameIn(v.Type(), Client) {
	case "InNamespace":
		if text, ok := flow.Text(v); ok {
			namespace = text
		}
	case "MatchingLabels", "MatchingLabelsSelector", "HasLabels":
		labels = true
	case "MatchingFields", "MatchingFieldsSelector":
		fields = true
	case "ListOptions":
		for f := range flow.FieldsSet(v) {
			labels = labels || f.Name() == "LabelSelector"
			fields = fields || f.Name() == "FieldSelector"
		}
	}
	return namespace, labels, fields
}

// IsMapFunc reports whether a function of that signature maps an object to requests, or is a predicate's: it runs for
// each event.
func IsMapFunc(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	if s, ok := sig.Results().At(0).Type().Underlying().(*types.Slice); ok {
		return ReconcileRequest.Is(s.Elem())
	}
	return flow.IsBool(sig.Results().At(0).Type()) && flow.Any(sig.Params().Variables(), func(p *types.Var) bool { return NameIn(p.Type(), Event) != "" })
}

// GroupOf returns the group and version of the built-in kinds in the package at that path of k8s.io/api; "" for other
// packages.
func GroupOf(path string) (group, version string) {
	rest, ok := strings.CutPrefix(path, BuiltIn)
	folder, version, found := strings.Cut(rest, "/")
	switch {
	case !ok || !found:
		return "", ""
	case folder == "core":
		return "", version
	case folder == "rbac":
		return "rbac.authorization.k8s.io", version
	case folder == "flowcontrol":
		return "flowcontrol.apiserver.k8s.io", version
	case builtinGroups[folder]:
		return folder + ".k8s.io", version
	}
	return folder, version
}

// IsEventKind reports whether the kind of that name, as [KindName] gives it, is that of Events.
func IsEventKind(name string) bool {
	return strings.HasPrefix(name, "k8s.io/api/core/") && strings.HasSuffix(name, ".Event") || strings.HasPrefix(name, "k8s.io/api/events/")
}
