package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A reconciler that writes something where the object that it was called for is not there any more, as it deletes what it had made for it
// elsewhere, has to hear of deletions: no update tells of the end of an object without a finalizer.

// lost reports a watch of the kind that a controller is for, where it drops the deletions of its objects, and the reconciler does something about
// those that are gone. Where it removes a finalizer of theirs, updates tell of their end, and where it owns others whose deletions it hears of, these do.
func (d *dropped) lost(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Always || c.Others || len(needs.of(w.Kind, deletion)) > 0 || c.hearsOfOwned() {
		return
	}
	if all := needs.of(w.Kind, loss); len(all) > 0 {
		d.undeleted(c, w, all[0], "this is done for a deleted object",
			"cleans up after a deleted one (%s) but is not triggered; let them through")
	}
}

// hearsOfOwned reports whether a watch of c may let deletions of what is owned through.
func (c *controller) hearsOfOwned() bool {
	return slices.ContainsFunc(c.watches, func(o *watch) bool { return o.Role == kubeapi.RoleOwns && o.dropping() == nil })
}

// findLosses adds the kinds of the objects that reconcile, or what it ends with, asks for by the key that it is called with, where it writes something
// if there is none.
func (d *dropped) findLosses(reconcile *ssa.Function, add addNeed) {
	for _, fn := range lastOnes(d.ps.pkg, reconcile, map[*ssa.Function]bool{}) {
		for call := range flow.InstrsOf[*ssa.Call](fn) {
			if kind := askedFor(call); kind != nil {
				if at := d.writesWithout(call); at != nil {
					add(kind, loss, "", flow.FuncName(fn), at.Pos())
				}
			}
		}
	}
}

// askedFor is the kind of the object that call asks for by the key that the function was given, or the request that has it, nil for other calls: what lies in the
// receiver is the same each time.
func askedFor(call *ssa.Call) types.Type {
	r, ok := kubeapi.RequestOf(&call.Call)
	if !ok || r.Verb != kubeapi.VerbGet || r.Name == nil || flow.ErrorOf(call) == nil {
		return nil
	}
	if p, given := flow.PathOf(flow.Resolve(r.Name)).Root.(*ssa.Parameter); !given || flow.IsReceiver(p) {
		return nil
	}
	return r.Asked(&call.Call)
}

// writesWithout is a request that writes, or a call of what makes one, to which control comes after get has found no object, though perhaps after it has
// found one that is on its way out, too; nil where there is none, or where nothing asks whether there is an object.
func (d *dropped) writesWithout(get *ssa.Call) ssa.Instruction {
	tests, err := false, flow.ErrorOf(get)
	view := paths.Reachable(get.Parent(), func(v ssa.Value) flow.Truth {
		if v == err {
			return flow.False
		}
		call, ok := v.(*ssa.Call)
		if !ok || len(call.Call.Args) == 0 || flow.Resolve(call.Call.Args[0]) != err {
			return flow.Unknown
		}
		if fn := flow.Callee(&call.Call); kubeapi.NotFound.Has(fn) || kubeapi.IgnoreNotFound.Has(fn) {
			tests = true
			return flow.True
		}
		return flow.Unknown
	}, nil)
	for b := range view.From(get.Block()) {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && tests && d.requests(call, program.Calls, kubeapi.Verb.Writes) {
				return call
			}
		}
	}
	return nil
}
