package finalizerorder

import (
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// kind is what an event does to an object.
type kind int

const (
	clears     kind = iota // empties the finalizers in memory
	writes                 // writes the object as it is in memory to the API server
	strips                 // removes all finalizers at the API server
	deletes                // deletes the object
	reads                  // fills the object from the API server
	adds                   // adds a finalizer in memory
	removes                // removes single finalizers in memory
	addsNow                // adds a finalizer at the API server
	removesNow             // removes single finalizers at the API server
	status                 // writes the status of the object, and nothing else of it
	creates                // creates the object at the API server
)

// event is a step of a function that matters to the finalizers of one object.
type event struct {
	kind kind
	obj  object
	in   ssa.Instruction // in the function under analysis
	at   ssa.Instruction // where it really happens; in itself, an instruction of a callee, or nil for another package

	finalizer string          // the one that is added or removed, "" where that is not known
	deferred  bool            // it happens where the function ends
	only      bool            // a callee has made sure that the object is being deleted
	when      paths.Condition // the values of a parameter for which it happens
}

type analyzer struct {
	pass       *analysis.Pass
	pkg        *program.Program
	memo       map[*ssa.Function][]event
	busy       map[*ssa.Function]bool
	out        map[*ssa.Function][]event
	lists      map[*ssa.Function]change
	outcomes   program.Answers[outcomeKey, []flow.Truth]
	results    *paths.Calls
	guards     program.Always[guardKey]
	changes    program.Answers[ssa.Value, change]
	tested     program.Answers[outcomeKey, bool]
	releasing  program.Answers[outcomeKey, bool]
	swallows   program.Answers[*ssa.Function, *ssa.Call]
	owned      map[*types.Named]bool // kinds of objects that the package gives owners; nil until somebody asks
	needs      program.Answers[*ssa.Function, []need]
	facts      map[*types.Func]*Effects
	left       map[*ssa.Function][]Replaced           // for packages that call them
	told       map[link.At]bool                       // the findings of other packages that are reported
	users      map[ssa.Value]map[ssa.Instruction]bool // what something that is made of a value goes to
	undo       map[*ssa.Function]bool                 // whether it leads to a call that undoes something
	single     map[*types.Named][]event               // the additions and removals of single finalizers, which are known, by the type of the objects; nil until that is asked
	objects    map[typeKey]bool
	edits      map[*ssa.Call]bool // whether what it looks up is changed behind it
	contracts  []contract         // the methods by which somebody has the package clean up
	index      *changeIndex
	controlled map[*types.Named]bool // the kinds whose controllers are here; nil until that is asked
	frees      program.Answers[freedKey, *event]
	meets      program.Answers[*types.Named, map[*ssa.Function]bool]
	listing    map[*ssa.Function][]string // the custom kinds of which a function leads to a list; nil until that is asked
	toldFreed  map[ssa.Instruction]bool   // where that is reported
	unit       *link.Unit[Keepers]
}

func newAnalysis(pass *analysis.Pass, pkg *program.Program) *analyzer {
	return &analyzer{
		pass: pass, pkg: pkg,
		memo: map[*ssa.Function][]event{}, busy: map[*ssa.Function]bool{}, out: map[*ssa.Function][]event{},
		lists: map[*ssa.Function]change{}, results: paths.NewCalls(pkg),
		facts: map[*types.Func]*Effects{}, left: map[*ssa.Function][]Replaced{}, told: map[link.At]bool{}, toldFreed: map[ssa.Instruction]bool{}, users: map[ssa.Value]map[ssa.Instruction]bool{}, undo: map[*ssa.Function]bool{}, objects: map[typeKey]bool{}, edits: map[*ssa.Call]bool{},
	}
}

// events are the steps of fn in block order, with those of the functions that it calls in terms of its own values.
func (a *analyzer) events(fn *ssa.Function) []event {
	if es, ok := a.memo[fn]; ok {
		return es
	}
	if a.busy[fn] {
		return nil // recursion
	}
	a.busy[fn] = true
	var es []event
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			if x := finalizersField(in.Addr); x != nil {
				es = append(es, a.edit(in, x, in.Val)...)
			}
		case *ssa.Call:
			es = append(es, a.callEvents(in)...)
		case *ssa.Defer:
			for _, e := range a.callEvents(in) {
				e.deferred = true
				es = append(es, e)
			}
		}
	}
	delete(a.busy, fn)
	es = distinct(withoutRebuilt(es))
	if len(es) > maxEvents {
		a.pkg.Cut("functions take more steps with finalizers than are looked at", fn)
		es = es[:maxEvents]
	}
	a.memo[fn] = es
	return es
}

// maxEvents is the number of steps of one function, with those of all that it calls, that are looked at. They are compared
// with each other, and each function has all those of its callees: without a bound, a row of functions would cost the
// cube of its length. Beyond it steps are forgotten, and counted.
const maxEvents = 128

// distinct drops what is there twice: two calls in a callee that do the same are one where that is called. Without it the
// steps double with each call on the way.
func distinct(es []event) []event {
	seen := make(map[event]bool, len(es))
	return slices.DeleteFunc(es, func(e event) bool {
		was := seen[e]
		seen[e] = true
		return was
	})
}

// withoutRebuilt drops the clearing of lists that are filled again afterwards with what is to stay.
func withoutRebuilt(es []event) []event {
	return slices.DeleteFunc(es, func(c event) bool {
		return c.kind == clears && slices.ContainsFunc(es, func(r event) bool {
			st, ok := r.in.(*ssa.Store)
			if !ok || r.kind != removes || r.obj.path != c.obj.path {
				return false
			}
			call, ok := flow.Resolve(st.Val).(*ssa.Call)
			return ok && isBuiltin(call) && putsBack(call) && flow.Reaches(c.in, r.in, nil)
		})
	})
}

// edit is the event of giving x the list of finalizers list.
func (a *analyzer) edit(in ssa.Instruction, x, list ssa.Value) []event {
	e := event{obj: objectOf(x), in: in, at: in}
	if !e.obj.known() {
		return nil
	}
	switch a.changeOf(list) {
	case empties:
		e.kind = clears
	case grows:
		e.kind, e.finalizer = adds, appended(list)
	case shrinks:
		e.kind, e.finalizer = removes, dropped(list)
	default:
		return nil
	}
	return []event{e}
}

// appended is the finalizer of append(list, finalizer) and of addString(list, finalizer).
func appended(list ssa.Value) string {
	call, ok := flow.Resolve(list).(*ssa.Call)
	if !ok {
		return ""
	}
	return onlyFinalizer(call.Call.Args)
}

// dropped is the finalizer of removeString(list, finalizer).
func dropped(list ssa.Value) string {
	call, ok := flow.Resolve(list).(*ssa.Call)
	if !ok {
		return ""
	}
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return ""
	}
	return onlyFinalizer(call.Call.Args)
}

func (a *analyzer) callEvents(call ssa.CallInstruction) []event {
	fn := a.pkg.Called(call.Common())
	if fn != nil {
		if es, ok := a.apiEvents(call, fn); ok {
			return es
		}
	}
	var es []event
	if callee, args := a.callee(call); callee != nil {
		es = append(es, a.fromCallee(call, callee, args)...)
	} else if fn != nil {
		es = append(es, a.fromFact(call, fn)...)
	}
	// A function literal handed to a call (a retry, a poll) runs inside it.
	for _, arg := range call.Common().Args {
		if mc, ok := flow.Unwrap(arg).(*ssa.MakeClosure); ok {
			es = append(es, a.fromLiteral(call, mc.Fn.(*ssa.Function))...)
		}
	}
	return append(es, afterMutation(call, fn)...)
}

// callee is the function of the package that c runs, and the arguments for its parameters; nil if it is not known.
func (a *analyzer) callee(c ssa.CallInstruction) (*ssa.Function, []ssa.Value) {
	fn, args := a.pkg.Callee(c.Common()), flow.AllArgs(c.Common())
	if fn == nil || len(fn.Params) != len(args) { // x.m as a value: the receiver is not among the arguments
		return nil, nil
	}
	return fn, args
}

// fromCallee translates what callee does to its parameters: its edits that no write in it took up, and its writes,
// strips and deletions that no check of the deletion timestamp in it guards.
func (a *analyzer) fromCallee(call ssa.CallInstruction, callee *ssa.Function, args []ssa.Value) []event {
	var es []event
	if callee.Parent() != nil { // called through its variable, or on the spot
		return a.fromLiteral(call, callee)
	}
	for _, e := range a.outward(callee) {
		path, ok := flow.Substitute(e.obj.path, callee, args)
		if !ok {
			continue
		}
		var t flow.Truth
		if e.when, t = e.when.Bind(flow.Decl(call.Parent()), args); t != flow.True {
			continue
		}
		path = a.held(path)
		e.obj = e.obj.at(path)
		if p, ok := path.Root.(*ssa.Alloc); ok && path.Sel == "" {
			e.obj.key = readBy(p)
		}
		if c, ok := path.Root.(*ssa.Call); ok && path.Sel == "" {
			if x := copied(c); x != nil {
				e.obj.key = objectOf(x).path
			}
		}
		e.in, e.finalizer = call, handedName(e.finalizer, callee, args)
		es = append(es, e)
	}
	return es
}

// handedName is the finalizer that callee calls so, as the caller calls what it hands to that parameter with args; empty where it hands none.
func handedName(finalizer string, callee *ssa.Function, args []ssa.Value) string {
	switch i := handed(callee, finalizer) - 1; {
	case i < 0:
		return finalizer
	case i < len(args):
		return finalizerName(args[i])
	}
	return ""
}

// handed is one more than the parameter of fn that is the finalizer called so; 0 where none is.
func handed(fn *ssa.Function, finalizer string) int {
	return 1 + slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return p.Name() == finalizer && flow.IsString(p.Type()) })
}

// fromLiteral gives the events of a function literal that concern values of the functions around it, and what it does
// to its parameters.
func (a *analyzer) fromLiteral(call ssa.CallInstruction, lit *ssa.Function) []event {
	var es []event
	for _, e := range a.outward(lit) {
		root := e.obj.path.Root
		if root == nil {
			continue
		}
		if root.Parent() != lit {
			e.in = call
			es = append(es, e)
		} else if p, ok := flow.Substitute(e.obj.path, lit, call.Common().Args); ok && flow.StaticCallee(call.Common()) == lit {
			e.obj = e.obj.at(p)
			e.in = call
			es = append(es, e)
		}
	}
	return es
}

// outward is what a call of fn amounts to.
func (a *analyzer) outward(fn *ssa.Function) []event {
	if es, ok := a.out[fn]; ok {
		return es
	}
	all := a.events(fn)
	var es []event
	for _, e := range a.clearingWrites(all) {
		if !a.deletingAlready(e, all) {
			es = append(es, e)
		}
	}
	for _, e := range a.persisted(all) {
		es = append(es, a.bounded(e))
	}
	for _, e := range all {
		switch e.kind {
		case strips: // seen to above
		case adds, removes:
			if !a.alwaysWritten(e, all) && !handedOn(e) {
				es = append(es, a.bounded(e))
			}
		case addsNow, removesNow, writes:
			es = append(es, a.bounded(ofCopied(e, all)))
		case clears, reads, status, creates:
			es = append(es, e)
		default:
			if !a.guarded(e) {
				es = append(es, e)
			}
		}
	}
	es = slices.DeleteFunc(es, byValue)
	for _, e := range es {
		if k, ok := byKey(fn, e); ok {
			es = append(es, k)
		}
	}
	for i := range es {
		es[i].deferred = false // it is over when fn has returned
	}
	if !a.busy[fn] {
		a.out[fn] = es
	}
	return es
}

// ofCopied is e, one of all, of a copy that the function has made of a parameter, as one of the parameter where it is a write, and the function changes the finalizers of
// neither: what the caller has changed is in the copy.
func ofCopied(e event, all []event) event {
	if _, given := e.obj.key.Root.(*ssa.Parameter); e.kind != writes || !given || !isCopy(e.obj.path) {
		return e
	}
	if slices.ContainsFunc(all, func(c event) bool {
		return c.kind != writes && c.kind != reads && c.kind != status && (c.obj.path == e.obj.path || c.obj.path == e.obj.key)
	}) {
		return e
	}
	e.obj.path, e.obj.key = e.obj.key, flow.Path{}
	return e
}

// isCopy reports whether p is a copy of an object, as it was made.
func isCopy(p flow.Path) bool {
	call, _ := flow.ResultOf(p.Root)
	return call != nil && p.Sel == "" && (copied(call) != nil || copiedBy(call) != nil)
}

// byValue reports whether e happens in memory to an object that its function gets as a copy: the caller's knows nothing of that. Requests that are made with a
// copy are about its object.
func byValue(e event) bool {
	switch e.kind {
	case adds, removes, clears, reads:
	default:
		return false
	}
	p, ok := e.obj.path.Root.(*ssa.Parameter)
	if !ok || e.obj.path.Sel != "" {
		return false
	}
	_, copied := p.Type().Underlying().(*types.Struct)
	return copied
}

// bounded notes in e what its function has made sure of before: that the object is being deleted, and for which arguments it happens.
func (a *analyzer) bounded(e event) event {
	e.only = e.only || a.guarded(e)
	e.when = e.whenHere()
	return e
}

// clearingWrites are the events after which the API server has the object without finalizers: patches that say so,
// and writes of an object whose finalizers were emptied before, and that was not read again in between.
func (a *analyzer) clearingWrites(events []event) []event {
	var out []event
	for _, e := range events {
		switch e.kind {
		case strips:
			out = append(out, e)
		case writes:
			for _, c := range events {
				if e.only {
					break // a callee has looked
				}
				// A helper that does both is one instruction here, and has said strips itself.
				if c.kind == clears && a.takesUp(c, e, events) {
					out = append(out, event{kind: strips, obj: e.obj, in: e.in, at: e.at, deferred: e.deferred})
					break
				}
			}
		}
	}
	return out
}

// persisted are the additions and removals in events that a later write brings to the API server, there.
func (a *analyzer) persisted(events []event) []event {
	var out []event
	for _, c := range events {
		k := addsNow
		switch c.kind {
		case adds:
		case removes:
			k = removesNow
		default:
			continue
		}
		for _, w := range events {
			if w.kind == writes && a.takesUp(c, w, events) {
				out = append(out, event{kind: k, obj: c.obj, in: w.in, at: w.at, finalizer: c.finalizer, deferred: w.deferred, only: c.only, when: c.whenHere()})
				break
			}
		}
	}
	return out
}

// whenHere is for which arguments of its function e happens.
func (e event) whenHere() paths.Condition {
	if e.when != (paths.Condition{}) {
		return e.when
	}
	return paths.NearestCondition(e.in)
}

// takesUp reports whether the write w may carry the change c: it writes the same place in memory later, and no read of
// it stands in between.
func (a *analyzer) takesUp(c, w event, events []event) bool {
	if c.obj.path != w.obj.path || c.in == w.in || basedAfter(w, c) != nil {
		return false
	}
	if w.deferred {
		return flow.Dominates(w.in, c.in) || flow.ReachesForward(c.in, w.in, nil)
	}
	reread := map[ssa.Instruction]bool{}
	for _, r := range events {
		if r.kind == reads && r.obj.path == c.obj.path {
			reread[r.in] = true
		}
	}
	return flow.ReachesForward(c.in, w.in, func(in ssa.Instruction) bool { return reread[in] })
}

// alwaysWritten reports whether every way from the change e to a return that may be a success writes the object.
func (a *analyzer) alwaysWritten(e event, events []event) bool {
	written := map[ssa.Instruction]bool{}
	for _, w := range events {
		if (w.kind == writes || w.kind == creates) && w.obj.path == e.obj.path {
			if w.deferred && flow.Dominates(w.in, e.in) {
				return true
			}
			written[w.in] = true
		}
	}
	if len(written) == 0 {
		return false
	}
	from := e.in
	if changed := whereChanged(e.in); changed != nil { // what was there already needs no write
		if from = changed.Instrs[0]; written[from] {
			return true
		}
	}
	return !flow.Any(flow.Returns(e.in.Parent()), func(ret *ssa.Return) bool {
		return !paths.Fails(ret) && (ssa.Instruction(ret) == from || flow.Reaches(from, ret, func(in ssa.Instruction) bool { return written[in] }))
	})
}

// whereChanged is where control goes if in, which says whether it has changed something, has; nil where nobody asks at once.
func whereChanged(in ssa.Instruction) *ssa.BasicBlock {
	v, ok := in.(ssa.Value)
	test := flow.Branch(in.Block())
	if !ok || test == nil || !flow.IsBool(v.Type()) {
		return nil
	}
	cond, is := flow.StripNot(test.Cond)
	if cond != v {
		return nil
	}
	side := flow.Side(test, flow.TruthOf(is))
	if len(side.Preds) != 1 {
		return nil
	}
	return side
}

// basedAfter is the copy that the patch w is made against, where it is taken behind the change e, so that e is no part of the patch.
func basedAfter(w, e event) *ssa.Call {
	call, ok := w.in.(*ssa.Call)
	if !ok || w.at != w.in || e.in.Parent() != call.Parent() {
		return nil
	}
	r, ok := kubeapi.RequestOf(&call.Call)
	if !ok || r.Verb != kubeapi.VerbPatch || r.Patch == nil {
		return nil
	}
	made, ok := flow.Resolve(r.Patch).(*ssa.Call)
	if !ok || len(flow.Args(&made.Call)) == 0 || !kubeapi.DiffPatches.Has(flow.Callee(&made.Call)) {
		return nil
	}
	base, ok := flow.Unwrap(flow.Resolve(flow.Args(&made.Call)[0])).(*ssa.Call)
	if !ok || copied(base) == nil || objectOf(copied(base)).path != e.obj.path || !flow.Dominates(e.in, base) {
		return nil
	}
	return base
}

// handedOn reports whether the finalizers are read after e and become a part of something else, as of a patch, or of another object.
func handedOn(e event) bool {
	fn := e.in.Parent()
	return slices.ContainsFunc(append([]*ssa.Function{fn}, fn.AnonFuncs...), func(f *ssa.Function) bool {
		if f != fn && !behind(e, f) {
			return false
		}
		return handedOnIn(e, f)
	})
}

// behind reports whether the literal lit is made behind e.
func behind(e event, lit *ssa.Function) bool {
	site := flow.ClosureSite(lit)
	return site != nil && flow.Reaches(e.in, site, nil)
}

// handedOnIn is handedOn in f, the function of e or a literal of it.
func handedOnIn(e event, f *ssa.Function) bool {
	for load := range flow.InstrsOf[*ssa.UnOp](f) {
		if !strings.HasSuffix(flow.PathOf(load).Sel, ".Finalizers") || !rootedAt(load, e.obj.path.Root) || f == e.in.Parent() && !flow.Reaches(e.in, load, nil) {
			continue
		}
		for _, r := range *load.Referrers() {
			switch r := r.(type) {
			case *ssa.MakeInterface:
				if kubeapi.BesidesLogs(r) {
					return true
				}
			case *ssa.MapUpdate:
				return true
			case *ssa.Store:
				if !rootedAt(r.Addr, e.obj.path.Root) { // of another object
					return true
				}
			}
		}
	}
	return false
}

// rootedAt reports whether v starts at root, perhaps as a variable that a literal captures.
func rootedAt(v, root ssa.Value) bool {
	r := flow.PathOf(v).Root
	if free, ok := r.(*ssa.FreeVar); ok {
		r = flow.Binding(free)
	}
	return r == root
}

// succeedsAfter reports whether a return that says success can follow e.
func succeedsAfter(e event) bool {
	fn := e.in.Parent()
	return flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
		return flow.Reaches(e.in, ret, nil) && !paths.Fails(ret)
	})
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

// decisions are the tests on every way to b of which one way out does not lead to b, the nearest first.
func decisions(b *ssa.BasicBlock) iter.Seq[*ssa.If] {
	return func(yield func(*ssa.If) bool) {
		for test := range flow.PathCondition(b) {
			away := func(s *ssa.BasicBlock) bool { return !flow.BlocksFrom(s)[b] }
			if slices.ContainsFunc(test.Block().Succs, away) && !yield(test) {
				return
			}
		}
	}
}
