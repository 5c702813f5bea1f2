package finalizerorder

import (
	"fmt"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkAdding reports the finalizers that fn adds to an object before it looks whether the object is being deleted.
// That fn does look shows that such objects come here.
func (a *analyzer) checkAdding(fn *ssa.Function) {
	events := a.events(fn)
	reported := map[ssa.Instruction]bool{}
	for _, e := range events {
		if reported[e.in] || e.kind != adds && e.kind != addsNow || e.never || e.only || e.deferred || freshlyMade(e, events) {
			continue
		}
		tests := a.checksOf(fn, e)
		if len(tests) == 0 || hasIt(e) || emptyBefore(e) != nil || a.takenBack(fn, e, events) || a.levelled(e) || a.excluded(e) || a.mayExclude(e, tests) || a.mayExcludeAbove(e) {
			continue
		}
		reported[e.in] = true
		if r, ok := a.takenBefore(fn, e, events); ok {
			a.reportPutBack(e, r)
		} else if r, ok := a.keptBy(e); ok {
			a.reportKept(e, r, testFor(e, tests))
		} else {
			a.reportAdding(e, tests[0])
		}
	}
}

// testFor is the first of tests to which control comes from e, and the first one where it comes to none.
func testFor(e event, tests []ssa.Instruction) ssa.Instruction {
	i := slices.IndexFunc(tests, func(in ssa.Instruction) bool { return flow.Reaches(e.in, in, nil) })
	return tests[max(i, 0)]
}

// freshlyMade reports whether the object of e is one that is only about to be created.
func freshlyMade(e event, events []event) bool {
	read := false
	for _, x := range events {
		if x.obj.path != e.obj.path {
			continue
		}
		if x.kind == creates {
			return true
		}
		read = read || x.kind == reads
	}
	alloc, made := e.obj.path.Root.(*ssa.Alloc)
	return made && !isVariable(alloc) && !read && !e.obj.key.Known()
}

// isVariable reports whether alloc is a variable that holds one object after the other, not an object.
func isVariable(alloc *ssa.Alloc) bool {
	p, ok := alloc.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	switch p.Elem().Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// checksOf are the checks of the deletion timestamp in e's function, and the calls of functions that make one.
func (a *analyzer) checksOf(fn *ssa.Function, e event) []ssa.Instruction {
	var out []ssa.Instruction
	places := e.obj.places()
	for in := range flow.Instrs(fn) {
		if in == e.in {
			continue
		}
		v, ok := in.(ssa.Value)
		if !ok || !flow.IsBool(v.Type()) && !isCall(in) {
			continue
		}
		direct := false
		for _, p := range places {
			yes, ok := deleting(v, p)
			direct = direct || ok && handles(v, yes)
		}
		if call, ok := in.(*ssa.Call); direct || ok && a.callTests(call, places) && !a.asksByWriting(call, places, map[*ssa.Function]bool{}) {
			out = append(out, in)
		}
	}
	return out
}

// asksByWriting reports whether call asks for the deletion of the object at objs in nothing but functions of other packages that write it: these ask
// to understand the answer.
func (a *analyzer) asksByWriting(call *ssa.Call, objs []flow.Path, seen map[*ssa.Function]bool) bool {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || callee.Blocks == nil {
		return slices.ContainsFunc(a.events(call.Parent()), func(x event) bool {
			return x.in == ssa.Instruction(call) && x.kind == writes && !x.only && !x.never && slices.ContainsFunc(x.obj.places(), func(p flow.Path) bool { return slices.Contains(objs, p) })
		})
	}
	if seen[callee] {
		return true
	}
	seen[callee] = true
	there := a.into(objs, callee, call.Call.Args)
	for in := range flow.Instrs(callee) {
		if v, ok := in.(ssa.Value); ok && slices.ContainsFunc(there, func(p flow.Path) bool { _, asks := deleting(v, p); return asks }) {
			return false
		}
		if c, ok := in.(*ssa.Call); ok && a.callTests(c, there) && !a.asksByWriting(c, there, seen) {
			return false
		}
	}
	return true
}

// handles reports whether something is done for deleted objects alone where v is asked, which is yes for them. A condition
// that only leaves out a part of the work for them says nothing of what comes later.
func handles(v ssa.Value, yes bool) bool {
	for _, r := range *v.Referrers() {
		cond, ok := r.(*ssa.If)
		if !ok {
			if _, debug := r.(*ssa.DebugRef); !debug {
				return true
			}
			continue
		}
		if s := flow.Side(cond, flow.Settled(yes)); len(s.Preds) == 1 {
			return true
		}
	}
	return false
}

func isCall(in ssa.Instruction) bool { _, ok := in.(*ssa.Call); return ok }

// excluded reports whether e does not happen to an object that is being deleted: here, or at every call of this
// function in the package.
func (a *analyzer) excluded(e event) bool { return a.excludedAt(e.in, e.obj.places()) }

// An excludeKey asks whether objects that are being deleted come to an instruction.
type excludeKey struct {
	in  ssa.Instruction
	obj outcomeKey
}

func (a *analyzer) excludedAt(in ssa.Instruction, objs []flow.Path) bool {
	places := map[excludeKey][]flow.Path{}
	key := func(in ssa.Instruction, objs []flow.Path) excludeKey {
		k := excludeKey{in, keyOf(in.Parent(), objs)}
		places[k] = objs
		return k
	}
	return a.excludes.Holds(key(in, objs), func(k excludeKey) (decided, holds bool, above []excludeKey) {
		fn, objs := k.in.Parent(), places[k]
		if !a.deletingWorld(fn, objs).Live(k.in.Block()) {
			return true, true, nil
		}
		for _, c := range a.pkg.Callers(fn) {
			var there []flow.Path
			for _, obj := range objs {
				if p, ok := flow.Substitute(obj, fn, c.Common().Args); ok && !a.descends(obj, p, c) {
					there = append(there, flow.Path{Root: p.Root, Sel: trimMeta(p.Sel)})
					if q := a.held(p); q != p {
						there = append(there, flow.Path{Root: q.Root, Sel: trimMeta(q.Sel)})
					}
				}
			}
			if len(there) == 0 {
				return true, false, nil
			}
			above = append(above, key(c, there))
		}
		return len(above) == 0, false, above
	})
}

// mayExclude reports whether a decision in front of e rests on what a function made of the object that cannot be seen
// through, and that may have been about its deletion. A decision that stands in front of the tests as well lets deleted
// objects pass, or the tests would be for nothing.
func (a *analyzer) mayExclude(e event, tests []ssa.Instruction) bool {
	b := e.in.Block()
	for test := range decisions(b) {
		if gatesAll(test.Block(), b, tests) {
			continue
		}
		for _, call := range sources(test.Cond, map[ssa.Value]bool{}) {
			if a.opaqueTo(call, e) {
				return true
			}
		}
	}
	return false
}

// takenBack reports whether e adds in memory what is taken off again, while the object is being deleted, before anything writes it: on every way
// that ends without an error.
func (a *analyzer) takenBack(fn *ssa.Function, e event, events []event) bool {
	if e.kind != adds {
		return false
	}
	taken, written := map[ssa.Instruction]bool{}, map[ssa.Instruction]bool{}
	for _, x := range events {
		switch {
		case x.deferred || x.in == e.in || x.obj.path != e.obj.path && !x.obj.same(e.obj):
		case takesAway(x) && (x.finalizer == e.finalizer || x.finalizer == ""):
			taken[x.in] = true
		case x.kind == writes || x.kind == addsNow:
			written[x.in] = true
		}
	}
	w := a.deletingWorld(fn, e.obj.places())
	seen := map[*ssa.BasicBlock]bool{}
	// stays reports whether a way from the instruction i of b keeps what is added.
	var stays func(b *ssa.BasicBlock, i int) bool
	stays = func(b *ssa.BasicBlock, i int) bool {
		for _, in := range b.Instrs[i:] {
			if taken[in] {
				return false
			}
			if written[in] {
				return true
			}
			if ret, ok := in.(*ssa.Return); ok && !fails(ret) {
				return true
			}
		}
		for next := range w.Next(b) {
			if !seen[next] {
				seen[next] = true
				if stays(next, 0) {
					return true
				}
			}
		}
		return false
	}
	return len(taken) > 0 && !stays(e.in.Block(), slices.Index(e.in.Block().Instrs, e.in)+1)
}

// hasIt reports whether control comes to e only where a test has found its finalizer on the object: nothing is added then.
func hasIt(e event) bool {
	for _, found := range answersAt(e.in.Block(), e.obj) {
		if found.has && (e.finalizer == "" || found.finalizer == e.finalizer) {
			return true
		}
	}
	return false
}

// mayExcludeAbove reports whether each call of e's function in the package stands behind a decision that rests on what a function which asks
// for the deletion made of the object: it may have left out those that are being deleted, or those without the finalizer.
func (a *analyzer) mayExcludeAbove(e event) bool {
	return a.excludesAbove(e.in.Parent(), e, map[*ssa.Function]bool{})
}

func (a *analyzer) excludesAbove(fn *ssa.Function, e event, seen map[*ssa.Function]bool) bool {
	callers := a.pkg.Callers(fn)
	if seen[fn] || len(callers) == 0 {
		return false
	}
	seen[fn] = true
	for _, c := range callers {
		p, ok := flow.Substitute(e.obj.path, fn, c.Common().Args)
		if !ok {
			return false
		}
		there := e
		there.obj = e.obj.at(p)
		if !a.asksBefore(c, there) && !a.excludesAbove(c.Parent(), there, seen) {
			return false
		}
	}
	return true
}

// asksBefore reports whether a decision in front of in rests on a function that asks whether the object of e is being deleted.
func (a *analyzer) asksBefore(in ssa.Instruction, e event) bool {
	for test := range decisions(in.Block()) {
		for _, call := range sources(test.Cond, map[ssa.Value]bool{}) {
			if a.callTests(call, e.obj.places()) {
				return true
			}
		}
	}
	return false
}

// gatesAll reports whether the way out of d that does not lead to b leads to none of the tests either.
func gatesAll(d, b *ssa.BasicBlock, tests []ssa.Instruction) bool {
	for _, s := range d.Succs {
		from := flow.BlocksFrom(s)
		if from[b] {
			continue
		}
		for _, t := range tests {
			if from[t.Block()] || t.Block() == d || t.Block().Dominates(d) {
				return false
			}
		}
	}
	return true
}

// decisions are the tests on every way to b of which one way out does not lead to b, the nearest first.
func decisions(b *ssa.BasicBlock) iter.Seq[*ssa.If] {
	return func(yield func(*ssa.If) bool) {
		for test := range flow.Decided(b) {
			away := func(s *ssa.BasicBlock) bool { return !flow.BlocksFrom(s)[b] }
			if slices.ContainsFunc(test.Block().Succs, away) && !yield(test) {
				return
			}
		}
	}
}

// sources are the calls whose results, other than errors, the condition v is computed from.
func sources(v ssa.Value, seen map[ssa.Value]bool) []*ssa.Call {
	if v == nil {
		return nil
	}
	v = flow.Resolve(v)
	if seen[v] || flow.IsError(v.Type()) {
		return nil
	}
	seen[v] = true
	var out []*ssa.Call
	switch v := v.(type) {
	case *ssa.Call:
		out = append(out, v)
		for _, arg := range flow.AllArgs(&v.Call) {
			out = append(out, sources(arg, seen)...)
		}
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			out = append(out, c)
		}
	case *ssa.BinOp:
		out = append(sources(v.X, seen), sources(v.Y, seen)...)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return sources(v.X, seen)
		}
		if f, ok := v.X.(*ssa.FieldAddr); ok {
			return sources(f.X, seen)
		}
		if alloc, ok := v.X.(*ssa.Alloc); ok {
			for _, r := range *alloc.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(alloc) {
					out = append(out, sources(st.Val, seen)...)
				}
			}
		}
	case *ssa.Field:
		return sources(v.X, seen)
	case *ssa.Alloc:
		for _, r := range *v.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) {
				out = append(out, sources(st.Val, seen)...)
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			out = append(out, sources(e, seen)...)
		}
	}
	return out
}

// opaqueTo reports whether call gets the object of e, or something that holds it, and may have asked whether it is
// being deleted.
func (a *analyzer) opaqueTo(call *ssa.Call, e event) bool {
	if _, ok := containment(call); ok {
		return false
	}
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return true
	}
	if addsFinalizer(fn.Name()) || asksContained(fn.Name()) {
		return false
	}
	if recv := flow.Recv(&call.Call); recv != nil && kube.IsObject(recv.Type()) && len(flow.Args(&call.Call)) == 0 {
		return false // a getter of the object, unless it was read as a check of its deletion
	}
	given := false
	for _, arg := range flow.AllArgs(&call.Call) {
		p := objectOf(arg).path
		for _, o := range e.obj.places() {
			if p.Known() && p.Root == o.Root && kube.IsObject(arg.Type()) {
				given = true
			}
		}
	}
	if !given {
		return false
	}
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		return a.tests(callee, a.into(e.obj.places(), callee, call.Call.Args))
	}
	var fact Effects
	return !a.fact(fn, &fact) || a.callTests(call, e.obj.places())
}

func (a *analyzer) reportAdding(e event, test ssa.Instruction) {
	pass := a.pass
	name := nameOf(pass, e)
	msg := fmt.Sprintf("%s gets a finalizer here before line %d asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first",
		name, rule.Line(pass, flow.Pos(test)))
	related := []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "the check of the deletion timestamp"}}
	if flow.Reaches(test, e.in, nil) && flow.Dominates(test, e.in) {
		msg = fmt.Sprintf("%s may be on its way out when it gets a finalizer here: the check at line %d lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled",
			name, rule.Line(pass, flow.Pos(test)))
	}
	a.tell(e, rule.Finding{Pos: e.in.Pos(), Sub: "addedbeforecheck", Site: "unchecked-add", Message: msg, Related: related})
}

// tell reports f, which is about the addition e. Where a function of the user's own makes that, f is one finding of the command with those of its other callers.
func (a *analyzer) tell(e event, f rule.Finding) {
	if call, ok := e.in.(ssa.CallInstruction); ok && e.at != e.in {
		if fn := flow.Callee(call.Common()); fn != nil && fn.Pkg() != nil && !kube.IsLibrary(fn.Pkg().Path()) {
			a.verdicts.Blame(f, fn.FullName())
		}
	}
	rule.Report(a.pass, f)
}
