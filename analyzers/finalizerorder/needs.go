package finalizerorder

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// A deleted object is seen to again until the write that takes its finalizer away has succeeded, and others are deleted at the same time: so
// it must come to that write where what its cleanup deletes, or looks up, is gone.

// A need is a request that fails where the object is gone that it is about.
type need struct {
	request *ssa.Call    // in the package, or the call of the function of another one that makes it
	typ     *types.Named // of the object, nil where it goes by an interface
	deletes bool         // it asks for its deletion
}

// checkNeeds reports the requests that fail where their object is gone, and then keep a deleted object from all that takes its finalizer away.
func (a *analyzer) checkNeeds(fn *ssa.Function) {
	events := a.events(fn)
	seen := map[flow.Path]bool{}
	for _, r := range events {
		if !takesAway(r) || r.deferred || freshlyMade(r, events) || seen[r.obj.path] || strings.Contains(r.obj.path.Sel, "[") || ofTurn(r.obj.path.Root) {
			continue
		}
		seen[r.obj.path] = true
		var deleted *world // made for the first need: it takes as long as fn is large
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || in == r.in {
				continue
			}
			needs := slices.DeleteFunc(a.needsOf(call, r.obj.path.Root, events), func(n need) bool {
				return n.typ != nil && n.typ == kube.Named(r.obj.typ) || !a.mayBeGone(n, call, r, events)
			})
			if len(needs) == 0 {
				continue
			}
			if deleted == nil {
				deleted = a.deletingWorld(fn, r.obj.places())
			}
			goes := a.released(deleted.View, call, r, events)
			if goes < 0 || !deleted.Live(call.Block()) {
				continue
			}
			if a.released(a.withoutObject(fn, call, r.obj.places()), call, r, events) >= 0 {
				continue
			}
			if n := needs[0]; n.deletes || a.removedHereAlone(fn, r, events) {
				a.unmet = append(a.unmet, unmet{events[goes], call, n})
			}
			break
		}
	}
}

// released is the index of the first event behind call that takes a finalizer off the object of r, -1 where control comes to none.
func (a *analyzer) released(w *ways.View, call *ssa.Call, r event, events []event) int {
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
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		for _, n := range a.failsWithout(callee) {
			if !n.deletes || everyTime(call, obj, nil) {
				needs = append(needs, n)
			}
		}
		return needs
	}
	r, ok := kube.RequestOf(&call.Call)
	switch {
	case !ok:
		var fact Effects
		if fn := flow.Callee(&call.Call); fn != nil && a.fact(fn, &fact) {
			for _, name := range fact.Needs {
				needs = append(needs, need{call, link.Named(a.pass.Pkg, name), false})
			}
		}
	case r.Verb == kube.VerbDelete:
		for _, e := range events {
			if e.kind == deletes && e.in == ssa.Instruction(call) && notLookedUp(e, events) && everyTime(call, obj, nil) {
				return []need{{call, kube.Named(e.obj.typ), true}}
			}
		}
	case r.Verb == kube.VerbGet && r.Object == nil:
		if of, _ := flow.ResultOf(obj); of != call {
			return []need{{call, kube.Named(call.Call.Signature().Results().At(0).Type()), false}}
		}
	case r.Verb == kube.VerbGet && (obj == nil || objectOf(r.Object).path.Root != obj):
		return []need{{call, kube.Named(flow.Resolve(r.Object).Type()), false}}
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
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || !everyTime(call, nil, failing) {
				continue
			}
			if needs := a.needsOf(call, nil, events); len(needs) > 0 && failsBehind(a.withoutObject(fn, call, nil), call) {
				failing[call] = true
				all = append(all, needs...)
			}
		}
		return all
	})
}

// failsBehind reports whether all returns behind call fail.
func failsBehind(w *ways.View, call *ssa.Call) bool {
	i, from, found := flow.ErrorResult(call.Parent().Signature), w.From(call.Block()), false
	from[call.Block()] = true
	for ret := range flow.Returns(call.Parent()) {
		if from[ret.Block()] {
			found = true
			if v, sure := flow.Returned(ret, i); !sure || w.At(v, ret.Block()) != flow.No {
				return false
			}
		}
	}
	return found
}

// mayBeGone reports whether the object of n may be gone while that of r is still there: what fn has deleted itself, and what nothing keeps.
func (a *analyzer) mayBeGone(n need, call *ssa.Call, r event, events []event) bool {
	if n.deletes {
		return true
	}
	kind := kindOf(r.obj)
	return n.typ != nil && kind != nil && (r.only || a.guarded(r)) && hadBefore(r.obj, call, events) && !a.isKept(n.typ, kind)
}

// isKept reports whether something may keep objects of type t as long as one of type kind needs them. Their controller may, so that has to be in
// sight; those of Kubernetes itself go when somebody deletes them, volumes and namespaces in use but for these.
func (a *analyzer) isKept(t, kind *types.Named) bool {
	of := a.changesOf()
	if of.added[t] || of.kept[t] || of.taken[t] != nil || a.controls(t) {
		return a.waitsFor(t, kind)
	}
	name := t.Obj().Name()
	return !strings.HasPrefix(t.Obj().Pkg().Path(), "k8s.io/api/") || name == "PersistentVolumeClaim" || name == "PersistentVolume" || name == "Namespace"
}

// controls reports whether the package has the controller of the kind t.
func (a *analyzer) controls(t *types.Named) bool {
	if a.controlled == nil {
		a.controlled = map[*types.Named]bool{}
		for _, c := range controllers.Controllers(a.pkg) {
			for _, w := range c.Watches {
				if w.Role == "For" && w.Kind != nil {
					a.controlled[kube.Named(w.Kind)] = true
				}
			}
		}
	}
	return a.controlled[t]
}

// waitsFor reports whether who takes the finalizers off objects of type t may list those of type kind, and so keep one until the last of them is
// gone.
func (a *analyzer) waitsFor(t, kind *types.Named) bool {
	of := a.changesOf()
	var takers []*ssa.Function
	for _, in := range of.taken[t] {
		for fn := range a.above(in.Parent()) {
			takers = append(takers, fn)
		}
	}
	if of.added[t] && takers == nil {
		takers = a.pkg.Funcs // it goes unseen
	}
	for fn := range a.pkg.Reach(program.Calls|program.Dispatches|program.Mentions, takers...) {
		for in := range flow.Instrs(fn) {
			if v, ok := in.(ssa.Value); ok {
				if list := kube.Named(v.Type()); list != nil && list.Obj().Pkg() == kind.Obj().Pkg() && list.Obj().Name() == kind.Obj().Name()+"List" {
					return true
				}
			}
		}
	}
	return false
}

// notLookedUp reports whether d deletes what its function has made a name for, and has not found.
func notLookedUp(d event, events []event) bool {
	r, _ := kube.RequestOf(d.in.(ssa.CallInstruction).Common())
	if r.Object == nil {
		return lasting(r.Name, nil)
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
	return isNamed(alloc, alloc)
}

// isNamed reports whether the object at obj, of which the struct at part is the whole or the metadata, gets a lasting name in its literal.
func isNamed(obj, part *ssa.Alloc) bool {
	for st, fa := range flow.FieldStores(obj.Parent()) {
		p := flow.PathOf(fa)
		if p.Root != ssa.Value(part) {
			continue
		}
		if strings.HasSuffix(p.Sel, ".Name") {
			return lasting(st.Val, nil)
		}
		if load, ok := st.Val.(*ssa.UnOp); ok && strings.HasSuffix(p.Sel, ".ObjectMeta") {
			meta, ok := load.X.(*ssa.Alloc)
			return ok && isNamed(obj, meta)
		}
	}
	return false
}

// everyTime reports whether call is made whenever its function runs for the object at obj: no test in front of it has asked for more than
// errors, the deletion, a finalizer, or what somebody wants. That a request found something is more, unless it is one of failing.
func everyTime(call *ssa.Call, obj ssa.Value, failing map[*ssa.Call]bool) bool {
	for test, t := range flow.Decided(call.Block()) {
		if t == flow.Either {
			continue
		}
		cond, _ := flow.Positive(test.Cond)
		err := askedError(cond)
		if err == nil {
			if !lasting(cond, obj) {
				return false
			}
			continue
		}
		of, _ := flow.ResultOf(flow.Resolve(err))
		if of == nil {
			return false
		}
		if get, ok := kube.RequestOf(&of.Call); ok && !failing[of] && get.Verb == kube.VerbGet && (get.Object == nil || obj == nil || objectOf(get.Object).path.Root != obj) {
			return false // it has looked whether something is there
		}
	}
	return true
}

// askedError is the error that cond asks for, whether there is one or whether it says that something is gone; nil where it asks for none.
func askedError(cond ssa.Value) ssa.Value {
	if call, ok := cond.(*ssa.Call); ok && isGoneTest(call) {
		return call.Call.Args[0]
	}
	x, _, ok := flow.NilTest(cond)
	if !ok || !flow.IsError(x.Type()) {
		return nil
	}
	if call, ok := flow.Resolve(x).(*ssa.Call); ok && isGoneTest(call) { // IgnoreNotFound
		return call.Call.Args[0]
	}
	return x
}

// lasting reports whether v is the same whenever its function runs for the object obj: made of constants, parameters and what that object says.
func lasting(v, obj ssa.Value) bool { return lasts(v, obj, map[ssa.Value]bool{}) }

func lasts(v, obj ssa.Value, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return true // as the rest of it says
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.BinOp:
		return lasts(v.X, obj, seen) && lasts(v.Y, obj, seen)
	case *ssa.Phi: // the counter of a loop
		basic, ok := v.Type().(*types.Basic)
		return ok && basic.Info()&types.IsInteger != 0 && !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !lasts(e, obj, seen) })
	case *ssa.MakeInterface:
		return lasts(v.X, obj, seen)
	case *ssa.Convert:
		return lasts(v.X, obj, seen)
	case *ssa.Slice:
		elems := flow.Elements(v)
		return len(elems) > 0 && !slices.ContainsFunc(elems, func(e ssa.Value) bool { return !lasts(e, obj, seen) })
	case *ssa.Extract:
		return lasts(v.Tuple, obj, seen)
	case *ssa.Field:
		return lasts(v.X, obj, seen)
	case *ssa.Call:
		callee := flow.StaticCallee(&v.Call)
		if _, request := kube.RequestOf(&v.Call); request || flow.ErrorResult(v.Call.Signature()) >= 0 && (callee == nil || callee.Blocks != nil) ||
			callee != nil && remembers(callee) {
			return false
		}
		args := flow.AllArgs(&v.Call)
		return len(args) > 0 && !slices.ContainsFunc(args, func(e ssa.Value) bool { return !lasts(e, obj, seen) })
	case *ssa.Alloc: // a key
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				for _, u := range *r.Referrers() {
					if st, ok := u.(*ssa.Store); ok && !lasts(st.Val, obj, seen) {
						return false
					}
				}
			case *ssa.Store:
				if r.Addr == ssa.Value(v) && !lasts(r.Val, obj, seen) {
					return false
				}
			case ssa.CallInstruction:
				return obj == ssa.Value(v)
			}
		}
		return true
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return lasts(v.X, obj, seen)
		}
		if a, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return lasts(a, obj, seen)
		}
	}
	p := flow.PathOf(v)
	if strings.Contains(p.Sel, ".Items[") || strings.Contains(p.Sel, ".Status.") {
		return false
	}
	switch p.Root.(type) {
	case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.Alloc:
		return p.Root == obj || lasts(p.Root, obj, seen)
	}
	return obj != nil && p.Root == obj
}

// remembers reports whether fn looks into a map that the process keeps: what it finds there may be gone at the next try.
func remembers(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		lookup, ok := in.(*ssa.Lookup)
		if !ok {
			continue
		}
		switch root := flow.PathOf(lookup.X).Root.(type) {
		case *ssa.Parameter:
			if _, given := root.Type().Underlying().(*types.Map); !given && !kube.IsObject(root.Type()) {
				return true
			}
		case *ssa.Global:
			return true
		}
	}
	return false
}

// An unmet need is one that may keep the object of r.
type unmet struct {
	r    event
	call *ssa.Call
	need need
}

// reportNeeds reports the unmet needs, those that one request has together.
func (a *analyzer) reportNeeds() {
	of := map[*ssa.Call][]unmet{}
	slices.SortStableFunc(a.unmet, func(x, y unmet) int {
		return cmp.Or(cmp.Compare(flow.FuncName(x.call.Parent()), flow.FuncName(y.call.Parent())), cmp.Compare(flow.Pos(x.call), flow.Pos(y.call)))
	})
	for _, u := range a.unmet {
		of[u.need.request] = append(of[u.need.request], u)
	}
	for _, u := range a.unmet {
		if all := of[u.need.request]; all != nil {
			delete(of, u.need.request)
			a.reportNeed(all)
		}
	}
}

func (a *analyzer) reportNeed(all []unmet) {
	u := all[0]
	what, asks := "another object", "looks it up"
	if u.need.typ != nil {
		what = "its " + u.need.typ.Obj().Name()
	}
	advice := "handle the deletion first, or let it pass where there is none"
	if u.need.deletes {
		asks, advice = "deletes it", "take \"not found\" for done"
	}
	line := rule.Line(a.pass, flow.Pos(u.r.in))
	related := []analysis.RelatedInformation{{Pos: flow.Pos(u.r.in), Message: "the finalizer goes here"}}
	if u.need.request != u.call {
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(u.need.request), Message: "this " + asks})
	}
	for _, o := range all[1:] {
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(o.call), Message: "and this is so here, too"})
	}
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(u.call), Sub: "unreachable",
		Message: fmt.Sprintf("%s keeps its finalizer once %s is gone: this %s, and fails then, and nothing comes to line %d, where the finalizer goes; %s",
			a.named(u.r), what, asks, line, advice),
		Related: related,
	})
}

// hadBefore reports whether fn has o in front of call: a parameter, what it has read, or what it was given. An object that is looked up later,
// as the owner of the first one, is not the one that is reconciled.
func hadBefore(o object, call *ssa.Call, events []event) bool {
	switch root := o.path.Root.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Alloc:
		return slices.ContainsFunc(events, func(r event) bool {
			return r.kind == reads && r.obj.path == o.path && r.in != ssa.Instruction(call) && flow.Dominates(r.in, call)
		})
	case ssa.Instruction:
		return flow.Dominates(root, call)
	}
	return false
}

// kindOf is the type of o itself, nil where it goes by an interface or by a part of it.
func kindOf(o object) *types.Named {
	if o.path.Sel != "" || types.IsInterface(o.path.Root.Type()) {
		return nil
	}
	return kube.Named(o.path.Root.Type())
}

// withoutObject is fn with the object at objs being deleted, and with lookup finding none.
func (a *analyzer) withoutObject(fn *ssa.Function, lookup *ssa.Call, objs []flow.Path) *ways.View {
	w := &world{a: a, objs: objs}
	says := func(v ssa.Value) bool {
		call, _ := flow.ResultOf(v)
		return call == lookup && flow.IsError(v.Type())
	}
	w.see(fn, func(v ssa.Value) flow.Truth {
		if says(v) {
			return flow.No
		}
		if call, ok := v.(*ssa.Call); ok && isGoneTest(call) && says(flow.Resolve(call.Call.Args[0])) {
			return flow.Yes
		}
		return w.tell(v)
	})
	return w.View
}

// isGoneTest reports whether call asks an error whether something is not there, or ignores one that says so.
func isGoneTest(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return fn != nil && len(call.Call.Args) == 1 && flow.IsError(call.Call.Args[0].Type()) && asksGone(fn.Name())
}
