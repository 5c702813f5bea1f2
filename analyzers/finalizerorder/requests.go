package finalizerorder

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// apiEvents recognises the calls that act on an object, by method name and shape. ok is false for calls that are none
// of these.
func (a *analyzer) apiEvents(call ssa.CallInstruction, fn *types.Func) (es []event, ok bool) {
	if es, ok := a.memoryEvents(call, fn); ok {
		return es, true
	}
	e, ok := apiEvent(call, fn)
	if !ok {
		return nil, false
	}
	return []event{e}, true
}

// memoryEvents are those of calls that change an object in memory.
func (a *analyzer) memoryEvents(call ssa.CallInstruction, fn *types.Func) ([]event, bool) {
	args, recv := flow.Args(call.Common()), flow.Recv(call.Common())
	switch fn.Name() {
	case "SetFinalizers":
		if len(args) == 1 && recv != nil && isStrings(args[0].Type()) {
			return a.edit(call, recv, args[0]), true
		}
	case "RemoveNestedField":
		if kube.SamePackage(fn.Pkg().Path(), kube.MetaV1+"/unstructured") && len(args) == 2 && constantPath(args[1]) == "metadata.finalizers" {
			e := event{kind: clears, obj: objectOf(args[0]), in: call, at: call}
			e.obj.path.Sel = trimField(e.obj.path.Sel, "Object")
			return []event{e}, e.obj.known()
		}
	}
	return nil, false
}

// apiEvent is that of a request to the API server.
func apiEvent(call ssa.CallInstruction, fn *types.Func) (event, bool) {
	args := flow.Args(call.Common())
	e := event{in: call, at: call}
	recv := flow.Recv(call.Common())
	if recv == nil || len(args) == 0 {
		return event{}, false
	}
	if !kube.IsContext(args[0].Type()) {
		return oldClientset(call, fn, recv, args)
	}
	if len(args) < 2 {
		return event{}, false
	}
	if isSubresource(recv) {
		return statusEvent(e, fn, args)
	}
	switch fn.Name() {
	case "Get":
		if len(args) >= 3 && isObject(args[2].Type()) {
			e.kind, e.obj = reads, objectOf(args[2])
			return e, e.obj.known()
		}
	case "Create":
		if isObject(args[1].Type()) {
			e.kind, e.obj = creates, objectOf(args[1])
			return e, e.obj.known()
		}
	case "UpdateStatus":
		return statusEvent(e, fn, args)
	case "Update":
		if isObject(args[1].Type()) {
			e.kind, e.obj = writes, objectOf(args[1])
			e.obj.client = clientKey(recv, 0)
			return e, e.obj.known()
		}
	case "Patch":
		if isObject(args[1].Type()) {
			e.kind, e.obj = writes, objectOf(args[1])
			e.obj.client = clientKey(recv, 0)
			if len(args) >= 3 {
				if typ, data, ok := rawPatch(args[2]); ok {
					k, ok := patched(typ, data)
					if !ok {
						return event{}, false
					}
					e.kind = k
				}
			}
			return e, e.obj.known()
		}
		if isString(args[1].Type()) && len(args) >= 4 && !hasSubresource(args) {
			if o, ok := computedFrom(args[3]); ok {
				e.kind, e.obj = writes, o
				return e, true
			}
			k, ok := patched(patchType(args[2]), text(args[3]))
			e.kind, e.obj = k, namedObject(recv, args[1])
			return e, ok && e.obj.known()
		}
	case "Delete":
		switch {
		case isObject(args[1].Type()):
			e.kind, e.obj = deletes, objectOf(args[1])
		case isString(args[1].Type()):
			e.kind, e.obj = deletes, namedObject(recv, args[1])
		default:
			return event{}, false
		}
		return e, e.obj.known()
	}
	return event{}, false
}

// computedFrom is the object of whose new state the patch data was made: the last one among the arguments of the function
// that made it.
func computedFrom(data ssa.Value) (object, bool) {
	call, _ := flow.ResultOf(flow.Resolve(data))
	if call == nil {
		return object{}, false
	}
	args := flow.Args(&call.Call)
	for i := len(args) - 1; i >= 0; i-- {
		if isObject(flow.Unwrap(args[i]).Type()) {
			o := objectOf(args[i])
			return o, o.known()
		}
	}
	return object{}, false
}

// statusEvent is that of a client of the status.
func statusEvent(e event, fn *types.Func, args []ssa.Value) (event, bool) {
	switch fn.Name() {
	case "Update", "Patch", "UpdateStatus":
		if isObject(args[1].Type()) {
			e.kind, e.obj = status, objectOf(args[1])
			return e, e.obj.known()
		}
	}
	return event{}, false
}

// oldClientset is the event of a typed client from before requests took a context: Update(obj) (obj, error).
func oldClientset(call ssa.CallInstruction, fn *types.Func, recv ssa.Value, args []ssa.Value) (event, bool) {
	e := event{in: call, at: call}
	res := fn.Signature().Results()
	if !isObject(args[0].Type()) || res.Len() != 2 || !types.Identical(res.At(0).Type(), args[0].Type()) || isSubresource(recv) {
		return event{}, false
	}
	switch fn.Name() {
	case "Update":
		e.kind = writes
	case "UpdateStatus":
		e.kind = status
	case "Create":
		e.kind = creates
	default:
		return event{}, false
	}
	e.obj = objectOf(args[0])
	return e, e.obj.known()
}

// afterMutation is the write that controllerutil.CreateOrUpdate and its kin make once the literal that they were given
// has run.
func afterMutation(call ssa.CallInstruction, fn *types.Func) []event {
	if fn == nil || !strings.HasPrefix(fn.Name(), "CreateOr") {
		return nil
	}
	for _, arg := range flow.Args(call.Common()) {
		if isObject(arg.Type()) {
			if o := objectOf(arg); o.known() {
				return []event{{kind: writes, obj: o, in: call, at: call}}
			}
		}
	}
	return nil
}

// fromFact gives the events of a call into another package: those of its fact, or, for a function that cannot be seen
// and that is named after finalizers, those that its name and its arguments say.
func (a *analyzer) fromFact(call ssa.CallInstruction, fn *types.Func) []event {
	args := flow.AllArgs(call.Common())
	var fact Effects
	if a.fact(fn, &fact) {
		var es []event
		for _, eff := range fact.Events {
			if eff.Param >= len(args) {
				continue
			}
			when, t := eff.When.In(flow.Decl(call.Parent()), args)
			if t != flow.Yes {
				continue
			}
			p := flow.PathOf(args[eff.Param])
			if !p.Known() {
				continue
			}
			o := objectOf(args[eff.Param])
			if eff.Sel != "" {
				o = o.at(flow.Path{Root: p.Root, Sel: p.Sel + eff.Sel})
			}
			if o.known() {
				es = append(es, event{kind: kind(eff.Kind), obj: o, in: call, finalizer: eff.Finalizer, only: eff.Only, never: eff.Never, when: when})
			}
		}
		return es
	}
	e := event{in: call, at: call, finalizer: onlyFinalizer(args)}
	persists := false
	for _, arg := range args {
		switch {
		case isObject(arg.Type()) && e.obj.path.Root == nil:
			e.obj = objectOf(arg)
		case isClient(arg.Type()), kube.IsContext(arg.Type()):
			persists = true
		case flow.IsBool(arg.Type()):
			return nil // which may be what says whether it adds or removes
		}
	}
	switch name := fn.Name(); {
	case !e.obj.known():
		return nil
	case removesFinalizer(name):
		e.kind = removes
		if persists {
			e.kind = removesNow
		}
	case addsFinalizer(name):
		e.kind = adds
		if persists {
			e.kind, e.never = addsNow, true // it may look for itself whether the object is being deleted
		}
	case persists && hasClient(args) && writesObject(name):
		e.kind = writes
		if strings.Contains(name, "Status") {
			e.kind = status
		}
	default:
		return nil
	}
	return []event{e}
}

func hasClient(args []ssa.Value) bool {
	for _, arg := range args {
		if isClient(arg.Type()) {
			return true
		}
	}
	return false
}

// isClient reports whether t can write objects: a client of controller-runtime, or a client set.
func isClient(t types.Type) bool {
	return kube.HasMethod(t, "Update") && kube.HasMethod(t, "Patch") || kube.HasMethod(t, "CoreV1") || kube.HasMethod(t, "RESTClient")
}
