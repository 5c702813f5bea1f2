package finalizerorder

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// writtenInstead is a write behind e of another object, of the type of that of e, which the function has read before e and has not changed: it writes
// nothing, and e is not written.
func (a *analyzer) writtenInstead(e event, events []event) (w event, ok bool) {
	if e.in != e.at || e.obj.typ == nil {
		return event{}, false
	}
	for _, w := range events {
		made, is := w.obj.path.Root.(*ssa.Alloc)
		if !is || w.kind != writes || w.in != w.at || w.deferred || w.obj.path.Sel != "" || made.Parent() != e.in.Parent() || isVariable(made) ||
			ssa.Value(made) == e.obj.path.Root || !types.Identical(made.Type(), e.obj.typ) || !flow.Dominates(e.in, w.in) {
			continue
		}
		read := slices.ContainsFunc(events, func(x event) bool { return x.kind == reads && x.obj.path == w.obj.path && flow.Dominates(x.in, e.in) })
		if read && a.staysAsRead(made, events) {
			return w, !a.mayBeWritten(e, events)
		}
	}
	return event{}, false
}

// staysAsRead reports whether nothing is done with the object that a function has made but that it is read from the API server, written to it, looked
// at and logged.
func (a *analyzer) staysAsRead(made *ssa.Alloc, events []event) bool {
	looks := func(u ssa.Instruction) bool {
		call, ok := u.(ssa.CallInstruction)
		if !ok {
			return false
		}
		fn := flow.Callee(call.Common())
		return fn != nil && (kube.IsGetter(fn) || kube.Logs(fn)) ||
			slices.ContainsFunc(events, func(e event) bool { return e.in == u && e.in == e.at && (e.kind == reads || e.kind == writes) })
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool { return !isLoad(u) && !looks(u) }) {
				return false
			}
		case *ssa.MakeInterface:
			if slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool { _, debug := u.(*ssa.DebugRef); return !debug && !looks(u) }) {
				return false
			}
		default:
			if !looks(r) {
				return false
			}
		}
	}
	return true
}

// isLoad reports whether in reads what is at an address, or speaks of it for a debugger.
func isLoad(in ssa.Instruction) bool {
	if _, debug := in.(*ssa.DebugRef); debug {
		return true
	}
	load, ok := in.(*ssa.UnOp)
	return ok && load.Op == token.MUL
}

func (a *analyzer) reportInstead(e, w event) {
	does := "gets this finalizer"
	if e.kind == removes {
		does = "loses this finalizer"
	}
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(e.in), Sub: "notpersisted", Site: "wrong-copy-write",
		Message: fmt.Sprintf("%s %s in memory, but line %d writes %s, which is as it was read: nothing writes the change; change the object that is written",
			a.named(e), does, rule.Line(a.pass, flow.Pos(w.in)), a.named(w)),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(w.in), Message: "another object is written here"}},
	})
}
