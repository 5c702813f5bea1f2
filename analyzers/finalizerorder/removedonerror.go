package finalizerorder

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// checkCleanup reports the removals of a finalizer in fn that a failed cleanup does not keep from happening.
func (a *analyzer) checkCleanup(fn *ssa.Function) {
	events := a.events(fn)
	var removals []event
	levelled := map[flow.Path]bool{} // objects that another finalizer keeps as long as something is left
	for _, e := range events {
		if (e.kind == adds || e.kind == removes) && !levelled[e.obj.path] && a.levelled(e) {
			levelled[e.obj.path] = true
		}
	}
	for _, inLoop := range []bool{false, true} { // of two for one cleanup, the one behind the loop says more
		for _, r := range events {
			if takesAway(r) && flow.InLoop(r.in.Block()) == inLoop && !freshlyMade(r, events) && !(r.deferred && a.onlyOnSuccess(r)) && !levelled[r.obj.path] {
				removals = append(removals, r)
			}
		}
	}
	reported := map[ssa.Instruction]bool{}
	var told []event // the removals that found is about
	var found []rule.Finding
	releases := sync.OnceValue(func() []event { return a.releases(append(a.persisted(events), events...)) })
	for _, r := range removals {
	calls:
		for call := range flow.InstrsOf[*ssa.Call](fn) {
			if reported[r.in] || reported[call] || call == r.in {
				continue
			}
			swallowed := a.swallowed(a.pkg.Callee(&call.Call))
			undoes := a.undoes(call) && !neverFails(a.pkg.Callee(&call.Call)) || ofOther(call, r, events) && releasesOther(call, r, releases())
			if !undoes && (swallowed == nil || r.deferred) || !a.isGuarded(call, r, events) || !a.part(call, r, events) {
				continue
			}
			inner := call
			if !undoes || !r.deferred && shruggedOff(call) || !a.removedAnyway(call, r) {
				if inner = swallowed; r.deferred || inner == nil || !flow.Reaches(call, r.in, nil) {
					continue
				}
			}
			if a.seenGone(call, inner, r) {
				continue
			}
			reported[r.in], reported[call] = true, true
			for i, other := range told {
				if other.obj.path == r.obj.path && !r.deferred && flow.Reaches(call, other.in, nil) { // it goes behind the same cleanups
					found[i].Related = append(found[i].Related, analysis.RelatedInformation{Pos: r.in.Pos(), Message: "another finalizer is removed here, too"})
					continue calls
				}
			}
			told, found = append(told, r), append(found, a.failedCleanup(call, inner, r))
		}
	}
	for _, f := range found {
		rule.Report(a.pass, f)
	}
}

// part reports whether the cleanup call comes before the removal r whenever there is something of the object to clean up, and nothing else
// that tells how it went decides on r: one that is made only sometimes is no condition of the removal; a result "done" beside the error is
// one, and so is a look at the outside that comes after it.
func (a *analyzer) part(call *ssa.Call, r event, events []event) bool {
	if r.deferred {
		return true
	}
	if !flow.Dominates(call, r.in) && !a.wheneverThere(call, r, events) {
		return false
	}
	if a.looked(call, r) {
		return false
	}
	return !slices.ContainsFunc(*call.Referrers(), func(ref ssa.Instruction) bool {
		x, ok := ref.(*ssa.Extract)
		if !ok || !flow.IsBool(x.Type()) {
			return false
		}
		return flow.Any(decisions(r.in.Block()), func(test *ssa.If) bool { return asks(test.Cond, x) })
	})
}

// looked reports whether a look at the outside that comes after the cleanup decides on the removal r.
func (a *analyzer) looked(cleanup ssa.Instruction, r event) bool {
	return flow.Any(decisions(r.in.Block()), func(test *ssa.If) bool {
		look := resultOf(test.Cond)
		return look != nil && ssa.Instruction(look) != cleanup && flow.ErrorResult(look.Call.Signature()) >= 0 &&
			flow.Dominates(cleanup, look) && a.isGiven(look, r.obj.path.Root)
	})
}

// wheneverThere reports whether call comes before r unless a test of the object itself says that there is nothing to do, or another object has had no
// finalizer to be taken off.
func (a *analyzer) wheneverThere(call *ssa.Call, r event, events []event) bool {
	if call.Parent() != r.in.Parent() || !flow.ReachesForward(call, r.in, nil) && (flow.InLoop(r.in.Block()) || !flow.Reaches(call, r.in, nil)) {
		return false
	}
	before := map[*ssa.If]bool{}
	for test := range flow.PathCondition(r.in.Block()) {
		before[test] = true
	}
	for test := range flow.PathCondition(call.Block()) {
		if !before[test] && !a.asksObject(test.Cond, r) && !asksRemoved(test.Cond, events) {
			return false
		}
	}
	return true
}

// asksRemoved reports whether the condition is whether a finalizer has been taken off.
func asksRemoved(cond ssa.Value, events []event) bool {
	cond, _ = flow.StripNot(cond)
	call, ok := cond.(*ssa.Call)
	return ok && slices.ContainsFunc(events, func(e event) bool { return e.in == ssa.Instruction(call) && e.kind == removes })
}

// ofOther reports whether call does something with another object than that of r.
func ofOther(call *ssa.Call, r event, events []event) bool {
	return slices.ContainsFunc(events, func(e event) bool {
		return e.in == ssa.Instruction(call) && e.kind != reads && e.obj.path != r.obj.path
	})
}

// releasesOther reports whether call is one of releases, of another object than that of r: once that is gone, nobody is left to try again.
func releasesOther(call *ssa.Call, r event, releases []event) bool {
	return slices.ContainsFunc(releases, func(e event) bool {
		return e.in == ssa.Instruction(call) && e.obj.path != r.obj.path && !e.obj.same(r.obj)
	})
}

// asksObject reports whether the condition compares something of the object of r, or is whether a loop over something of it goes on.
func (a *analyzer) asksObject(cond ssa.Value, r event) bool {
	switch x := cond.(type) {
	case *ssa.BinOp:
		return !flow.IsError(x.X.Type()) && a.madeOf(x, r.obj.path.Root)
	case *ssa.Extract:
		next, ok := x.Tuple.(*ssa.Next)
		return ok && a.madeOf(next, r.obj.path.Root)
	}
	return false
}

// resultOf is the call of which the condition is a bool result, or the negation of one.
func resultOf(cond ssa.Value) *ssa.Call {
	cond, _ = flow.StripNot(cond)
	x, ok := flow.Resolve(cond).(*ssa.Extract)
	if !ok {
		return nil
	}
	call, _ := x.Tuple.(*ssa.Call)
	return call
}

// asks reports whether the condition is v or its negation.
func asks(cond, v ssa.Value) bool {
	cond, _ = flow.StripNot(cond)
	return flow.Resolve(cond) == v
}

// shruggedOff reports whether a log line of the error of call, a text of it, or a logger that has it, is about less than an error: whoever says so has
// decided that the cleanup may fail.
func shruggedOff(call *ssa.Call) bool {
	work := values.From(flow.ErrorOf(call))
	for in := range work.Uses() {
		if use, ok := in.(*ssa.Call); ok && isMild(use) {
			return true
		} else if ok && (kubeapi.ResultIsLogger(use.Call.Signature()) || kubeapi.Logs(flow.Callee(&use.Call))) {
			work.Add(use)
		}
	}
	return false
}

// isMild reports whether call logs, at a level below that of errors, or in so many words as something that may fail.
func isMild(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return kubeapi.Logs(fn) && (mild.MatchString(fn.Name()) || slices.ContainsFunc(flow.Args(&call.Call), func(v ssa.Value) bool { return meantSo.MatchString(text(v)) }))
}

var (
	mild    = regexp.MustCompile("^(Info|Warn|Debug|Trace)")
	meantSo = regexp.MustCompile(`(?i)best[ -]effort|(not|non)[ -]?(critical|fatal)|\b(skipp|ignor|proceed|continu)ing\b|\banyway\b`)
)

// calledName is the name of what call calls.
func calledName(call *ssa.Call) string {
	if fn := flow.Callee(&call.Call); fn != nil {
		return fn.Name()
	}
	return "a function literal"
}

// takesAway reports whether e takes a finalizer off its object.
func takesAway(e event) bool {
	switch e.kind {
	case removes, removesNow, clears, strips:
		return true
	}
	return false
}

// isCleanup reports whether call cleans up something of which the finalizer of r's object is the guard, and may fail.
func (a *analyzer) isCleanup(call *ssa.Call, r event, events []event) bool {
	return a.isGuarded(call, r, events) && a.undoes(call) && !neverFails(a.pkg.Callee(&call.Call))
}

// neverFails reports whether fn, whose body is in sight, gives no error at any of its returns: whatever has failed in it, it is done.
func neverFails(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	results, i := paths.ResultsOf(fn), flow.ErrorResult(fn.Signature)
	return results != nil && i >= 0 && results[i] == flow.True
}

// isGuarded reports whether call may be about something of which the finalizer of r's object is the guard: it is given something of that object, and
// is no request about the object itself. Where the finalizer goes only once the object is being deleted, so does what it guards.
func (a *analyzer) isGuarded(call *ssa.Call, r event, events []event) bool {
	if call == r.in {
		return false
	}
	kind := deletedType(call)
	other := kind != nil && kubeapi.Named(r.obj.typ) != nil && kind != kubeapi.Named(r.obj.typ) // of the same name
	for _, e := range events {
		if e.in == ssa.Instruction(call) && !other && (e.obj.same(r.obj) || e.obj.path == r.obj.path || e.obj.key == r.obj.path) && e.kind != reads && e.kind != status {
			return false
		}
	}
	// What is done before anybody asks for the deletion is done for all objects.
	if !r.deferred && (r.only || a.guarded(r) || a.tests(call.Parent(), r.obj.places())) && !a.isForDeleted(call, r.obj) {
		return false
	}
	return slices.ContainsFunc(r.obj.places(), func(p flow.Path) bool { return a.isGiven(call, p.Root) })
}

// isGiven reports whether something that is made from v goes to call.
func (a *analyzer) isGiven(call *ssa.Call, v ssa.Value) bool { return a.madeOf(call, v) }

// madeOf reports whether something that is made from v goes to in.
func (a *analyzer) madeOf(in ssa.Instruction, v ssa.Value) bool {
	users, ok := a.users[v]
	if !ok {
		users = map[ssa.Instruction]bool{}
		goesTo(v, func(in ssa.Instruction) bool { users[in] = true; return false })
		a.users[v] = users
	}
	return users[in]
}

// undoes reports whether a failure of the call may leave something behind: it deletes an object, or asks a service for
// something that is no look and no bookkeeping, itself or further down.
func (a *analyzer) undoes(c ssa.CallInstruction) bool {
	if flow.ErrorResult(c.Common().Signature()) < 0 {
		return false
	}
	callee := a.pkg.Callee(c.Common())
	return callee != nil && a.leadsToUndo(callee) || (callee == nil || c.Common().IsInvoke()) && a.undoesByName(c)
}

// undoesByName reports whether what c calls, of another package or of an interface, undoes something by its name and signature.
func (a *analyzer) undoesByName(c ssa.CallInstruction) bool {
	if flow.ErrorResult(c.Common().Signature()) < 0 {
		return false
	}
	fn, recv := flow.Callee(c.Common()), flow.Recv(c.Common())
	if fn == nil || fn.Pkg() == nil || isStandard(fn.Pkg()) || kubeapi.Logs(fn) || a.isCollected(c) {
		return false
	}
	if words.Has(fn.Name(), "delete") && !speaksOfFinalizers(fn.Name()) {
		return true
	}
	if recv != nil && (kubeapi.WritesObjects(recv.Type()) || kubeapi.IsObject(recv.Type())) || kubeapi.IsLibrary(fn.Pkg().Path()) {
		return false
	}
	if !givesNothing(c.Common().Signature().Results()) || readsName(fn.Name()) || aboutItself(fn.Name()) {
		return false
	}
	// What is told nothing has nothing to take away, and what gives a yes or no may only have been asked, but for what their names say.
	return isFinal(fn.Name()) || !answers(fn.Signature()) && isTold(fn.Signature())
}

// answers reports whether a function of that signature gives a yes or no.
func answers(sig *types.Signature) bool {
	return flow.Any(sig.Results().Variables(), func(v *types.Var) bool { return flow.IsBool(v.Type()) })
}

// isTold reports whether a function of that signature is given more than a context.
func isTold(sig *types.Signature) bool {
	return flow.Any(sig.Params().Variables(), func(v *types.Var) bool { return !kubeapi.IsContext(v.Type()) })
}

// isCollected reports whether c asks for the deletion of an object of a kind to which the package gives owners: the garbage collector deletes it, too, once
// its owner is gone.
func (a *analyzer) isCollected(c ssa.CallInstruction) bool {
	t := deletedType(c)
	return t != nil && a.isOwned(t)
}

// isOwned reports whether the package gives owners to objects of type t.
func (a *analyzer) isOwned(t *types.Named) bool {
	if a.owned == nil {
		a.owned = map[*types.Named]bool{}
		for _, o := range kubeapi.Ownerships(a.pkg) {
			if o.Object != nil && o.Controller != flow.Unknown {
				a.owned[kubeapi.Named(o.Object)] = true
			}
		}
	}
	return a.owned[t]
}

// leadsToUndo reports whether callee runs something that undoes.
func (a *analyzer) leadsToUndo(callee *ssa.Function) bool {
	if known, ok := a.undo[callee]; ok {
		return known
	}
	var reached []*ssa.Function
	for fn := range a.pkg.Reach(program.Calls|program.Mentions, callee) {
		if a.undo[fn] || flow.Any(flow.Calls(fn), func(c ssa.CallInstruction) bool {
			return (c.Common().IsInvoke() || a.pkg.Callee(c.Common()) == nil) && a.undoesByName(c)
		}) {
			a.undo[callee] = true
			return true
		}
		reached = append(reached, fn)
	}
	for _, fn := range reached {
		a.undo[fn] = false
	}
	return false
}

// givesNothing reports whether results say how a call has gone, and no more: what gives something else may be there for that.
func givesNothing(results *types.Tuple) bool {
	return !flow.Any(results.Variables(), func(v *types.Var) bool {
		t := v.Type()
		return !flow.IsError(t) && !flow.IsBool(t) && !kubeapi.IsResult(t)
	})
}

// isStandard reports whether p is of the standard library.
func isStandard(p *types.Package) bool {
	return kubeapi.IsStandard(p.Path())
}

// removedAnyway reports whether r happens although call has failed.
func (a *analyzer) removedAnyway(call *ssa.Call, r event) bool {
	err := flow.ErrorOf(call)
	w := walk{
		of:   r.obj.places(),
		goal: func(in ssa.Instruction) bool { return in == r.in && !r.deferred },
		stop: leavesOn(r),
		turn: func(b, s *ssa.BasicBlock) bool {
			return decidesDeletion(b, r) || !returnsFailure(b, s, err) && !comesBackWith(b, s, err, r)
		},
		exit: func(_ *ssa.Return, k *paths.State) bool {
			d, _ := r.in.(*ssa.Defer)
			return r.deferred && (k.Deferred[d] || flow.Dominates(r.in, call))
		},
	}
	if err == nil { // dropped
		err = call
	} else if c, ok := r.in.(ssa.CallInstruction); ok && slices.Contains(flow.AllArgs(c.Common()), err) {
		return false // who removes it is told of the failure, and may tell one that is none: "not found"
	}
	w.lost = isLost(call, err)
	return w.from(a, call, err, flow.False)
}

// leavesOn asks of instructions whether they put a finalizer on the list that the removal r makes anew: one that stays, for what has failed.
func leavesOn(r event) func(ssa.Instruction) bool {
	list := values.From(newList(r.in))
	for v := range list.All() {
		switch v := v.(type) {
		case *ssa.Phi:
			list.Add(v.Edges...)
		case *ssa.Call:
			if flow.Builtin(&v.Call) == "append" {
				list.Add(v.Call.Args[0])
			}
		}
	}
	return func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		return ok && flow.Builtin(&call.Call) == "append" && list.Has(call)
	}
}

// decidesDeletion reports whether the test at the end of b is whether the object of r is being deleted: that is no choice among failures.
func decidesDeletion(b *ssa.BasicBlock, r event) bool {
	test := flow.Branch(b)
	if test == nil {
		return false
	}
	return slices.ContainsFunc(r.obj.places(), func(p flow.Path) bool {
		_, known := deleting(test.Cond, p)
		return known
	})
}

// returnsFailure reports whether the test at the end of b returns the error err on the other side than s: whoever asks more there than whether
// the call has failed has decided which failures let the object go.
func returnsFailure(b, s *ssa.BasicBlock, err ssa.Value) bool {
	return slices.ContainsFunc(b.Succs, func(other *ssa.BasicBlock) bool {
		if other == s || flow.ReturnOf(other) == nil {
			return false
		}
		w := walk{failed: err}
		own := flow.ReturnedError(flow.ReturnOf(other))
		return own != nil && w.carries(own)
	})
}

// comesBackWith reports whether the test at the end of b leaves the function on the other side than s, without the removal r, and returns the error err there behind a
// further choice: who asks for how long the object has been on its way out, say, lets it go on purpose.
func comesBackWith(b, s *ssa.BasicBlock, err ssa.Value, r event) bool {
	for _, other := range b.Succs {
		if other == s {
			continue
		}
		from := flow.BlocksFrom(other)
		if from[s] || from[b] || from[r.in.Block()] {
			continue
		}
		for way := range from {
			if ret := flow.ReturnOf(way); ret != nil && handsOn(ret, err) {
				return true
			}
		}
	}
	return false
}

// handsOn reports whether ret returns the error err, or what a function that is told of it gives for an error.
func handsOn(ret *ssa.Return, err ssa.Value) bool {
	w, v := walk{failed: err}, flow.ReturnedError(ret)
	if v == nil {
		return false
	}
	if w.carries(v) {
		return true
	}
	call, _ := flow.ResultOf(flow.Resolve(v))
	return call != nil && slices.ContainsFunc(flow.AllArgs(&call.Call), w.carries)
}

// onlyOnSuccess reports whether the deferred function of r looks at an error before it removes the finalizer, itself or in what it calls.
func (a *analyzer) onlyOnSuccess(r event) bool {
	if r.at == nil || r.at.Parent() == r.in.Parent() {
		return false
	}
	asks := func(in ssa.Instruction) bool {
		return flow.Any(decisions(in.Block()), func(test *ssa.If) bool {
			bin, ok := test.Cond.(*ssa.BinOp)
			return ok && flow.IsError(bin.X.Type()) || isCaptured(test.Cond)
		})
	}
	if asks(r.at) {
		return true
	}
	spawn, ok := r.in.(*ssa.Defer)
	if !ok {
		return false
	}
	lit := flow.StaticCallee(&spawn.Call)
	return lit != nil && lit.Blocks != nil && slices.ContainsFunc(a.events(lit), func(e event) bool { return e.at == r.at && asks(e.in) })
}

// isCaptured reports whether the condition is a variable of the function around.
func isCaptured(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return isCaptured(v.X)
	case *ssa.FreeVar:
		return true
	}
	return false
}

// failedCleanup says that r happens although the cleanup inner, call or one in what that calls, has failed.
func (a *analyzer) failedCleanup(call, inner *ssa.Call, r event) rule.Finding {
	pass := a.pass
	what := calledName(inner)
	name := nameOf(pass, r)
	pos, site := r.in.Pos(), rule.Site("failed-cleanup")
	msg := fmt.Sprintf("%s loses its finalizer even if %s (line %d) fails: the cleanup is never retried; return the error first",
		name, what, rule.Line(pass, flow.Pos(call)))
	if r.deferred {
		site = "deferred-after-failure"
		msg = fmt.Sprintf("%s loses its finalizer in a defer even if %s (line %d) fails: the cleanup is never retried; remove it only on success",
			name, what, rule.Line(pass, flow.Pos(call)))
	}
	related := []analysis.RelatedInformation{{Pos: flow.Pos(inner), Message: "the error of this cleanup is ignored"}}
	if inner != call {
		site = "swallowed-cleanup-error"
		msg = fmt.Sprintf("%s loses its finalizer even if %s fails: %s (line %d) drops the error, so the cleanup is never retried; return it",
			name, what, calledName(call), rule.Line(pass, flow.Pos(call)))
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(call), Message: "called here"})
	}
	if r.at != nil && r.at != r.in {
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(r.at), Message: "the finalizer is removed here"})
	}
	return rule.Finding{Pos: pos, Sub: "removedonerror", Site: site, Message: msg, Related: related}
}
