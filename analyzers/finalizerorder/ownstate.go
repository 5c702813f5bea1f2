package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// What a deleted object says of itself stays as it is: nothing wakes its controller any more but the object, and who has
// deleted it waits. So no field of its own may decide that its finalizer stays, where the object can be in that state
// with the finalizer on it.

// checkOwnState reports the tests of fields of a deleted object of which one side alone leads to where its finalizer goes. In a function that runs for deleted objects
// alone, who owns one may protect it by its spec, and what comes back waits.
func (a *analyzer) checkOwnState(fn *ssa.Function, e event, w *world, gates gateSet, inside bool, events []event, reported map[ssa.Instruction]bool) {
	for _, b := range fn.Blocks {
		ret := flow.ReturnOf(b)
		if ret == nil || !w.Live(b) || fails(ret) && !a.behindCheck(b, e) {
			continue
		}
		d, way := turn(b, gates)
		if d == nil || !w.Live(d) || reported[flow.Branch(d)] || !knownAt(e.obj, d, events) {
			continue
		}
		cond := flow.Branch(d)
		side := awaySide(cond, gates)
		f, ok := ownField(cond.Cond, e)
		ok = ok && !fails(ret)
		if !ok {
			f, ok = a.ownCheck(cond.Cond, e)
		}
		if !ok && !fails(ret) {
			f, ok = a.ownAsked(cond.Cond, e)
		}
		if side == flow.Either || !ok || inside && (protects(lastField(f.sel)) || comesBack(ret) && !a.saysDone(ret)) {
			continue
		}
		if f.inStatus() {
			// Controllers change that, and who gets the object may.
			ok = leavesForGood(ret) && !a.looksAfter(way, b, e, events) && a.putsThere(cond, side, f)
		} else {
			// Who owns the object may change that at any time, unless the API server refuses it.
			ok = !a.isFixed(f.v) && !a.neverNil(cond.Cond, side, f) && a.addsTo(e) && !a.mayRelease(way, e) && !handsOnKey(way, e) && !asksAgain(fn, cond, f, e, gates)
		}
		if !ok {
			continue
		}
		if !a.removedHereAlone(fn, e, events) {
			return
		}
		reported[cond], reported[ret] = true, true
		a.reportOwnState(firstAsked(fn, cond, f, e, gates), ret, f, e, gates, inside)
	}
}

// asksState reports whether a test of fn asks for a field of the object of e: without one there is nothing to look for.
func (a *analyzer) asksState(fn *ssa.Function, e event) bool {
	for _, b := range fn.Blocks {
		test := flow.Branch(b)
		if test == nil {
			continue
		}
		_, field := ownField(test.Cond, e)
		_, check := a.ownCheck(test.Cond, e)
		_, asked := a.ownAsked(test.Cond, e)
		if field || check || asked {
			return true
		}
	}
	return false
}

// saysDone reports whether ret returns all that a function of the package gives, which says nothing but that there is no more to do.
func (a *analyzer) saysDone(ret *ssa.Return) bool {
	if len(ret.Results) == 0 {
		return false
	}
	call, _ := flow.ResultOf(flow.Resolve(ret.Results[0]))
	if call == nil || !returnsAll(ret, call) {
		return false
	}
	callee := a.pkg.Callee(&call.Call)
	if callee == nil {
		return false
	}
	for r := range flow.Returns(callee) {
		if !leavesForGood(r) {
			return false
		}
	}
	return true
}

// asksAgain reports whether fn asks for other values of f than test does, as a switch does, and each of them leads to a gate: which values there can be
// is said by the schema of the object, and the last case may be that no value is left.
func asksAgain(fn *ssa.Function, test *ssa.If, f field, e event, gates gateSet) bool {
	if side := equalSide(test); side != nil && !leadsTo(side, gates) {
		return false // one that is named
	}
	asked := false
	for other := range testsOf(fn, f, e) {
		if sameTest(other.Cond, test.Cond) || !leadsTo(other.Block(), gates) { // of another value, and not behind the gates
			continue
		}
		if side := equalSide(other); side != nil && !leadsTo(side, gates) {
			return false
		}
		asked = true
	}
	return asked
}

// firstAsked is the test of f, as test is, that leads to a gate: the one with the least constant, since the order of a switch says nothing. It is test
// where there is none.
func firstAsked(fn *ssa.Function, test *ssa.If, f field, e event, gates gateSet) *ssa.If {
	found := test
	for other := range testsOf(fn, f, e) {
		side, value := equalSide(other), comparedWith(other.Cond)
		if side == nil || !leadsTo(side, gates) {
			continue
		}
		if old := equalSide(found); old == nil || !leadsTo(old, gates) || value.ExactString() < comparedWith(found.Cond).ExactString() {
			found = other
		}
	}
	return found
}

// testsOf yields the tests of fn that ask for the field f of the object of e.
func testsOf(fn *ssa.Function, f field, e event) iter.Seq[*ssa.If] {
	return func(yield func(*ssa.If) bool) {
		for _, b := range fn.Blocks {
			test := flow.Branch(b)
			if test == nil {
				continue
			}
			if g, ok := ownField(test.Cond, e); ok && g.v == f.v && !yield(test) {
				return
			}
		}
	}
}

// sameTest reports whether both conditions compare something with the same constant.
func sameTest(x, y ssa.Value) bool {
	a, b := comparedWith(x), comparedWith(y)
	return x == y || a != nil && b != nil && a.Kind() == b.Kind() && constant.Compare(a, token.EQL, b)
}

// comparedWith is the constant that cond compares something with, nil where it does not.
func comparedWith(cond ssa.Value) constant.Value {
	if bin, ok := cond.(*ssa.BinOp); ok {
		for _, v := range []ssa.Value{bin.X, bin.Y} {
			if c, ok := flow.Resolve(v).(*ssa.Const); ok && c.Value != nil {
				return c.Value
			}
		}
	}
	return nil
}

// equalSide is where test leads for the constant that it compares something with, nil where it does not.
func equalSide(test *ssa.If) *ssa.BasicBlock {
	if bin, ok := test.Cond.(*ssa.BinOp); ok && comparedWith(bin) != nil {
		switch bin.Op {
		case token.EQL:
			return test.Block().Succs[0]
		case token.NEQ:
			return test.Block().Succs[1]
		}
	}
	return nil
}

// awaySide is what test has to say so that control comes to none of the gates, Either where that is no one answer.
func awaySide(test *ssa.If, gates gateSet) flow.Truth {
	yes, no := leadsTo(test.Block().Succs[0], gates), leadsTo(test.Block().Succs[1], gates)
	switch {
	case yes && !no:
		return flow.No
	case no && !yes:
		return flow.Yes
	}
	return flow.Either
}

// removedHereAlone reports whether the package takes finalizers off objects of the type of e only in fn, in what that calls,
// and where fn is called: elsewhere one may go in a state that fn leaves alone.
func (a *analyzer) removedHereAlone(fn *ssa.Function, e event, events []event) bool {
	t := kube.Named(e.obj.typ)
	if t == nil || slices.ContainsFunc(events, func(r event) bool { return takesAway(r) && r.obj.path == e.obj.path && takenElsewhere(r) }) {
		return false // in another package, for whom else is not known
	}
	of := a.changesOf()
	taken := append(slices.Clone(of.taken[t]), of.taken[nil]...)
	if len(taken) == 0 {
		return true
	}
	below := map[*ssa.Function]bool{}
	for g := range a.pkg.Reach(running, fn) {
		below[g] = true
	}
	above := a.above(fn)
	return !slices.ContainsFunc(taken, func(in ssa.Instruction) bool {
		if below[in.Parent()] {
			return false
		}
		call, ok := in.(ssa.CallInstruction)
		return !ok || !above[flow.StaticCallee(call.Common())]
	})
}

// above are fn and the functions that lead to it by calls.
func (a *analyzer) above(fn *ssa.Function) map[*ssa.Function]bool { return a.leading(fn, false) }

// leading are fn and the functions that lead to it by calls, and with around those that literals stand in, which run for them.
func (a *analyzer) leading(fn *ssa.Function, around bool) map[*ssa.Function]bool {
	found := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; work = work[1:] {
		var by []*ssa.Function
		if up := work[0].Parent(); around && up != nil {
			by = append(by, up)
		}
		for _, c := range a.pkg.Callers(work[0]) {
			by = append(by, c.Parent())
		}
		for _, g := range by {
			if !found[g] {
				found[g] = true
				work = append(work, g)
			}
		}
	}
	return found
}

// A field is one of an object itself, as a test reads it.
type field struct {
	v   *types.Var
	sel string // from the object on: Status.Phase
}

// inStatus reports whether controllers write f, and not who owns the object.
func (f field) inStatus() bool { return strings.HasPrefix(f.sel, "Status.") }

// ownField is the one field of the object of e that cond is about, together with constants; not ok where cond reads
// anything else, or where the field is one by which objects are left alone on purpose.
func ownField(cond ssa.Value, e event) (found field, ok bool) {
	ok = true
	final := false
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		v = flow.Resolve(v)
		if f, is := fieldOf(v, e); is {
			if found.v != nil && found.v != f.v || leftAlone(lastField(f.sel)) || f.inStatus() && isFinal(lastField(f.sel)) {
				ok = false
			}
			found = f
			return
		}
		switch v := v.(type) {
		case *ssa.Const:
			if v.Value != nil && v.Value.Kind() == constant.String && leftAlone(constant.StringVal(v.Value)) {
				ok = false
			}
			final = final || v.Value != nil && v.Value.Kind() == constant.String && isFinal(constant.StringVal(v.Value))
		case *ssa.BinOp:
			visit(v.X)
			visit(v.Y)
		case *ssa.UnOp:
			if v.Op != token.NOT {
				ok = false
				return
			}
			visit(v.X)
		default:
			ok = false
		}
	}
	visit(cond)
	return found, ok && found.v != nil && !(final && found.inStatus())
}

// behindCheck reports whether the last test in front of b asks for a mistake in the object of e.
func (a *analyzer) behindCheck(b *ssa.BasicBlock, e event) bool {
	for test, t := range flow.Decided(b) {
		if t == flow.Either {
			continue
		}
		_, ok := a.ownCheck(test.Cond, e)
		return ok
	}
	return false
}

// ownCheck is the spec of the object of e, where cond asks whether a function has found a mistake in it: one that is given the object,
// or its spec, and asks nobody else.
func (a *analyzer) ownCheck(cond ssa.Value, e event) (field, bool) {
	x, _, ok := flow.NilTest(cond)
	if !ok || !flow.IsError(x.Type()) {
		return field{}, false
	}
	call, _ := flow.ResultOf(flow.Resolve(x))
	if call == nil {
		return field{}, false
	}
	if fn := flow.Callee(&call.Call); fn != nil && !leftAlone(fn.Name()) && a.asksOwn(call, fn, e) {
		return field{nil, "Spec"}, true
	}
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || callee.Blocks == nil || leftAlone(callee.Name()) {
		return field{}, false
	}
	for i, arg := range flow.AllArgs(&call.Call) {
		p := flow.PathOf(arg)
		for _, o := range e.obj.places() {
			if sel, in := strings.CutPrefix(p.Sel, o.Sel); p.Root == o.Root && in && (sel == "" || sel == ".Spec") && i < len(callee.Params) && readsSpec(callee, callee.Params[i], sel) && asksNobody(callee, map[*ssa.Function]bool{}) {
				return field{nil, "Spec"}, true
			}
		}
	}
	return field{}, false
}

// readsSpec reports whether fn reads the spec of the object p, or p where that is its spec.
func readsSpec(fn *ssa.Function, p *ssa.Parameter, sel string) bool {
	for in := range flow.Instrs(fn) {
		if v, ok := in.(ssa.Value); ok {
			if q := flow.PathOf(v); q.Root == ssa.Value(p) && strings.HasPrefix(sel+q.Sel, ".Spec.") {
				return true
			}
		}
	}
	return false
}

// asksNobody reports whether what fn gives hangs on its arguments alone: it makes no request, and calls nothing that it cannot be looked into, but
// for the standard library.
func asksNobody(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	pure := true
	flow.Calls(fn, func(c ssa.CallInstruction) {
		if callee := flow.StaticCallee(c.Common()); callee != nil && callee.Blocks != nil {
			pure = pure && asksNobody(callee, seen)
			return
		}
		if _, builtin := c.Common().Value.(*ssa.Builtin); builtin {
			return
		}
		called := flow.Callee(c.Common())
		if kube.Logs(called) || kube.ResultIsLogger(c.Common().Signature()) {
			return
		}
		pure = pure && called != nil && (kube.IsGetter(called) ||
			called.Pkg() != nil && !c.Common().IsInvoke() && (isStandard(called.Pkg()) || kube.Under(called.Pkg().Path(), "k8s.io/apimachinery")))
	})
	return pure
}

// fieldOf is the field of the spec or the status of the object of e that v is read from.
func fieldOf(v ssa.Value, e event) (field, bool) {
	var last *types.Var
	switch v := v.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			last = flow.Field(fa.X.Type(), fa.Field)
		}
	case *ssa.Field:
		last = flow.Field(v.X.Type(), v.Field)
	}
	if last == nil {
		return field{}, false
	}
	p := held(flow.PathOf(v))
	for _, o := range e.obj.places() {
		if p.Root != o.Root || strings.ContainsAny(p.Sel, "[(") {
			continue
		}
		if sel, ok := strings.CutPrefix(p.Sel, o.Sel+"."); ok && (strings.HasPrefix(sel, "Status.") || strings.HasPrefix(sel, "Spec.")) {
			return field{last, sel}, true
		}
	}
	return field{}, false
}

// mayRelease reports whether something behind way may take the finalizer off the object of e unseen.
func (a *analyzer) mayRelease(way *ssa.BasicBlock, e event) bool {
	for _, b := range way.Parent().Blocks {
		if way.Dominates(b) && slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return a.mayReleaseAt(in, e.obj.places()) }) {
			return true
		}
	}
	return false
}

// handsOnKey reports whether something behind way is given the key that the object of e was read by: it may read the object again, and release it.
func handsOnKey(way *ssa.BasicBlock, e event) bool {
	key := e.obj.key
	if !key.Known() {
		return false
	}
	for _, b := range way.Parent().Blocks {
		if !way.Dominates(b) {
			continue
		}
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, request := kube.RequestOf(call.Common()); request || harmless(call) || kube.Logs(flow.Callee(call.Common())) {
				continue
			}
			for _, arg := range flow.AllArgs(call.Common()) {
				if p := flow.PathOf(arg); p.Root == key.Root && strings.HasPrefix(key.Sel, p.Sel) {
					return true
				}
			}
		}
	}
	return false
}

// mayReleaseAt reports whether in gives the object at objs to a function that cannot be looked into, and whose name does not
// rule out that it sees to all that the object needs. The removals that can be looked into are known.
func (a *analyzer) mayReleaseAt(in ssa.Instruction, objs []flow.Path) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok || !a.callKeeps(call, objs) {
		return false
	}
	if callee := flow.StaticCallee(call.Common()); callee != nil && callee.Blocks != nil {
		there := a.into(objs, callee, call.Common().Args)
		return a.releasing.Ask(keyOf(callee, there), false, func() bool {
			for in := range flow.Instrs(callee) {
				if a.mayReleaseAt(in, there) {
					return true
				}
			}
			return false
		})
	}
	fn := flow.Callee(call.Common())
	return fn == nil || takesOver(fn.Name())
}

// putsThere reports whether the package itself gives f a value with which test says side, for an object that keeps its
// finalizer there: it is not being deleted then, and none was taken off it before.
func (a *analyzer) putsThere(test *ssa.If, side flow.Truth, f field) bool {
	for _, st := range a.changesOf().stored[f.v] {
		p := flow.PathOf(st.Addr)
		sel, ok := strings.CutSuffix(p.Sel, "."+f.sel)
		if ok && p.Known() && saysWith(test.Cond, flow.Resolve(st.Val).(*ssa.Const)) == side &&
			!a.guardedAt(st, flow.Path{Root: p.Root, Sel: sel}) && !a.removedBefore(st) {
			return true
		}
	}
	return false
}

// removedBefore reports whether a finalizer may have been taken off in front of in.
func (a *analyzer) removedBefore(in ssa.Instruction) bool {
	for _, r := range a.events(in.Parent()) {
		if takesAway(r) && flow.Reaches(r.in, in, nil) {
			return true
		}
	}
	return false
}

// saysWith is what cond, about one field, says where that is value.
func saysWith(cond ssa.Value, value *ssa.Const) flow.Truth {
	cond = flow.Resolve(cond)
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return saysWith(c.X, value).Not()
		}
		return flow.TruthOf(value)
	case *ssa.Field:
		return flow.TruthOf(value)
	case *ssa.BinOp:
		other, ok := flow.Resolve(c.Y).(*ssa.Const)
		if !ok {
			other, ok = flow.Resolve(c.X).(*ssa.Const)
		}
		if !ok || other.Value == nil || value.Value == nil || other.Value.Kind() != value.Value.Kind() || c.Op != token.EQL && c.Op != token.NEQ {
			return flow.Either
		}
		return flow.Settled(constant.Compare(value.Value, c.Op, other.Value))
	}
	return flow.Either
}

// addsTo reports whether the package puts a finalizer on objects of the type of e.
func (a *analyzer) addsTo(e event) bool { return a.changesOf().added[kube.Named(e.obj.typ)] }

// A changeIndex is what a package does to objects, by their type, and to their fields. Of what has no defined type, the
// type is nil.
type changeIndex struct {
	taken  map[*types.Named][]ssa.Instruction // where a finalizer goes
	added  map[*types.Named]bool              // whether one is added
	kept   map[*types.Named]bool              // whether their status is written
	stored map[*types.Var][]*ssa.Store        // where a field gets a constant
}

func (a *analyzer) changesOf() *changeIndex {
	if a.index != nil {
		return a.index
	}
	x := &changeIndex{map[*types.Named][]ssa.Instruction{}, map[*types.Named]bool{}, map[*types.Named]bool{}, map[*types.Var][]*ssa.Store{}}
	for _, fn := range a.pkg.Funcs {
		for _, e := range a.events(fn) {
			if isComparison(e) {
				continue
			}
			t := typeOf(e.obj)
			if t == nil && e.obj.typ != nil {
				t = kube.Named(e.obj.typ)
			}
			switch {
			case takesAway(e):
				x.taken[t] = append(x.taken[t], e.in)
			case e.kind == adds || e.kind == addsNow:
				x.added[t] = true
			case e.kind == status:
				x.kept[t] = true
			}
		}
		for st, fa := range flow.FieldStores(fn) {
			if _, ok := flow.Resolve(st.Val).(*ssa.Const); ok {
				v := flow.Field(fa.X.Type(), fa.Field)
				x.stored[v] = append(x.stored[v], st)
			}
		}
	}
	a.index = x
	return x
}

// isComparison reports whether e empties the list of a copy that nobody writes or gets, as one that is made to be compared with another.
func isComparison(e event) bool {
	if call, _ := flow.ResultOf(e.obj.path.Root); e.kind != clears || call == nil || copied(call) == nil {
		return false
	}
	return !goesTo(e.obj.path.Root, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Call:
			return !isQuiet(in)
		case *ssa.Return:
			return slices.ContainsFunc(in.Results, func(v ssa.Value) bool { return kube.IsObject(v.Type()) })
		case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate, *ssa.MakeClosure:
			return true
		}
		return false
	})
}

func (a *analyzer) reportOwnState(test *ssa.If, ret *ssa.Return, f field, e event, gates gateSet, inside bool) {
	pass := a.pass
	name := a.named(e)
	gate := first(gates)
	pos := ret.Pos()
	what := "returns here"
	if !f.inStatus() {
		pos, what = flow.Pos(test), "goes another way here"
	}
	if !pos.IsValid() {
		pos = flow.Pos(ret)
	}
	behind, advice, related := "behind which alone the finalizer goes", "handle the deletion first", "the deletion is handled from here on"
	if inside {
		behind, advice, related = "where the finalizer goes", "let it go on both ways", "the finalizer goes here"
		if e.finalizer != "" && !strings.Contains(e.finalizer, "%") {
			behind = fmt.Sprintf("where the finalizer %q goes", e.finalizer)
		}
	}
	rule.Report(pass, rule.Finding{
		Pos: pos, Sub: "unreachable", Site: "state-dependent-cleanup",
		Message: fmt.Sprintf("%s keeps its finalizer for as long as its %s says so: a deleted object %s and never comes to line %d, %s; %s",
			name, f.sel, what, rule.Line(pass, flow.Pos(gate)), behind, advice),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(gate), Message: related}},
	})
}
