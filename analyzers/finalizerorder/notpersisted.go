package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkPersistence reports the changes of finalizers in memory that fn, the function that got the object, never writes.
func (a *analyzer) checkPersistence(fn *ssa.Function) {
	events := a.events(fn)
	reported := map[ssa.Instruction]bool{}
	parts := comparesParts(fn)
	for _, e := range events {
		switch e.kind {
		case adds, removes, clears:
		case addsNow, removesNow:
			if !inLiteralOf(e) || reported[e.in] {
				continue
			}
			if guard := contradicted(e); guard != nil {
				reported[e.in] = true
				a.reportNoChange(e, guard)
			}
			continue
		default:
			continue
		}
		if e.deferred || reported[e.in] {
			continue
		}
		if guard := contradicted(e); guard != nil {
			reported[e.in] = true
			a.reportNoChange(e, guard)
			continue
		}
		if what := a.leftUnread(e, events); what != "" {
			reported[e.in] = true
			a.reportUnread(e, what)
			continue
		}
		if d := a.onlyDeleted(e, events); d != nil {
			reported[e.in] = true
			a.reportOnlyDeleted(e, d)
			continue
		}
		if a.checkRewritten(e, events, parts) {
			reported[e.in] = true
			continue
		}
		if w, ok := a.writtenInstead(e, events); ok {
			reported[e.in] = true
			a.reportInstead(e, w)
			continue
		}
		if !ownedHere(e, events) || a.mayBeWritten(e, events) || handedOn(e) || !succeedsAfter(e) || a.keepsBeside(e) || a.onlyAsks(e, events) {
			continue
		}
		reported[e.in] = true
		a.reportLost(e, statusWrite(e, events), baseOf(e, events))
	}
}

// onlyDeleted is the deletion of the object behind e, which takes finalizers off it in memory, where nothing writes it in front of that: the
// server is told to delete the object with the finalizers that it has. Nil for none.
func (a *analyzer) onlyDeleted(e event, events []event) ssa.Instruction {
	if e.kind == adds || a.keeps(e.in.Parent(), e.obj.places()[:1]) {
		return nil
	}
	for _, d := range events {
		if d.kind == deletes && !d.deferred && d.at == d.in && d.obj.path == e.obj.path && flow.Reaches(e.in, d.in, nil) {
			if a.mayBeWritten(e, events) || handedOn(e) {
				return nil
			}
			return d.in
		}
	}
	return nil
}

// leftUnread is the name of the type of the object of e, which has been made here with its name alone and never been read, so that there is no
// finalizer on it to take off; "" for others.
func (a *analyzer) leftUnread(e event, events []event) string {
	alloc, ok := e.obj.path.Root.(*ssa.Alloc)
	if !ok || e.kind != removes || e.obj.path.Sel != "" || alloc.Parent() != e.in.Parent() || isVariable(alloc) || !a.isObject(alloc.Type()) {
		return ""
	}
	for _, r := range *alloc.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.MakeInterface:
			for _, u := range *r.Referrers() {
				if !a.leavesUnread(u, events) {
					return ""
				}
			}
		default:
			return ""
		}
	}
	named := false // one without a name is for somebody to read into
	for in := range flow.Instrs(alloc.Parent()) {
		if st, ok := in.(*ssa.Store); ok && flow.PathOf(st.Addr).Root == ssa.Value(alloc) {
			switch sel := flow.PathOf(st.Addr).Sel; {
			case strings.HasSuffix(sel, ".Name"):
				named = true
			case strings.HasSuffix(sel, ".Namespace"):
			default:
				return "" // perhaps it is filled by hand
			}
		}
	}
	if !named {
		return ""
	}
	return flow.Named(alloc.Type())
}

// leavesUnread reports whether u does nothing with an object but delete it, write it, or change its finalizers.
func (a *analyzer) leavesUnread(u ssa.Instruction, events []event) bool {
	if _, debug := u.(*ssa.DebugRef); debug {
		return true
	}
	known := false
	for _, x := range events {
		if x.in == u {
			switch x.kind {
			case deletes, writes, removes, adds, status:
				known = true
			default:
				return false
			}
		}
	}
	if call, ok := u.(ssa.CallInstruction); ok && !known {
		fn := flow.Callee(call.Common())
		return fn != nil && kube.Logs(fn)
	}
	return known
}

// ownedHere reports whether the function of e got the object of e itself, from the API server or a cache.
func ownedHere(e event, events []event) bool {
	switch root := e.obj.path.Root.(type) {
	case *ssa.Alloc:
		if root.Parent() != e.in.Parent() {
			return false
		}
		for _, r := range events {
			if r.kind == reads && r.obj.path == e.obj.path && flow.Reaches(r.in, e.in, nil) {
				return true
			}
		}
		return e.obj.path.Sel == "" && isElementCopy(root)
	case *ssa.Call:
		// A copy without any finalizers is for comparing or showing.
		// What a literal gets from the function around it is for that to write, or for whom the literal is given to.
		return root.Parent() == e.in.Parent() && (copied(root) != nil || ssa.Instruction(root) == e.in) && e.obj.path.Sel == "" && e.kind != clears
	case *ssa.Extract:
		c, ok := root.Tuple.(*ssa.Call)
		if !ok || root.Index != 0 || e.obj.path.Sel != "" || root.Parent() != e.in.Parent() {
			return false
		}
		get, ok := kube.RequestOf(&c.Call)
		return ssa.Instruction(c) == e.in || ok && get.Verb == kube.VerbGet
	}
	return false
}

// isElementCopy reports whether v is the variable of a loop, with a copy of each element of a list: what is changed in it is not changed there.
func isElementCopy(v *ssa.Alloc) bool {
	copies := false
	for _, r := range *v.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(v) {
			continue
		}
		load, ok := st.Val.(*ssa.UnOp)
		if !ok || copies {
			return false
		}
		at, ok := load.X.(*ssa.IndexAddr)
		copies = ok && flow.InLoop(st.Block()) && strings.HasSuffix(flow.PathOf(at.X).Sel, ".Items")
	}
	return copies
}

// checkRewritten reports the change e where each write that follows leaves it out: the object is read anew in front of it, or it is made for other
// parts of the object; parts are the tests that compare those.
func (a *analyzer) checkRewritten(e event, events []event, parts map[*ssa.If]bool) bool {
	if handedOn(e) {
		return false
	}
	if r := readAgain(e, events); r != nil {
		a.reportReadAgain(e, r)
		return true
	}
	if len(parts) == 0 {
		return false
	}
	if w := onlyForParts(e, events, parts); w != nil && !a.keeps(e.in.Parent(), e.obj.places()[:1]) {
		a.reportForParts(e, w)
		return true
	}
	return false
}

// readAgain is what reads the object anew, into the variable in which e has changed it, in front of each write that follows: what is written has none of
// the change. Nil where there is no write, or another one.
func readAgain(e event, events []event) (again ssa.Instruction) {
	var anew []event
	for _, r := range events {
		if r.kind == reads && r.obj.path == e.obj.path && r.in != e.in && flow.Dominates(e.in, r.in) {
			anew = append(anew, r)
		}
	}
	if len(anew) == 0 {
		return nil
	}
	for _, w := range events {
		if !brings(w, e) {
			continue
		}
		i := slices.IndexFunc(anew, func(r event) bool {
			return r.in != w.in && flow.Dominates(r.in, w.in) || r.in == w.in && r.at != nil && w.at != nil && r.at != w.at && r.at.Parent() == w.at.Parent() && flow.Dominates(r.at, w.at)
		})
		if i < 0 || changedBehind(anew[i], w, events) {
			return nil
		}
		again = anew[i].in
		if at := anew[i].at; at != nil {
			again = at
		}
	}
	return again
}

// brings reports whether w is another write of the object that may follow the change e.
func brings(w, e event) bool {
	switch w.kind {
	case writes, creates, addsNow, removesNow, strips:
		return w.obj.path == e.obj.path && w.in != e.in && (w.deferred || flow.Reaches(e.in, w.in, nil))
	}
	return false
}

// changedBehind reports whether the finalizers of the object are changed again between the read r and the write w.
func changedBehind(r, w event, events []event) bool {
	return slices.ContainsFunc(events, func(x event) bool {
		switch x.kind {
		case adds, removes, clears:
			return x.obj.path == r.obj.path && (x.in == r.in || flow.Dominates(r.in, x.in)) && (x.in == w.in || flow.Reaches(x.in, w.in, nil))
		}
		return false
	})
}

// getsOrLoses says what the change e does to the finalizers of its object.
func getsOrLoses(e event) string {
	if takesAway(e) {
		return "loses"
	}
	return "gets"
}

func (a *analyzer) reportReadAgain(e event, r ssa.Instruction) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(e.in), Sub: "notpersisted", Site: "reread-object",
		Message: fmt.Sprintf("%s %s a finalizer here in memory, and is read again at line %d before it is written: what is written has none of it; change it behind the read",
			nameOf(a.pass, e), getsOrLoses(e), rule.Line(a.pass, flow.Pos(r))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(r), Message: "this takes the change back"}},
	})
}

// onlyForParts is one of the tests parts, where each write that follows e is made only if such a test has found another spec or status than before:
// whether the finalizers are others is no part of that. Nil where there is another write, or none.
func onlyForParts(e event, events []event, parts map[*ssa.If]bool) (only *ssa.If) {
	for _, w := range events {
		if !brings(w, e) {
			continue
		}
		var found *ssa.If
		for test, t := range flow.Decided(w.in.Block()) {
			_, is := flow.Positive(test.Cond)
			if parts[test] && t != flow.Either && (t == flow.Yes) != is && flow.Dominates(e.in, test) {
				found = test
			}
		}
		if found == nil {
			return nil
		}
		only = found
	}
	return only
}

// comparesParts are the tests of fn that compare the spec, or the status, of an object with that of another version.
func comparesParts(fn *ssa.Function) map[*ssa.If]bool {
	parts := map[*ssa.If]bool{}
	for _, b := range fn.Blocks {
		test := flow.Branch(b)
		if test == nil {
			continue
		}
		cond, _ := flow.Positive(test.Cond)
		call, ok := cond.(*ssa.Call)
		if !ok {
			continue
		}
		called, args := flow.Callee(&call.Call), flow.Args(&call.Call)
		if called == nil || len(args) != 2 || called.Name() != "DeepEqual" && called.Name() != "DeepDerivative" && called.Name() != "Equal" {
			continue
		}
		parts[test] = !slices.ContainsFunc(args, func(arg ssa.Value) bool {
			sel := flow.PathOf(arg).Sel
			return !strings.HasPrefix(sel, ".Spec") && !strings.HasPrefix(sel, ".Status")
		})
	}
	return parts
}

func (a *analyzer) reportForParts(e event, test *ssa.If) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(e.in), Sub: "notpersisted", Site: "conditional-write",
		Message: fmt.Sprintf("%s %s a finalizer here in memory, and is written only where another part of it has changed (line %d): the change is lost else; compare the whole object, or write it where the finalizers have changed",
			nameOf(a.pass, e), getsOrLoses(e), rule.Line(a.pass, flow.Pos(test))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "this does not ask for the finalizers"}},
	})
}

// mayBeWritten reports whether a write of the object may follow e, or stands in a deferred function. Where e happens to objects that are being deleted,
// it is none that is made for those that are not.
func (a *analyzer) mayBeWritten(e event, events []event) bool {
	deleted := takesAway(e) && (e.only || a.guarded(e))
	for _, w := range events {
		switch w.kind {
		case writes, creates, addsNow, removesNow, strips:
			if w.obj.path == e.obj.path && basedAfter(w, e) == nil && (w.deferred || oneCall(e, w) || flow.Reaches(e.in, w.in, nil) && !(deleted && isAlive(w.in, e.obj))) {
				return true
			}
		}
	}
	return false
}

// isAlive reports whether a test in front of in has found that obj is not being deleted.
func isAlive(in ssa.Instruction, obj object) bool {
	for test, t := range flow.Decided(in.Block()) {
		for _, p := range obj.places() {
			if yes, known := deleting(test.Cond, p); known && t == flow.Settled(!yes) {
				return true
			}
		}
	}
	return false
}

// oneCall reports whether one call does both e and w. Of a function of another package it is not known which comes first.
func oneCall(e, w event) bool { return w.in == e.in && (w.at != e.at || w.at == nil) }

// basedAfter is the copy that the patch w is made against, where it is taken behind the change e, so that e is no part of the patch.
func basedAfter(w, e event) *ssa.Call {
	call, ok := w.in.(*ssa.Call)
	if !ok || w.at != w.in || e.in.Parent() != call.Parent() {
		return nil
	}
	r, ok := kube.RequestOf(&call.Call)
	if !ok || r.Verb != kube.VerbPatch || r.Patch == nil {
		return nil
	}
	made, ok := flow.Resolve(r.Patch).(*ssa.Call)
	if !ok || len(flow.Args(&made.Call)) == 0 || !isMergeFrom(flow.Callee(&made.Call)) {
		return nil
	}
	base, ok := flow.Unwrap(flow.Resolve(flow.Args(&made.Call)[0])).(*ssa.Call)
	if !ok || copied(base) == nil || objectOf(copied(base)).path != e.obj.path || !flow.Dominates(e.in, base) {
		return nil
	}
	return base
}

// isMergeFrom reports whether fn makes a patch of what differs from the object that it is given.
func isMergeFrom(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || !kube.SamePackage(fn.Pkg().Path(), kube.Client) {
		return false
	}
	switch fn.Name() {
	case "MergeFrom", "MergeFromWithOptions", "StrategicMergeFrom":
		return true
	}
	return false
}

// handedOn reports whether the finalizers are read after e and become a part of something else, as of a patch, or of another object.
func handedOn(e event) bool {
	fn := e.in.Parent()
	for _, f := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
		if f != fn && !behind(e, f) {
			continue
		}
		if handedOnIn(e, f) || passedOn(e, f) {
			return true
		}
	}
	return false
}

// behind reports whether the literal lit is made behind e.
func behind(e event, lit *ssa.Function) bool {
	site := flow.ClosureSite(lit)
	return site != nil && flow.Reaches(e.in, site, nil)
}

// handedOnIn is handedOn in f, the function of e or a literal of it.
func handedOnIn(e event, f *ssa.Function) bool {
	for in := range flow.Instrs(f) {
		load, ok := in.(*ssa.UnOp)
		if !ok || !strings.HasSuffix(flow.PathOf(load).Sel, ".Finalizers") || !rootedAt(load, e.obj.path.Root) || f == e.in.Parent() && !flow.Reaches(e.in, in, nil) {
			continue
		}
		for _, r := range *load.Referrers() {
			switch r := r.(type) {
			case *ssa.MakeInterface:
				if kube.BesidesLogs(r) {
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
	for ret := range flow.Returns(fn) {
		if flow.Reaches(e.in, ret, nil) && !fails(ret) {
			return true
		}
	}
	return false
}

// statusWrite is the write of the object's status that follows e, nil where there is none.
func statusWrite(e event, events []event) ssa.Instruction {
	for _, s := range events {
		if s.kind == status && s.obj.path == e.obj.path && (s.deferred || flow.Reaches(e.in, s.in, nil)) {
			return s.in
		}
	}
	return nil
}

// baseOf is the copy behind e that a patch of the object is made against.
func baseOf(e event, events []event) *ssa.Call {
	for _, w := range events {
		if w.kind == writes && w.obj.path == e.obj.path {
			if base := basedAfter(w, e); base != nil {
				return base
			}
		}
	}
	return nil
}

func (a *analyzer) reportLost(e event, statusAt ssa.Instruction, base *ssa.Call) {
	pass := a.pass
	name, does := nameOf(pass, e), map[kind]string{adds: "gets a finalizer", removes: "loses a finalizer", clears: "loses its finalizers"}[e.kind]
	if call, _ := flow.ResultOf(e.obj.path.Root); call != nil && ssa.Instruction(call) == e.in {
		name = fmt.Sprintf("the copy of %s that %s gives", name, calledName(call))
	}
	if statusAt != nil {
		rule.Report(pass, rule.Finding{
			Pos: e.in.Pos(), Sub: "statusonly", Site: "status-write",
			Message: fmt.Sprintf("%s %s here in memory only: the write at line %d is one of its status, and the API server ignores metadata there; update the object itself",
				name, does, rule.Line(pass, flow.Pos(statusAt))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(statusAt), Message: "the only write that follows"}},
		})
		return
	}
	if base != nil {
		rule.Report(pass, rule.Finding{
			Pos: e.in.Pos(), Sub: "notpersisted", Site: "late-patch-base",
			Message: fmt.Sprintf("%s %s here in memory only: line %d copies the base of the patch after that, so that the patch leaves it out; copy first",
				name, does, rule.Line(pass, flow.Pos(base))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(base), Message: "the base has the change already"}},
		})
		return
	}
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "notpersisted", Site: "missing-write",
		Message: fmt.Sprintf("%s %s here in memory only: no Update or Patch of it follows in %s, and the change is lost", name, does, flow.FuncName(e.in.Parent())),
	})
}

func (a *analyzer) reportOnlyDeleted(e event, d ssa.Instruction) {
	rule.Report(a.pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "notpersisted", Site: "unwritten-deletion",
		Message: fmt.Sprintf("%s loses finalizers here in memory only: no Update or Patch of it comes before it is deleted at line %d, which does not bring them to the API server",
			a.named(e), rule.Line(a.pass, flow.Pos(d))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(d), Message: "it is deleted here, with the finalizers that it has"}},
	})
}

func (a *analyzer) reportUnread(e event, typ string) {
	rule.Report(a.pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "notpersisted", Site: "unread-object",
		Message: fmt.Sprintf("%s has no finalizer to lose: this %s was made here with its name and never read, so that the one at the API server keeps its own; Get it first",
			a.named(e), typ),
	})
}

// contradicted is the test in front of e that has found that e changes nothing: the finalizer that it removes is not
// there, or the one that it adds is.
func contradicted(e event) ssa.Instruction {
	if e.finalizer == "" || e.at != e.in && !inLiteralOf(e) {
		return nil
	}
	for test, found := range answersAt(e.in.Block(), e.obj) {
		if found.finalizer != e.finalizer {
			continue
		}
		if e.at != e.in && !found.constant {
			continue // two functions spell what they read it from alike
		}
		if found.has == (e.kind == adds || e.kind == addsNow) && !flow.InLoop(test.Block()) {
			return test
		}
	}
	return nil
}

// inLiteralOf reports whether e happens in a function literal that its function gives away, and so where that is called.
func inLiteralOf(e event) bool { return e.at != nil && e.at.Parent().Parent() == e.in.Parent() }

func (a *analyzer) reportNoChange(e event, guard ssa.Instruction) {
	pass := a.pass
	does := "removes a finalizer that is not there"
	if e.kind == adds || e.kind == addsNow {
		does = "adds a finalizer that is there"
	}
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "notpersisted", Site: "unchanged-write",
		Message: fmt.Sprintf("%s stays as it is: line %d has looked, and this %s, so that the write after it changes nothing", nameOf(pass, e), rule.Line(pass, flow.Pos(guard)), does),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(guard), Message: "the test that has found it so"}},
	})
}

// onlyAsks reports whether e is done to see whether there is something to do: where it says yes, the same is done to another object, which is written.
func (a *analyzer) onlyAsks(e event, events []event) bool {
	call, ok := e.in.(*ssa.Call)
	if !ok || !flow.IsBool(call.Type()) {
		return false
	}
	for _, r := range *call.Referrers() {
		test, ok := r.(*ssa.If)
		if !ok {
			continue
		}
		side := flow.Side(test, flow.Yes)
		if a.doesAndWrites(e, events, func(in ssa.Instruction) bool { return side.Dominates(in.Block()) }) {
			return true
		}
		for in := range flow.Instrs(call.Parent()) {
			made, ok := in.(*ssa.MakeClosure)
			if ok && side.Dominates(made.Block()) && a.doesAndWrites(e, a.events(made.Fn.(*ssa.Function)), func(ssa.Instruction) bool { return true }) {
				return true
			}
		}
	}
	return false
}

// doesAndWrites reports whether events have what e does, of another object, and a write of that, both where at says.
func (a *analyzer) doesAndWrites(e event, events []event, at func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(events, func(other event) bool {
		return other.kind == e.kind && other.obj.path != e.obj.path && at(other.in) && slices.ContainsFunc(events, func(w event) bool {
			return w.kind == writes && w.obj.path == other.obj.path && at(w.in)
		})
	})
}
