package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A finalizer may be looked after by somebody else: a library, or a package of the module that has the loop, and leaves the cleanup to a method of an interface. What
// fails there keeps the finalizer, as it does in front of a removal in sight.

// findHandedOver finds the methods by which others, or this package itself, have somebody clean up, and leaves the facts of those of its own interfaces.
func (a *analyzer) findHandedOver() {
	for _, f := range a.pass.AllObjectFacts() {
		if e, ok := f.Fact.(*Effects); ok && e.CleansUp > 0 {
			if fn, ok := f.Object.(*types.Func); ok {
				a.contracts = append(a.contracts, contract{fn, e.CleansUp - 1})
			}
		}
	}
	sites := map[*types.Func][]ssa.CallInstruction{}
	var methods []*types.Func
	for c := range flow.Calls(a.pkg.Funcs...) {
		if m := c.Common().Method; c.Common().IsInvoke() && m.Pkg() == a.pass.Pkg && flow.ErrorResult(m.Signature()) >= 0 {
			if sites[m] == nil {
				methods = append(methods, m)
			}
			sites[m] = append(sites[m], c)
		}
	}
	if len(methods) == 0 || len(a.changesOf().taken) == 0 {
		return
	}
	for _, m := range methods {
		for i := range m.Signature().Params().Len() {
			if !a.isObject(m.Signature().Params().At(i).Type()) {
				continue
			}
			if !slices.ContainsFunc(sites[m], func(c ssa.CallInstruction) bool { return !a.isForDeleted(c, objectOf(c.Common().Args[i])) }) {
				a.contracts = append(a.contracts, contract{m, i})
				if isDeclared(m.Signature().Recv().Type()) {
					a.pass.ExportObjectFact(m, &Effects{CleansUp: i + 1})
				}
				break
			}
		}
	}
}

// isDeclared reports whether t is a type that its package declares for all.
func isDeclared(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.TypeArgs().Len() == 0 && n.Obj().Exported() && n.Obj().Parent() == n.Obj().Pkg().Scope()
}

// handedOver is the parameter of fn, the receiver first, that is a deleted object whose finalizer stays where fn fails, as those say who call it by an interface; less
// than 0 where nobody does.
func (a *analyzer) handedOver(fn *ssa.Function) int {
	m, ok := fn.Object().(*types.Func)
	if !ok || m.Signature().Recv() == nil || fn.Parent() != nil || flow.ErrorResult(fn.Signature) < 0 {
		return -1
	}
	if i := kubeapi.FinalizesParam(m); i >= 0 {
		return i + 1
	}
	for _, f := range a.contracts {
		if f.of.Name() != m.Name() {
			continue
		}
		iface, ok := f.of.Signature().Recv().Type().Underlying().(*types.Interface)
		if ok && types.Implements(m.Signature().Recv().Type(), iface) {
			return f.param + 1
		}
	}
	return -1
}

// A contract is a method that cleans up for its parameter.
type contract struct {
	of    *types.Func
	param int
}

// checkHandedOver reports the requests of a cleanup that fail where their object is gone, where somebody else looks after the finalizer.
func (a *analyzer) checkHandedOver(fn *ssa.Function) {
	i := a.handedOver(fn)
	if i < 0 || i >= len(fn.Params) {
		return
	}
	obj := fn.Params[i]
	for _, n := range a.failsWithout(fn) {
		if n.deletes || n.once || n.edits && !a.isKeptAround(n, kubeapi.Named(obj.Type())) {
			a.reportHandedOver(fn, obj, n)
			return
		}
	}
}

func (a *analyzer) reportHandedOver(fn *ssa.Function, obj *ssa.Parameter, n need) {
	asks := "this lookup"
	if n.deletes {
		asks = "this deletion"
	}
	at := n.request
	if callers := a.pkg.Callers(at.Parent()); at.Parent() != fn && len(callers) > 1 { // others may need it
		events := a.events(fn)
		for in := range flow.Instrs(fn) {
			if call, ok := in.(*ssa.Call); ok && slices.ContainsFunc(a.needsOf(call, nil, events), func(x need) bool { return x.request == n.request }) {
				at = call
				break
			}
		}
	}
	f := rule.Finding{
		Pos: flow.Pos(at), Sub: "unreachable", Site: "unmet-callback",
		Message: fmt.Sprintf("%s keeps its finalizer if %s is gone: %s fails and %s returns the error; ignore NotFound",
			obj.Name(), n.what(), asks, fn.Name()),
	}
	if at != n.request {
		f.Related = []analysis.RelatedInformation{{Pos: flow.Pos(n.request), Message: "this request fails"}}
	} else if at.Parent() != fn {
		f.Related = []analysis.RelatedInformation{{Pos: fn.Pos(), Message: "this cleanup fails"}}
	}
	rule.Report(a.pass, f)
}

// isKeptAround reports whether something may keep the object of n, which a cleanup changes, until those of type kind are gone: its controller, in sight or in another package
// of the module, or another object that names it.
func (a *analyzer) isKeptAround(n need, kind *types.Named) bool {
	if n.typ == nil || n.another {
		return true
	}
	if keeps, known := a.keeperOf(n.typ, kind); known {
		return keeps
	}
	return a.ofModule(n.typ)
}

// editsRead reports whether what get, a lookup, gives is written behind it, by its function or by one that is handed it: who takes something out of it has nothing to do once it
// is gone.
func (a *analyzer) editsRead(get *ssa.Call) bool {
	edits, known := a.edits[get]
	if !known {
		edits = a.findEdit(get)
		a.edits[get] = edits
	}
	return edits
}

func (a *analyzer) findEdit(get *ssa.Call) bool {
	r, ok := kubeapi.RequestOf(&get.Call)
	if !ok {
		return false
	}
	found := flow.ResultAt(get, 0)
	if r.Object != nil {
		found = flow.Resolve(r.Object)
	}
	if found == nil {
		return false
	}
	t := kubeapi.Named(found.Type())
	if t == nil {
		return false
	}
	writes := func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		w, ok := kubeapi.RequestOf(&c.Call)
		if !ok || w.Verb != kubeapi.VerbUpdate && w.Verb != kubeapi.VerbPatch {
			return false
		}
		return w.Object != nil && kubeapi.Named(flow.Resolve(w.Object).Type()) == t || w.Object == nil && typeOfRequest(w) == t
	}
	return goesTo(found, func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		if !ok || c == get || !flow.Dominates(get, c) {
			return false
		}
		if _, request := kubeapi.RequestOf(&c.Call); request {
			return writes(c)
		}
		return slices.ContainsFunc(c.Call.Args, func(arg ssa.Value) bool { return kubeapi.Named(arg.Type()) == t }) && a.anyRuns(a.pkg.MayRun(c), writes)
	})
}
