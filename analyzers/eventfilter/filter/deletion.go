package filter

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// deletion reports the filter of w that drops the update that sets the deletion timestamp, where the reconciler has
// to remove a finalizer then.
func (d *dropped) deletion(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil {
		return
	}
	all := needs.of(w.Kind, deletion)
	if len(all) == 0 {
		return
	}
	ch, state := deletionChange(kubeapi.HasGeneration(w.Kind) != flow.False).of(w.Kind), ""
	q := d.loses(c, w, ch)
	for _, p := range w.pred.conjuncts() {
		if q == nil && w.Role == kubeapi.RoleFor && !needs.Always && !d.otherWatch(c, w, ch) && p.judge(ch).drops() {
			q = p // also one that lets no update through: those of the object's end are updates, whatever else is wanted
		}
		update := p.Fns[kubeapi.EventUpdate]
		if q == nil && update != nil && p.Op == kubeapi.OpFuncs && !d.otherWatch(c, w, ch) && dropsInState(d.ps, update, ch, specChange().of(w.Kind)) {
			q, state = p, " in some states, unless the spec changes"
		}
	}
	if q == nil || q.acts(deletionPath) {
		return
	}
	n := all[0]
	d.report(rule.Finding{Pos: q.Pos, Sub: "deletion", Site: "dropped-deletion-timestamp", Message: fmt.Sprintf(
		"%s drops the update that sets the deletionTimestamp of %s%s: %s removes the finalizer (%s) only at another event; let it through",
		q.Name, kindOf(w.Kind), state, n.By, n.line(d, c)),
		Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the finalizer is removed here"}}})
}

// acts reports whether the predicate does something about the change by itself: where it has asked for that, it calls a function
// that is given nothing and gives nothing, and so is no log.
func (p *pred) acts(path string) bool {
	update := p.Fns[kubeapi.EventUpdate]
	if update == nil {
		return false
	}
	return flow.Any(flow.Calls(update), func(call ssa.CallInstruction) bool {
		sig := call.Common().Signature()
		_, builtin := call.Common().Value.(*ssa.Builtin)
		return !builtin && sig.Params().Len()+sig.Results().Len() == 0 && sig.Recv() == nil &&
			flow.Any2(flow.PathCondition(call.Block()), func(test *ssa.If, _ flow.Truth) bool { return comesOf(test.Cond, path) })
	})
}

// comesOf reports whether v is computed from what is at path of an object.
func comesOf(v ssa.Value, path string) bool {
	return values.DependsOn(v, func(v ssa.Value) bool {
		switch x := v.(type) {
		case *ssa.Call:
			return metaPath(kubeapi.GetterOf(flow.Callee(&x.Call))) == path
		case *ssa.FieldAddr:
			return metaPath(kubeapi.MetadataField(x)) == path
		}
		return false
	})
}
