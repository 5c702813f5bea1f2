package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A cleanup that looks up what it deletes finds nothing once it has done that: where the lookup fails then, the next try comes to no end.

// deletesRead reports whether the function of get, a lookup by a request, deletes behind it what it has found, whenever it runs for the object at obj.
func deletesRead(get *ssa.Call, obj ssa.Value, events []event) bool {
	r, ok := kubeapi.RequestOf(&get.Call)
	if !ok || !everyTime(get, obj, nil) {
		return false
	}
	found := object{}
	if r.Object != nil {
		found = objectOf(r.Object)
	} else if v := flow.ResultAt(get, 0); v != nil {
		found = objectOf(v)
	}
	return deletedBehind(get, found, events) || r.Object == nil && deletedBehind(get, namedObject(r.Client, r.Name), events)
}

// deletesFound reports whether the function of call deletes behind it what call gives, which is of the type t.
func deletesFound(call *ssa.Call, t *types.Named, events []event) bool {
	v := flow.ResultAt(call, 0)
	return t != nil && v != nil && kubeapi.Named(v.Type()) == t && deletedBehind(call, objectOf(v), events)
}

// deletedBehind reports whether the object o is deleted behind call, by the function of that itself.
func deletedBehind(call *ssa.Call, o object, events []event) bool {
	if !o.known() {
		return false
	}
	return slices.ContainsFunc(events, func(e event) bool {
		return e.kind == deletes && !e.deferred && e.in == e.at && e.obj.path == o.path && e.obj.via == o.via && flow.Dominates(call, e.in)
	})
}
