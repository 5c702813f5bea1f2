package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A deleted object is seen to again until the write that takes its finalizer away has succeeded, and others are deleted at the same time: so
// it must come to that write where what its cleanup deletes, or looks up, is gone.

// A need is a request that fails where the object is gone that it is about.
type need struct {
	request *ssa.Call    // in the package, or the call of the function of another one that makes it
	typ     *types.Named // of the object, nil where it goes by an interface
	deletes bool         // it asks for its deletion
	once    bool         // it looks it up, to delete it
	edits   bool         // it looks it up, to change it
	names   []flow.Path  // what the name is made of by which the object is looked up
	another bool         // it is made of an object that a function of another package has looked up
	others  bool         // another package of the module may keep the object
}

// checkNeeds reports the requests that fail where their object is gone, and then keep a deleted object from all that takes its finalizer away.
func (a *analyzer) checkNeeds(fn *ssa.Function) {
	events := a.events(fn)
	seen := map[flow.Path]bool{}
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || freshlyMade(r, events) || seen[r.obj.path] || strings.Contains(r.obj.path.Sel, "[") || ofTurn(r.obj.path.Root) {
			continue
		}
		seen[r.obj.path] = true
		var deleted *world // made for the first need: it takes as long as fn is large
		var late func()    // says what hangs on other packages
		for call := range flow.InstrsOf[*ssa.Call](fn) {
			if call == r.in {
				continue
			}
			needs := slices.DeleteFunc(a.needsOf(call, r.obj.path.Root, events), func(n need) bool {
				return n.deletes || n.once || n.typ != nil && n.typ == kubeapi.Named(r.obj.typ)
			})
			needs = a.unmet(needs, call, r, events)
			if len(needs) == 0 {
				continue
			}
			if deleted == nil {
				deleted = a.deletingWorld(fn, r.obj.places())
			}
			goes := a.released(deleted.Feasible, call, r, events)
			if goes < 0 || !deleted.Reaches(call.Block()) {
				continue
			}
			without := a.withoutObject(fn, call, r.obj.places())
			needs = slices.DeleteFunc(needs, func(n need) bool { return a.madeAnew(without, call, n.typ) })
			if len(needs) == 0 || a.released(without, call, r, events) >= 0 {
				continue
			}
			if n := needs[0]; a.removedHereAlone(fn, r, events) {
				if e := a.freed(n.typ, kindOf(r.obj)); e != nil {
					a.reportFreed(e, kindOf(r.obj), call)
				} else if f := a.unmetNeed(events[goes], call, n); n.others {
					if late == nil {
						late = func() { a.deferUnkept(f, n, kindOf(r.obj)) }
					}
					continue // another one may be known to be gone
				} else {
					rule.Report(a.pass, f)
				}
			}
			late = nil
			break
		}
		if late != nil {
			late()
		}
	}
}

// released is the index of the first event behind call that takes a finalizer off the object of r, -1 where control comes to none.
func (a *analyzer) released(w *paths.Feasible, call *ssa.Call, r event, events []event) int {
	from := w.From(call.Block())
	return slices.IndexFunc(events, func(e event) bool {
		return takesAway(e) && (e.obj.path == r.obj.path || e.obj.same(r.obj)) &&
			(from[e.in.Block()] || e.in.Block() == call.Block() && flow.Dominates(call, e.in))
	})
}

// needsOf are the needs of call, itself or in what it calls. The object that is reconciled is at obj.
func (a *analyzer) needsOf(call *ssa.Call, obj ssa.Value, events []event) (needs []need) {
	if flow.ErrorResult(call.Call.Signature()) < 0 {
		return nil
	}
	if callee, args := a.callee(call); callee != nil {
		for _, n := range a.failsWithout(callee) {
			every := everyTime(call, obj, nil)
			if n.deletes && !every {
				continue
			}
			n.names = namesIn(n.names, callee, args)
			n.once = every && (n.once || !n.deletes && deletesFound(call, n.typ, events))
			needs = append(needs, n)
		}
		return needs
	}
	r, ok := kubeapi.RequestOf(&call.Call)
	switch {
	case !ok:
		var fact Effects
		if fn := a.pkg.Called(&call.Call); fn != nil && a.fact(fn, &fact) {
			for _, n := range fact.Needs {
				x := need{request: call, typ: link.Named(a.pass.Pkg, n.Kind)}
				x.names, x.another = namesByFact(n.Names, flow.AllArgs(&call.Call))
				needs = append(needs, x)
			}
		}
	case r.Verb == kubeapi.VerbDelete:
		for _, e := range events {
			if e.kind == deletes && e.in == ssa.Instruction(call) && notLookedUp(e, events) && everyTime(call, obj, nil) {
				return []need{{request: call, typ: kubeapi.Named(e.obj.typ), deletes: true}}
			}
		}
	case r.Verb == kubeapi.VerbGet && r.Object == nil:
		if of, _ := flow.ResultOf(obj); of != call {
			return []need{{request: call, typ: kubeapi.Named(call.Call.Signature().Results().At(0).Type()), names: namesOf(r.Name), once: deletesRead(call, obj, events), edits: a.editsRead(call)}}
		}
	case r.Verb == kubeapi.VerbGet && (obj == nil || objectOf(r.Object).path.Root != obj):
		return []need{{request: call, typ: kubeapi.Named(flow.Resolve(r.Object).Type()), names: namesOf(r.Name), once: deletesRead(call, obj, events), edits: a.editsRead(call)}}
	}
	return needs
}

// failsWithout are the needs of fn behind which every return of fn fails where they are unmet.
func (a *analyzer) failsWithout(fn *ssa.Function) []need {
	return a.needs.Ask(fn, nil, func() (all []need) {
		if flow.ErrorResult(fn.Signature) < 0 {
			return nil
		}
		events := a.events(fn)
		failing := map[*ssa.Call]bool{} // where another object is missing, it fails before it comes to the next one
		for call := range flow.InstrsOf[*ssa.Call](fn) {
			if !everyTime(call, nil, failing) {
				continue
			}
			needs := a.needsOf(call, nil, events)
			if len(needs) == 0 {
				continue
			}
			without := a.withoutObject(fn, call, nil)
			needs = slices.DeleteFunc(needs, func(n need) bool { return a.madeAnew(without, call, n.typ) })
			if len(needs) > 0 && failsBehind(without, call) {
				failing[call] = true
				all = append(all, needs...)
			}
		}
		return all
	})
}

// failsBehind reports whether all returns behind call fail.
func failsBehind(w *paths.Feasible, call *ssa.Call) bool {
	i, from, found := flow.ErrorResult(call.Parent().Signature), w.From(call.Block()), false
	from[call.Block()] = true
	for ret := range flow.Returns(call.Parent()) {
		if from[ret.Block()] {
			found = true
			if v, sure := flow.Returned(ret, i); !sure || w.ValueAt(v, ret.Block()) != flow.False {
				return false
			}
		}
	}
	return found
}

// notLookedUp reports whether d deletes what its function has made a name for, and has not found.
func notLookedUp(d event, events []event) bool {
	r, _ := kubeapi.RequestOf(d.in.(ssa.CallInstruction).Common())
	if r.Object == nil {
		return sameEachRun(r.Name, nil)
	}
	alloc, ok := d.obj.path.Root.(*ssa.Alloc)
	if !ok || isVariable(alloc) || d.obj.key.Known() || d.obj.path.Sel != "" {
		return false
	}
	for _, e := range events {
		if e.obj.path == d.obj.path && e.in != d.in {
			return false // read, or created
		}
	}
	name := nameIn(alloc, alloc)
	return name != nil && sameEachRun(name, nil)
}

// nameIn is the name that the object at obj, of which the struct at part is the whole or the metadata, gets in its literal; nil where there is none.
func nameIn(obj, part *ssa.Alloc) ssa.Value {
	for st, fa := range flow.FieldStores(obj.Parent()) {
		p := flow.PathOf(fa)
		if p.Root != ssa.Value(part) {
			continue
		}
		if strings.HasSuffix(p.Sel, ".Name") {
			return st.Val
		}
		if load, ok := st.Val.(*ssa.UnOp); ok && strings.HasSuffix(p.Sel, ".ObjectMeta") {
			if meta, ok := load.X.(*ssa.Alloc); ok {
				return nameIn(obj, meta)
			}
			return nil
		}
	}
	return nil
}

// what is the object of n, for messages.
func (n need) what() string {
	if n.typ == nil || types.IsInterface(n.typ) || kubeapi.OfAPIMachinery(n.typ.Obj().Pkg()) { // which may be of any kind
		return "another object"
	}
	return "its " + n.typ.Obj().Name()
}

// unmetNeed says that call keeps the object of r, where the need n is unmet.
func (a *analyzer) unmetNeed(r event, call *ssa.Call, n need) rule.Finding {
	line := rule.Line(a.pass, flow.Pos(r.in))
	related := []analysis.RelatedInformation{{Pos: flow.Pos(r.in), Message: "the finalizer is removed here"}}
	if n.request != call {
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(n.request), Message: "looked up here"})
	}
	return rule.Finding{
		Pos: flow.Pos(call), Sub: "unreachable", Site: "unmet-lookup",
		Message: fmt.Sprintf("%s keeps its finalizer if %s is gone: this lookup fails before line %d removes it; handle deletion first or ignore NotFound",
			a.named(r), n.what(), line),
		Related: related,
	}
}

// withoutObject is fn with the object at objs being deleted, and with lookup finding none.
func (a *analyzer) withoutObject(fn *ssa.Function, lookup *ssa.Call, objs []flow.Path) *paths.Feasible {
	w := &world{a: a, objs: objs}
	says := func(v ssa.Value) bool {
		call, _ := flow.ResultOf(v)
		return call == lookup && flow.IsError(v.Type())
	}
	w.see(fn, func(v ssa.Value) flow.Truth {
		if says(v) {
			return flow.False
		}
		if call, ok := v.(*ssa.Call); ok && isGoneTest(call) && says(flow.Resolve(call.Call.Args[0])) {
			return flow.True
		}
		return w.tell(v)
	})
	return w.Feasible
}

// isGoneTest reports whether call asks an error whether something is not there, or ignores one that says so.
func isGoneTest(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return fn != nil && len(call.Call.Args) == 1 && flow.IsError(call.Call.Args[0].Type()) && asksGone(fn.Name())
}

// madeAnew reports whether an object of the type t is created behind call, in the world w: the next try finds it.
func (a *analyzer) madeAnew(w *paths.Feasible, call *ssa.Call, t *types.Named) bool {
	if t == nil {
		return false
	}
	makes := func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		if made := afterMutation(c, flow.Callee(&c.Call)); made != nil {
			return kubeapi.OneKind(made[0].obj.typ) == t
		}
		r, ok := kubeapi.RequestOf(&c.Call)
		return ok && r.Verb == kubeapi.VerbCreate && typeOfRequest(r) == t
	}
	from := w.From(call.Block())
	return slices.ContainsFunc(call.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return from[b] && slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(*ssa.Call)
			return ok && (makes(c) || a.anyRuns(a.pkg.MayRun(c), makes))
		})
	})
}
