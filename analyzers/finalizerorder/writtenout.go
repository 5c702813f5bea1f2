package finalizerorder

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An update sends the whole object, and so does a merge patch that is made of nothing else: the server puts its list of finalizers in the place of the stored one. A
// patch of the difference to what has been read takes off what the new list has not.

// checkWrittenOut reports the lists of finalizers that fn writes out for a stored object without a look at those that are there, and sends to the server.
func (a *analyzer) checkWrittenOut(fn *ssa.Function) {
	events := a.events(fn)
	for _, e := range events {
		if e.kind != adds || e.deferred || freshlyMade(e, events) || !a.isStored(e, events) || a.ownKind(e.obj) {
			continue
		}
		own, ok := a.where(e)
		if !ok || !isWrittenOut(newList(own.in)) || asksOrLooks(own.in, own.obj) || asksOrLooks(e.in, e.obj) {
			continue
		}
		for _, w := range events {
			if w.kind == writes && !w.deferred && w.obj.path == e.obj.path && replacesList(w) && a.takesUp(e, w, events) {
				a.reportWrittenOut(own, w)
				return
			}
		}
	}
}

// newList is the list of finalizers that in, a store or a call of SetFinalizers, puts on an object; nil for other instructions.
func newList(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return flow.Resolve(in.Val)
	case ssa.CallInstruction:
		if fn := flow.Callee(in.Common()); fn != nil && fn.Name() == "SetFinalizers" && len(flow.Args(in.Common())) == 1 {
			return flow.Resolve(flow.Args(in.Common())[0])
		}
	}
	return nil
}

// isStored reports whether the object of e comes from the API server: its function has read it before, or, where it is a field of a parameter, a function of the
// package that has it at the same place reads it.
func (a *analyzer) isStored(e event, events []event) bool {
	for _, r := range events {
		if r.kind == reads && r.obj.path == e.obj.path && flow.Dominates(r.in, e.in) {
			return true
		}
	}
	p, ok := e.obj.path.Root.(*ssa.Parameter)
	if !ok || e.obj.path.Sel == "" {
		return false
	}
	for _, fn := range a.pkg.Funcs {
		for _, r := range a.events(fn) {
			q, ok := r.obj.path.Root.(*ssa.Parameter)
			if ok && r.kind == reads && r.obj.path.Sel == e.obj.path.Sel && kube.Named(q.Type()) != nil && kube.Named(q.Type()) == kube.Named(p.Type()) {
				return true
			}
		}
	}
	return false
}

// ownKind reports whether o is of a kind of the module: nobody else is known to put finalizers on those.
func (a *analyzer) ownKind(o object) bool {
	if o.typ == nil {
		return true // not known
	}
	kind := kube.OneKind(o.typ)
	return kind != nil && a.ofModule(kind)
}

// asksOrLooks reports whether a test of the object o decides about in, or its function looks at the finalizers that are there.
func asksOrLooks(in ssa.Instruction, o object) bool {
	if looksBefore(in, o) {
		return true
	}
	looks := false
	flow.Calls(in.Parent(), func(c ssa.CallInstruction) {
		fn := flow.Callee(c.Common())
		looks = looks || c != in && fn != nil && speaksOfFinalizers(fn.Name())
	})
	return looks
}

// replacesList reports whether the stored finalizers give way to those that w sends: it is an update, or a patch with the whole object or the difference to another one.
func replacesList(w event) bool {
	call, ok := w.at.(*ssa.Call)
	if !ok {
		return false
	}
	r, ok := kube.RequestOf(&call.Call)
	if !ok || r.Object == nil || r.Status {
		return false
	}
	if r.Verb == kube.VerbUpdate {
		return true
	}
	if r.Verb != kube.VerbPatch || r.Patch == nil {
		return false
	}
	switch patch := flow.Unwrap(flow.Resolve(r.Patch)).(type) {
	case *ssa.Call:
		return isMergeFrom(flow.Callee(&patch.Call))
	case *ssa.UnOp:
		global, ok := patch.X.(*ssa.Global)
		return ok && global.Name() == "Merge" && global.Pkg != nil && kube.SamePackage(global.Pkg.Pkg.Path(), kube.Client)
	}
	return false
}

func (a *analyzer) reportWrittenOut(e, w event) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(e.in), Sub: "dropped", Site: "written-out-list",
		Message: fmt.Sprintf("%s loses the finalizers that others have put on it: this list takes the place of the stored one where %s writes the object, at line %d; add to the list that is there",
			a.named(e), w.in.Parent().Name(), rule.Line(a.pass, flow.Pos(w.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(w.in), Message: "it is written here"}},
	})
}
