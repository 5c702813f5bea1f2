package kubeapi

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Verb is what a request asks of the API server, in the words of its audit log.
type Verb string

// The verbs.
const (
	VerbGet              Verb = "get"
	VerbList             Verb = "list"
	VerbWatch            Verb = "watch"
	VerbCreate           Verb = "create"
	VerbUpdate           Verb = "update"
	VerbPatch            Verb = "patch"
	VerbDelete           Verb = "delete"
	VerbDeleteCollection Verb = "deletecollection"
)

// Writes reports whether the request changes what is stored.
func (v Verb) Writes() bool {
	return v != "" && v != VerbGet && v != VerbList && v != VerbWatch
}

// An asking is what a client's method of some name asks.
type asking struct {
	verb   Verb
	status bool
}

// methods are those of typed, dynamic and generated clients, and of controller-runtime's, that make one request.
var methods = map[string]asking{
	"Get": {verb: VerbGet}, "List": {verb: VerbList}, "Watch": {verb: VerbWatch}, "Create": {verb: VerbCreate},
	"Update": {verb: VerbUpdate}, "UpdateStatus": {VerbUpdate, true}, "UpdateScale": {VerbUpdate, true},
	"Patch": {verb: VerbPatch}, "Apply": {verb: VerbPatch}, "ApplyStatus": {VerbPatch, true},
	"Delete": {verb: VerbDelete}, "DeleteCollection": {verb: VerbDeleteCollection}, "DeleteAllOf": {verb: VerbDeleteCollection},
}

// MethodOf returns the name of the method of controller-runtime's clients that makes a request of that verb.
func MethodOf(v Verb) string {
	if v == VerbDeleteCollection {
		return "DeleteAllOf"
	}
	return strings.ToUpper(string(v[:1])) + string(v[1:])
}

// VerbOf returns the verb of a client's method of that name, "" if clients have no such method.
func VerbOf(method string) Verb { return methods[method].verb }

// A Request is a call that asks the API server, or a cache of it.
type Request struct {
	Verb   Verb
	Client ssa.Value // whose method it is: a client, a resource of a client set, a lister
	Object ssa.Value // what is sent, or filled; nil if it is given by name, or is the result
	Name   ssa.Value // the key or the name that the object is given by, or nil
	Status bool      // it is about a subresource: its writes leave the metadata alone
	Cached bool      // a cache may answer, or does

	Patch     ssa.Value // what a patch sends: bytes, or a value that makes them; nil for other verbs
	PatchType ssa.Value // of bytes
}

// Asked returns the type of the object that call, which makes the request r, fills or returns; nil for neither.
func (r Request) Asked(call *ssa.CallCommon) types.Type {
	if r.Object != nil {
		return flow.Unwrap(flow.Resolve(r.Object)).Type()
	}
	if results := call.Signature().Results(); results.Len() > 0 {
		return results.At(0).Type()
	}
	return nil
}

// MadeUpBy reports whether later may make up for a failure of r, or tells of it: it is a request for the same object, or
// looks whether the object that was to be created exists.
func (r Request) MadeUpBy(later Request) bool {
	looks := r.Verb == VerbCreate && later.Verb == VerbGet
	if looks || r.Object == nil || later.Object == nil {
		return looks || r.Verb == later.Verb
	}
	p := flow.PathOf(r.Object)
	return p.Known() && p == flow.PathOf(later.Object)
}

// GetOf returns the method Get of a client or lister of type t.
func GetOf(t types.Type) *types.Func { return Method(t, "Get") }

// RequestOf returns the request that call makes: by the method's name, and by the shape that the clients of all
// versions have. Requests for lists and collections have no object. ok is false if it is none.
func RequestOf(call *ssa.CallCommon) (r Request, ok bool) {
	fn, recv, args := flow.Callee(call), flow.Recv(call), flow.Args(call)
	if fn == nil || recv == nil || len(args) == 0 {
		return Request{}, false
	}
	m, isMethod := methods[fn.Name()]
	if !isMethod {
		return Request{}, false
	}
	r = Request{Verb: m.verb, Client: recv, Status: m.status || isSubresource(recv)}
	if !IsContext(args[0].Type()) {
		return withoutContext(r, fn, args)
	}
	args = args[1:]
	if len(args) == 0 {
		return r, r.Verb == VerbList
	}
	first, named := args[0], flow.IsString(args[0].Type())
	switch {
	case r.Verb == VerbList, r.Verb == VerbWatch, r.Verb == VerbDeleteCollection:
		r.Cached = r.Verb == VerbList && !TakesOptions(fn.Signature())
		return r, true
	case r.Verb == VerbGet && named:
		r.Name = first
		return r, true
	case r.Verb == VerbGet && len(args) > 1 && givesObject(args[1]):
		r.Name, r.Object, r.Cached = first, args[1], true
		return r, true
	case givesObject(first):
		r.Object = first
		if r.Verb == VerbPatch && len(args) > 1 {
			r.Patch = args[1]
		}
		return r, r.Verb != VerbGet
	case fn.Name() == "Patch" && named && len(args) > 2:
		r.Name, r.PatchType, r.Patch = first, args[1], args[2]
		r.Status = r.Status || len(args) > 4 && namesSubresource(args[4])
		return r, true
	case fn.Name() != "Patch" && r.Verb == VerbPatch:
		return r, true // Apply of a configuration
	case r.Verb == VerbDelete && named && len(args) > 1 && !flow.IsString(args[1].Type()): // with options; a service of any other kind deletes by names alone
		r.Name = first
		return r, true
	}
	return Request{}, false
}

// givesObject reports whether the argument v is an object. Clients of controller-runtime took any runtime.Object
// before v0.7.
func givesObject(v ssa.Value) bool {
	return IsObject(v.Type()) || IsType(v.Type(), runtimePkg, "Object") && IsObject(flow.Unwrap(v).Type())
}

// withoutContext is r of a lister, or of a client set from before requests took a context: Update(obj) (obj, error).
func withoutContext(r Request, fn *types.Func, args []ssa.Value) (Request, bool) {
	res := fn.Signature().Results()
	switch first := args[0]; {
	case r.Verb == VerbGet && flow.IsString(first.Type()) && res.Len() == 2 && IsObject(res.At(0).Type()):
		r.Name, r.Cached = first, len(args) == 1
		return r, true
	case (r.Verb == VerbUpdate || r.Verb == VerbCreate) && IsObject(first.Type()) && res.Len() == 2 && types.Identical(res.At(0).Type(), first.Type()):
		r.Object = first
		return r, true
	case r.Verb == VerbDelete && flow.IsString(first.Type()) && len(args) == 2 && TakesOptions(fn.Signature()):
		r.Name = first
		return r, true
	}
	return Request{}, false
}

// isSubresource reports whether v is a client of the status or of another subresource.
func isSubresource(v ssa.Value) bool {
	n := Named(flow.Resolve(v).Type())
	if n != nil && (strings.Contains(n.Obj().Name(), Status) || strings.Contains(strings.ToLower(n.Obj().Name()), "subresource")) {
		return true
	}
	c, ok := flow.Resolve(v).(*ssa.Call)
	if !ok {
		return false
	}
	fn := flow.Callee(&c.Call)
	return fn != nil && (fn.Name() == Status || fn.Name() == "SubResource")
}

// OfStatus reports whether r, which call makes, is one for the status, and not for another subresource.
func (r Request) OfStatus(call *ssa.CallCommon) bool {
	if c, ok := flow.Resolve(r.Client).(*ssa.Call); ok && r.Status {
		if fn := flow.Callee(&c.Call); fn != nil && fn.Name() == Status {
			return true
		}
	}
	return r.Status && flow.Callee(call) != nil && UpdatesStatus(flow.Callee(call).Name())
}

// UpdatesStatus reports whether the method of a client set with that name sends nothing but the status.
func UpdatesStatus(method string) bool { return method == "UpdateStatus" || method == "ApplyStatus" }

// KeepsPropagation reports whether an option of a deletion of type t says nothing of what becomes of the objects that
// the deleted one owns.
func KeepsPropagation(t types.Type) bool {
	return IsType(t, Client, "GracePeriodSeconds") || IsType(t, Client, "Preconditions") || IsType(t, Client, "dryRunAll")
}

// SetsPropagation reports whether the field of options of a deletion with that name says what becomes of the objects
// that the deleted one owns.
func SetsPropagation(field string) bool {
	return field == "PropagationPolicy" || field == "OrphanDependents" || field == "Raw"
}

// MarksStatus reports whether a comment is the marker that gives a kind a status subresource.
func MarksStatus(comment string) bool {
	marker, ok := strings.CutPrefix(strings.TrimLeft(comment, "/ "), "+kubebuilder:subresource:")
	return ok && strings.TrimSpace(marker) == "status"
}

// namesSubresource reports whether names, the last argument of a client set's Patch, may name one.
func namesSubresource(names ssa.Value) bool {
	if flow.IsEmpty(names) {
		return false
	}
	all := flow.Elements(names)
	for _, v := range all {
		if c, ok := v.(*ssa.Const); !ok || c.Value == nil || constant.StringVal(c.Value) != "" {
			return true
		}
	}
	return len(all) == 0
}

// TakesOptions reports whether sig takes options of meta/v1, as typed clients do, wherever they are generated.
func TakesOptions(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		if strings.HasSuffix(NameIn(sig.Params().At(i).Type(), MetaV1), "Options") {
			return true
		}
	}
	return false
}
