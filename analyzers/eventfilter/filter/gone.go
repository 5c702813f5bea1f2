package filter

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// gone reports a watch of a kind that drops the deletions of its objects, where the reconciler makes such objects whenever there is none, or
// has asked for the deletion and waits for it, and nothing else makes it look again.
func (d *dropped) gone(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil {
		return
	}
	if all := needs.of(w.Kind, existence); len(all) > 0 && !needs.Again {
		d.undeleted(c, w, all[0], "the object is created here",
			"recreates it if it is missing (%s) but is not triggered; let them through")
	} else if all := needs.of(w.Kind, absence); len(all) > 0 && freesOwn(c, needs) {
		d.undeleted(c, w, all[0], "the deletion is requested here",
			"waits for its deletion to remove a finalizer (%s) but is not triggered; let them through")
	}
}

// freesOwn reports whether the reconciler removes a finalizer of what its controller is for, and the kinds of all that is watched for it are known.
func freesOwn(c *controller, needs *needSummary) bool {
	frees := false
	for _, w := range c.watches {
		if w.Kind == nil {
			return false
		}
		frees = frees || w.Role == kubeapi.RoleFor && len(needs.of(w.Kind, deletion)) > 0
	}
	return frees
}

// undeleted reports that w drops the deletions of its objects, where no other watch of the kind may bring them: because of n the reconciler
// needs them, of which why, with the line, and here say more.
func (d *dropped) undeleted(c *controller, w *watch, n need, here, why string) {
	pos, name := w.Pos, "this handler, which has no DeleteFunc,"
	if h := d.handlerOf(w); h != nil && idleDelete(h) != nil {
		pos = idleDelete(h).Pos()
		name = filterName(idleDelete(h)) + ", which does nothing,"
	} else if h == nil || h.Deleted.Set() || h.Type != nil {
		q := w.dropping()
		if q == nil {
			return
		}
		pos, name = q.Pos, q.Name
		if fn := q.Fns[kubeapi.EventDelete]; fn != nil && fn.Pos().IsValid() {
			pos = fn.Pos()
		}
	}
	for _, o := range c.watches {
		if o != w && o.Kind != nil && sameType(o.Kind, w.Kind) {
			return
		}
	}
	d.report(rule.Finding{Pos: pos, Sub: "deletion", Site: "dropped-deletion", Message: fmt.Sprintf(
		"%s drops the deletions of %s: %s "+why, name, kindOf(w.Kind), n.By, n.line(d, c)),
		Related: []analysis.RelatedInformation{{Pos: n.pos, Message: here}, {Pos: w.Pos, Message: "the kind is watched here"}}})
}

// idleDelete is the function of h that is run for deletions, where it does nothing; nil else.
func idleDelete(h *kubeapi.Handler) *ssa.Function {
	if fn := h.Deleted.Fn(); fn != nil && len(fn.Blocks) > 0 && !acts(fn) {
		return fn
	}
	return nil
}

// dropping is the predicate of w that lets no deletion through, nil where there is none. One that does something about them by itself is none.
func (w *watch) dropping() *pred {
	for _, p := range w.pred.conjuncts() {
		if fn := p.Fns[kubeapi.EventDelete]; p.dropsDeletions() && (fn == nil || !acts(fn)) {
			return p
		}
	}
	return nil
}

// madeAgain is the object that the request in makes, where it is of a kind that there is to be as long as its owner: a Job is made once.
func madeAgain(in ssa.Instruction) ssa.Value {
	object := createdBy(in)
	if object == nil || kubeapi.Job.Is(object.Type()) {
		return nil
	}
	return object
}

// createdBy is the object that the request in makes, nil where it makes none.
func createdBy(in ssa.Instruction) ssa.Value {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	object := ssa.Value(nil)
	if r, ok := kubeapi.RequestOf(call.Common()); ok && r.Verb == kubeapi.VerbCreate && !r.Status {
		object = r.Object
	} else if kubeapi.CreateOrChange.Called(call.Common()) {
		object = flow.Args(call.Common())[2]
	}
	if object == nil {
		return nil
	}
	return flow.Unwrap(flow.Resolve(object))
}

// gated reports whether a test of some status decides about in: here, or where the function is called.
func (d *dropped) gated(in ssa.Instruction, seen map[*ssa.Function]bool) bool {
	if flow.Any2(flow.PathCondition(in.Block()), func(test *ssa.If, _ flow.Truth) bool { return asksStatus(test.Cond) }) {
		return true
	}
	fn := in.Parent()
	if seen[fn] {
		return false
	}
	seen[fn] = true
	return slices.ContainsFunc(d.ps.pkg.Callers(fn), func(c ssa.CallInstruction) bool { return d.gated(c, seen) })
}

// asksStatus reports whether v is computed from a status.
func asksStatus(v ssa.Value) bool {
	work := values.From(v)
	for v := range work.All() {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if kubeapi.IsStatus(flow.Field(x.X.Type(), x.Field)) {
				return true
			}
		case *ssa.Phi, *ssa.Alloc:
			continue
		}
		work.Add(values.Operands(v)...)
	}
	return false
}

// acts reports whether fn may do anything that others see, or return what is not empty.
func acts(fn *ssa.Function) bool {
	return flow.Any(flow.Instrs(fn), actsAt)
}

func actsAt(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Panic:
		return true
	case *ssa.Store:
		_, variable := flow.Base(in.Addr).(*ssa.Alloc)
		return !variable
	case *ssa.Call:
		callee := flow.Callee(&in.Call)
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			return !slices.Contains([]string{"len", "cap", "append"}, b.Name())
		}
		return callee == nil || !kubeapi.Logs(callee) && !kubeapi.GivesLogger(callee) && effectOf(callee) != flow.False
	case ssa.CallInstruction: // go and defer
		return true
	case *ssa.Return:
		return slices.ContainsFunc(in.Results, func(v ssa.Value) bool {
			if flow.IsBool(v.Type()) {
				return flow.ConstTruth(v) != flow.False
			}
			return !flow.IsEmpty(v)
		})
	}
	return false
}
