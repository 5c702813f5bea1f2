package finalizerorder

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// apiEvents recognises the calls that act on an object: requests, and methods of objects. ok is false for calls that are
// none of these.
func (a *analyzer) apiEvents(call ssa.CallInstruction, fn *types.Func) (es []event, ok bool) {
	if es, ok := a.memoryEvents(call, fn); ok {
		return es, true
	}
	e, ok := apiEvent(call)
	if !ok {
		return nil, false
	}
	return []event{e}, true
}

// memoryEvents are those of calls that change an object in memory.
func (a *analyzer) memoryEvents(call ssa.CallInstruction, fn *types.Func) ([]event, bool) {
	args, recv := flow.Args(call.Common()), flow.Recv(call.Common())
	switch {
	case kubeapi.SetterOf(fn) == kubeapi.MetaFinalizers:
		return a.edit(call, recv, args[0]), true
	case kubeapi.RemoveNestedField.Has(fn) && constantPath(args[1]) == "metadata.finalizers":
		e := event{kind: clears, obj: objectOf(args[0]), in: call, at: call}
		e.obj.path.Sel = strings.TrimSuffix(e.obj.path.Sel, kubeapi.ContentSel)
		return []event{e}, e.obj.known()
	}
	return nil, false
}

// apiEvent is that of a request to the API server.
func apiEvent(call ssa.CallInstruction) (event, bool) {
	r, ok := kubeapi.RequestOf(call.Common())
	if !ok {
		return event{}, false
	}
	e := event{in: call, at: call}
	switch {
	case r.Object != nil:
		e.obj = objectOf(r.Object)
	case r.Name != nil && r.Verb.Writes():
		e.obj = namedObject(r.Client, r.Name)
	}
	switch r.Verb {
	case kubeapi.VerbGet:
		e.kind = reads
	case kubeapi.VerbCreate:
		e.kind = creates
	case kubeapi.VerbUpdate:
		e.kind, e.obj.client = writes, clientKey(r.Client)
	case kubeapi.VerbPatch:
		if !e.patches(r) {
			return event{}, false
		}
	case kubeapi.VerbDelete:
		e.kind = deletes
	default:
		return event{}, false
	}
	if r.Status && r.Object == nil && r.Verb == kubeapi.VerbPatch && r.Patch != nil {
		if o, computed := computedFrom(r.Patch); computed {
			e.kind, e.obj = status, o
			return e, true
		}
	}
	if r.Status {
		if r.Object == nil || e.kind != writes && r.Verb != kubeapi.VerbPatch {
			return event{}, false
		}
		e.kind, e.obj.client = status, ""
	}
	return e, e.obj.known()
}

// patches makes e the event of a patch. It is false for one that says nothing of finalizers.
func (e *event) patches(r kubeapi.Request) bool {
	ok := true
	switch {
	case r.Patch == nil:
		return false
	case r.Object != nil:
		e.kind, e.obj.client = writes, clientKey(r.Client)
		if typ, data, raw := rawPatch(r.Patch); raw && !r.Status {
			e.kind, ok = patched(typ, data)
		}
	default:
		if o, computed := computedFrom(r.Patch); computed {
			e.kind, e.obj = writes, o
			break
		}
		e.kind, ok = patched(patchType(r.PatchType), text(r.Patch))
	}
	return ok
}

// computedFrom is the object of whose new state the patch data was made: the last one among the arguments of the function
// that made it, or the one whose finalizers are in a map that it was given.
func computedFrom(data ssa.Value) (object, bool) {
	call, _ := flow.ResultOf(flow.Resolve(data))
	if call == nil {
		return object{}, false
	}
	args := flow.Args(&call.Call)
	for i := len(args) - 1; i >= 0; i-- {
		if kubeapi.IsObject(flow.Unwrap(args[i]).Type()) {
			o := objectOf(args[i])
			return o, o.known()
		}
		if o, ok := inMap(args[i]); ok {
			return o, true
		}
	}
	return object{}, false
}

// inMap is the object whose finalizers are a value of the map v, or of a map in there.
func inMap(v ssa.Value) (object, bool) {
	work := values.From(v)
	for v := range work.Resolved() {
		if owner := listOwner(v); owner.Known() {
			return object{path: owner}, true
		}
		if made, ok := v.(*ssa.MakeMap); ok {
			for put := range flow.Referrers[*ssa.MapUpdate](made) {
				if put.Map == made {
					work.Add(put.Value)
				}
			}
		}
	}
	return object{}, false
}

// afterMutation is the write that controllerutil.CreateOrUpdate and its kin make once the literal that they were given
// has run.
func afterMutation(call ssa.CallInstruction, fn *types.Func) []event {
	if fn == nil || !strings.HasPrefix(fn.Name(), "CreateOr") || !slices.ContainsFunc(flow.Args(call.Common()), func(v ssa.Value) bool { return flow.IsFunc(v) }) {
		return nil
	}
	for _, arg := range flow.Args(call.Common()) {
		if kubeapi.IsObject(arg.Type()) {
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
			when, t := eff.When.Bind(flow.Decl(call.Parent()), args)
			if t != flow.True {
				continue
			}
			p := flow.PathOf(args[eff.Param])
			if !p.Known() {
				continue
			}
			o := objectOf(args[eff.Param])
			if eff.Sel != "" {
				p = a.held(flow.Path{Root: p.Root, Sel: p.Sel + eff.Sel})
				o = o.at(p)
				if p.Sel == "" {
					o.typ = p.Root.Type()
				}
			}
			if o.known() {
				name := eff.Finalizer
				if i := eff.Handed - 1; i >= 0 && i < len(args) {
					name = finalizerName(args[i])
				}
				es = append(es, event{kind: kind(eff.Kind), obj: o, in: call, finalizer: name, only: eff.Only, when: when})
			}
		}
		return es
	}
	e := event{in: call, at: call, finalizer: onlyFinalizer(args)}
	persists := false
	for _, arg := range args {
		switch {
		case kubeapi.IsObject(arg.Type()) && e.obj.path.Root == nil:
			e.obj = objectOf(arg)
		case kubeapi.WritesObjects(arg.Type()), kubeapi.IsContext(arg.Type()):
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
			e.kind = addsNow
		}
	case persists && hasClient(args) && writesObject(name):
		e.kind = writes
		if strings.Contains(name, kubeapi.Status) {
			e.kind = status
		}
	default:
		return nil
	}
	return []event{e}
}

func hasClient(args []ssa.Value) bool {
	return slices.ContainsFunc(args, func(arg ssa.Value) bool { return kubeapi.WritesObjects(arg.Type()) })
}

// deletedType is the type of the object of which call asks for the deletion, where it is given by its name the one that the same client gets; nil for
// other calls.
func deletedType(call ssa.CallInstruction) *types.Named {
	if r, ok := kubeapi.RequestOf(call.Common()); ok && r.Verb == kubeapi.VerbDelete {
		return typeOfRequest(r)
	}
	return nil
}

// typeOfRequest is the type of the object that r is about, where it is given by its name the one that the same client gets; nil where that is not known.
func typeOfRequest(r kubeapi.Request) *types.Named {
	if r.Object != nil {
		return kubeapi.OneKind(flow.Resolve(r.Object).Type())
	}
	get := kubeapi.GetOf(r.Client.Type())
	if get == nil || get.Signature().Results().Len() != 2 {
		return nil
	}
	return kubeapi.OneKind(get.Signature().Results().At(0).Type())
}
