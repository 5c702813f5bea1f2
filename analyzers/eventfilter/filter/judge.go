package filter

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// An evaluation runs a filter on a hypothetical change. Conditions that the change decides are followed one way, all
// others both ways, so that what holds on every path holds for every such update.
type evaluation struct {
	pkg    *program.Program
	looks  looks
	change change
	// only is the one concrete type that the filter asserts its objects to have, nil where there are several.
	only   types.Type
	budget int // instructions and calls that are left
	depth  int
	// compared, if set, is told of the comparisons in the outermost function.
	compared func(pos token.Pos, a, b value)
	calls    map[*ssa.Function]bool       // being evaluated
	known    map[string]outcome           // of calls, by function and arguments
	cycles   int                          // calls that were not followed, as their functions are being evaluated
	tests    map[string][]ssa.Instruction // by what they ask
	again    map[string]bool              // what several of them ask, and is answered the same each time
}

// verdict is what a filter may do with a change.
type verdict struct{ pass, drop bool }

// drops reports whether the filter surely drops the change.
func (v verdict) drops() bool { return v.drop && !v.pass }

// passes reports whether the filter surely lets the change through.
func (v verdict) passes() bool { return v.pass && !v.drop }

// maxSteps is the number of instructions that are run in all. Ways on which the same is known are run once where they come
// together; those on which different things are known may still double with each test that a change does not decide. A
// function that is called may take half of what is left, so that the rest of its caller is run where it is too long.
const maxSteps = 20000

// outcome is what all ways out of a function have in common.
type outcome struct {
	some   bool       // there is a way out
	result value      // with a tuple where there are several
	effect flow.Truth // whether it did something that others can see
}

// add adds a way out.
func (o *outcome) add(results []value, effect flow.Truth) {
	var v value
	switch len(results) {
	case 0:
	case 1:
		v = results[0]
	default:
		v.tuple = results
	}
	if !o.some {
		*o = outcome{true, v, effect}
		return
	}
	o.result = join(o.result, v)
	if o.effect != effect {
		o.effect = flow.Unknown
	}
}

// judge says what fn may do with c. Its parameters have the given values. A function with a bool result is a predicate,
// any other one a handler, which drops what it does nothing about.
//
// Users set annotations and labels of objects that are on their way out, too: such a change is tried with both.
func judge(ps predicates, fn *ssa.Function, params []value, c change) verdict {
	v := judgeOne(ps, fn, params, c)
	if c.ofMetadata() && c.deletion == flow.False {
		c.deletion = flow.True
		w := judgeOne(ps, fn, params, c)
		v.pass, v.drop = v.pass || w.pass, v.drop || w.drop
	}
	return v
}

func judgeOne(ps predicates, fn *ssa.Function, params []value, c change) verdict {
	ev := newEvaluation(ps, fn, c)
	v := ev.verdict(fn, params, nil)
	if again := ev.askedAgain(); v.pass && v.drop && len(again) > 0 {
		ev = newEvaluation(ps, fn, c)
		ev.again = again
		v = ev.verdict(fn, params, nil)
	}
	return v
}

// dropsInState reports whether fn surely drops c of an object in some state, in which it lets the other change through: one that both leave alone,
// and of which a single test tells.
func dropsInState(ps predicates, fn *ssa.Function, c, other change) bool {
	first := newEvaluation(ps, fn, c)
	first.verdict(fn, inputs(fn), nil)
	for key := range first.tests {
		for _, t := range []flow.Truth{flow.True, flow.False} {
			given := func(c change) verdict {
				ev := newEvaluation(ps, fn, c)
				ev.again = map[string]bool{key: true}
				return ev.verdict(fn, inputs(fn), map[string]flow.Truth{key: t})
			}
			if given(c).drops() && given(other).passes() {
				return true
			}
		}
	}
	return false
}

// verdict is what fn may do with the change, where tests have said so.
func (ev *evaluation) verdict(fn *ssa.Function, params []value, said map[string]flow.Truth) verdict {
	out, ok := ev.run(fn, params, said)
	if !ok || !out.some {
		return verdict{true, true}
	}
	t := out.effect
	if fn.Signature.Results().Len() == 1 {
		t = truthValue(out.result)
	}
	return verdict{pass: t != flow.False, drop: t != flow.True}
}

func newEvaluation(ps predicates, fn *ssa.Function, c change) *evaluation {
	return &evaluation{pkg: ps.pkg, looks: ps.looks, change: c, budget: maxSteps, calls: map[*ssa.Function]bool{}, known: map[string]outcome{}, only: onlyAsserted(fn),
		tests: map[string][]ssa.Instruction{}}
}

func truthValue(v value) flow.Truth {
	switch {
	case v.kind == boolValue:
		return v.truth
	case v.kind == constValue && v.konst != nil && v.konst.Kind() == constant.Bool:
		return flow.TruthOf(constant.BoolVal(v.konst))
	}
	return flow.Unknown
}

// frame is one path through a function.
type frame struct {
	fn     *ssa.Function
	params []value // and behind them what a literal has captured, if its function is on the stack
	phis   map[*ssa.Phi]value
	calls  map[*ssa.Call]value
	said   map[string]flow.Truth // what tests that are asked again have said, those of the callers included
	effect flow.Truth
}

func (f *frame) fork() *frame {
	g := *f
	g.phis, g.calls = maps.Clone(f.phis), maps.Clone(f.calls)
	return &g
}

// enter evaluates the phis of b on the way of f from the block before. Where it is again in a loop, what is another value in each
// round is any value from there on (the widening of abstract interpretation), so that the rounds come to an end.
func (ev *evaluation) enter(f *frame, b, from *ssa.BasicBlock, again bool) {
	at := slices.Index(b.Preds, from)
	now := map[*ssa.Phi]value{} // all of them at once
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			continue
		}
		now[phi] = ev.eval(f, phi.Edges[at])
		if again && now[phi].key() != f.phis[phi].key() {
			now[phi] = value{}
		}
	}
	maps.Copy(f.phis, now)
}

// key tells apart the ways to b on which different things are known there: what follows is the same on all others.
func (f *frame) key(b *ssa.BasicBlock) string {
	key := fmt.Sprint(b.Index, f.effect, f.said) // which is printed in the order of its keys
	for d := b; d != nil; d = d.Idom() {
		for i, in := range d.Instrs {
			var v value
			switch in := in.(type) {
			case *ssa.Phi:
				v = f.phis[in]
			case *ssa.Call:
				v = f.calls[in]
			}
			if v.kind != unknownValue || v.tuple != nil {
				key += fmt.Sprint(" ", d.Index, i, v.key())
			}
		}
	}
	return key
}

// settled reports whether no other way out of fn changes what is known of it: of a filter whether it lets the change
// through, and nothing of what it calls.
func (ev *evaluation) settled(fn *ssa.Function, o outcome) bool {
	unknown := o.result.tuple == nil && (o.result.kind == unknownValue || o.result.kind == boolValue && o.result.truth == flow.Unknown)
	switch {
	case !o.some, ev.depth == 1 && ev.compared != nil: // all comparisons are wanted
		return false
	case ev.depth > 1:
		return unknown && o.effect == flow.Unknown
	case fn.Signature.Results().Len() == 1:
		return unknown
	}
	return o.effect == flow.Unknown
}

// run follows the ways through fn, of which said is known before; not ok where there are too many.
func (ev *evaluation) run(fn *ssa.Function, params []value, said map[string]flow.Truth) (out outcome, ok bool) {
	if ev.calls[fn] {
		ev.cycles++
		return outcome{}, false
	}
	key := value{op: fmt.Sprintf("%p", fn), args: params}.key() + fmt.Sprint(said)
	if out, ok := ev.known[key]; ok {
		return out, true
	}
	cycles := ev.cycles
	kept := 0 // of the steps, for the caller
	if ev.depth > 0 {
		kept = ev.budget / 2
	}
	ev.budget -= kept
	ev.depth++
	ev.calls[fn] = true
	defer func() {
		if ok && ev.cycles == cycles {
			ev.known[key] = out
		} else if !ok {
			ev.pkg.Cut("functions were not followed on all paths, as that takes more than 20,000 steps", fn)
		}
		ev.budget = max(ev.budget, 0) + kept
		ev.depth--
		delete(ev.calls, fn)
	}()

	p := &exploration{ev: ev, fn: fn}
	first := &frame{fn: fn, params: params, phis: map[*ssa.Phi]value{}, calls: map[*ssa.Call]value{}, said: said, effect: flow.False}
	run := paths.Interpreter[frame]{Enter: ev.enter, Key: (*frame).key, Step: p.step, Branch: p.branch}
	ok = run.Run(first, fn.Blocks[0], 0) || ev.settled(fn, p.out)
	return p.out, ok
}

// exploration executes one function for an evaluation.
type exploration struct {
	ev  *evaluation
	fn  *ssa.Function
	out outcome // of the paths that have ended
}

// step executes in. It stops where the budget is used up, or no more paths are needed.
func (p *exploration) step(f *frame, in ssa.Instruction) paths.Action {
	ev := p.ev
	if ev.budget--; ev.budget < 0 {
		return paths.Stop
	}
	if f.effect == flow.True && p.fn.Signature.Results().Len() == 0 && (ev.compared == nil || ev.depth > 1) {
		return p.end(nil, flow.True) // nothing more is asked of this path
	}
	switch in := in.(type) {
	case *ssa.Call:
		ev.call(f, in)
	case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
		f.effect = flow.True
	case *ssa.Defer, *ssa.RunDefers:
		// A deferred call runs whatever is done; it unlocks or recovers.
	case *ssa.Store:
		if _, variable := flow.Base(in.Addr).(*ssa.Alloc); !variable {
			f.effect = flow.True
		}
	case *ssa.Return:
		return p.end(ev.returned(f, in), f.effect)
	}
	return paths.Continue
}

// end adds the end of a path to the outcome.
func (p *exploration) end(results []value, effect flow.Truth) paths.Action {
	p.out.add(results, effect)
	if p.ev.settled(p.fn, p.out) {
		return paths.Stop
	}
	return paths.EndPath
}

func (p *exploration) branch(f *frame, test *ssa.If) (sides [2]*frame) {
	t, asked, negated := p.ev.answer(f, test, p.ev.eval(f, test.Cond))
	for i, side := range []flow.Truth{flow.True, flow.False} {
		if t == side.Not() {
			continue
		}
		sides[i] = f.fork()
		if asked != "" {
			sides[i].said = map[string]flow.Truth{asked: negate(side, negated)}
			maps.Copy(sides[i].said, f.said)
		}
	}
	return sides
}

// eval is what is known of v on the path of f.
func (ev *evaluation) eval(f *frame, v ssa.Value) value {
	ev.budget--
	if ev.budget < 0 {
		return value{}
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			if !v.IsNil() {
				return value{}
			}
			return value{kind: constValue}
		}
		if v.Value.Kind() == constant.Bool {
			return boolean(flow.TruthOf(constant.BoolVal(v.Value)))
		}
		return value{kind: constValue, konst: v.Value}
	case *ssa.Parameter:
		if i := flow.ParamIndex(f.fn, v); i >= 0 && i < len(f.params) {
			return f.params[i]
		}
	case *ssa.FreeVar: // what is in it: it is written once
		if i := len(f.fn.Params) + slices.Index(f.fn.FreeVars, v); i < len(f.params) {
			return f.params[i]
		}
	case *ssa.Phi:
		return f.phis[v]
	case *ssa.Call:
		return f.calls[v]
	case *ssa.Extract:
		if t := ev.eval(f, v.Tuple); v.Index < len(t.tuple) {
			return t.tuple[v.Index]
		}
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
		return ev.eval(f, flow.Unwrap(v))
	case *ssa.Convert:
		return ev.eval(f, v.X)
	case *ssa.TypeAssert:
		return ev.assert(f, v)
	case *ssa.FieldAddr:
		return ev.field(ev.addr(f, v.X, v), flow.Field(v.X.Type(), v.Field))
	case *ssa.Field:
		return ev.field(ev.eval(f, v.X), flow.Field(v.X.Type(), v.Field))
	case *ssa.Alloc:
		return ev.addr(f, v, v)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return ev.addr(f, v.X, v)
		case token.NOT:
			x := ev.eval(f, v.X)
			if not := derived(notOp, x); truthValue(x) == flow.Unknown && not.kind == derivedValue {
				return not
			}
			return boolean(truthValue(x).Not())
		}
	case *ssa.BinOp:
		return ev.compare(f, v)
	case *ssa.Lookup:
		return ev.lookup(f, v)
	case *ssa.Index:
		return derived("index", ev.eval(f, v.X), ev.eval(f, v.Index))
	case *ssa.IndexAddr:
		if v, ok := ev.elementOf(v.X); ok {
			return v
		}
		return derived("index", ev.eval(f, v.X), ev.eval(f, v.Index))
	case *ssa.MakeSlice, *ssa.Slice:
		if flow.IsEmpty(v) {
			return derived(emptyOp)
		}
		if s, ok := v.(*ssa.Slice); ok && s.Low == nil && s.High == nil {
			return ev.eval(f, s.X)
		}
	}
	return value{}
}

// addr is what the variable at x holds when control comes to at.
func (ev *evaluation) addr(f *frame, x ssa.Value, at ssa.Instruction) value {
	alloc, ok := x.(*ssa.Alloc)
	if !ok {
		if _, global := x.(*ssa.Global); global {
			return value{}
		}
		return ev.eval(f, x)
	}
	var stored *ssa.Store
	edited := false
	for _, r := range *alloc.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(alloc) || stored != nil {
				return value{}
			}
			stored = r
		case *ssa.MakeClosure:
			if flow.WritesBinding(r, alloc) {
				return value{}
			}
		case *ssa.FieldAddr:
			for _, r := range *r.Referrers() {
				if _, ok := r.(*ssa.Store); ok {
					edited = true
				}
			}
		}
	}
	if stored == nil || !flow.Dominates(stored, at) {
		return value{}
	}
	v := ev.eval(f, stored.Val)
	if edited && v.kind == placeValue {
		v.copy, v.kept = true, keepsVersions(f.fn)
	}
	return v
}

// keepsVersions reports whether fn and its literals surely leave the resource version of all objects alone: they name neither that nor the metadata
// as a whole in what they store or call, and hand no object to anybody but those who compare, copy or read it.
func keepsVersions(fn *ssa.Function) bool {
	for in := range flow.Instrs(append([]*ssa.Function{fn}, fn.AnonFuncs...)...) {
		switch in := in.(type) {
		case *ssa.Store:
			if fa, ok := in.Addr.(*ssa.FieldAddr); ok {
				if fld := flow.Field(fa.X.Type(), fa.Field); fld == nil || kubeapi.Meta(fld.Name()) == kubeapi.MetaResourceVersion || fld.Name() == kubeapi.ObjectMeta {
					return false
				}
			} else if _, local := in.Addr.(*ssa.Alloc); !local && !flow.Argument(in.Addr) && leadsOn(in.Val.Type()) {
				return false
			}
		case ssa.CallInstruction:
			callee := flow.Callee(in.Common())
			given := slices.ContainsFunc(flow.AllArgs(in.Common()), func(a ssa.Value) bool { return leadsOn(a.Type()) })
			if !given || callee != nil && (kubeapi.Compares(callee) || kubeapi.IsDeepCopy(callee) || kubeapi.GetterOf(callee) != "" || kubeapi.Logs(callee)) {
				continue
			}
			if field := kubeapi.SetterOf(callee); field == "" || field == kubeapi.MetaResourceVersion {
				return false
			}
		}
	}
	return true
}

// leadsOn reports whether what has type t may be an object, or lead to one.
func leadsOn(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return !flow.IsError(t) && !kubeapi.IsType(t, "context", "Context")
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok
	case *types.Basic, *types.Signature, *types.Chan:
		return false
	}
	return true
}

// field is field fld of v.
func (ev *evaluation) field(v value, fld *types.Var) value {
	if fld == nil {
		return value{}
	}
	switch v.kind {
	case eventValue:
		switch old, ok := kubeapi.EventObject(fld.Name()); {
		case old:
			return value{kind: placeValue, side: older}
		case ok:
			return value{kind: placeValue, side: newer}
		}
	case placeValue:
		v.path = step(v.path, fld)
		return v
	case derivedValue:
		return derived("."+fld.Name(), v)
	}
	return value{}
}

// assert is the value of a type assertion of an event's object; others are not decided.
func (ev *evaluation) assert(f *frame, a *ssa.TypeAssert) value {
	x := ev.eval(f, a.X)
	holds := flow.Unknown
	if x.kind == placeValue && x.path == "" {
		_, iface := a.AssertedType.Underlying().(*types.Interface)
		switch {
		case iface:
		case ev.change.foreign:
			holds = flow.False
		case ev.change.kind != nil:
			holds = flow.TruthOf(sameType(ev.change.kind, a.AssertedType))
		case ev.only != nil:
			holds = flow.True
		}
	}
	if !a.CommaOk {
		return x
	}
	if _, ptr := a.AssertedType.Underlying().(*types.Pointer); ptr && holds == flow.False {
		x = value{kind: constValue} // nil
	}
	return value{tuple: []value{x, boolean(holds)}}
}

// compare is the value of a comparison.
func (ev *evaluation) compare(f *frame, b *ssa.BinOp) value {
	x, y := ev.eval(f, b.X), ev.eval(f, b.Y)
	eq := ev.change.equal(x, y)
	if ev.compared != nil && ev.depth == 1 {
		ev.compared(b.Pos(), x, y)
	}
	holds := flow.Unknown
	switch b.Op {
	case token.EQL:
		holds = eq
	case token.NEQ:
		if holds = eq.Not(); holds == flow.Unknown {
			return maybeDerived(notOp, maybeDerived(token.EQL.String(), x, y))
		}
	case token.LSS, token.GTR:
		if eq == flow.True && x.kind != constValue {
			holds = flow.False
		}
	case token.LEQ, token.GEQ:
		if eq == flow.True && x.kind != constValue {
			holds = flow.True
		}
	default:
		return derived(b.Op.String(), x, y)
	}
	if holds == flow.Unknown {
		return maybeDerived(b.Op.String(), x, y)
	}
	return boolean(holds)
}

func (ev *evaluation) lookup(f *frame, l *ssa.Lookup) value {
	m, k := ev.eval(f, l.X), ev.eval(f, l.Index)
	v := derived("lookup", m, k)
	if m.kind == placeValue && k.kind == constValue && k.konst != nil && k.konst.Kind() == constant.String {
		v = m
		v.path = keyed(m.path, constant.StringVal(k.konst))
	}
	if l.CommaOk {
		return value{tuple: []value{v, derived("has", v)}}
	}
	return v
}

// call evaluates a call, and notes what is known of its result and whether it has an effect.
func (ev *evaluation) call(f *frame, call *ssa.Call) {
	v, effect := ev.result(f, call)
	f.calls[call] = v
	if effect == flow.True || effect == flow.Unknown && f.effect == flow.False {
		f.effect = effect
	}
}

func (ev *evaluation) result(f *frame, call *ssa.Call) (v value, effect flow.Truth) {
	common := &call.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "delete", "clear", "close", "copy", "print", "println", "panic":
			return value{}, flow.True
		}
		return derived(b.Name(), ev.evalAll(f, common.Args)...), flow.False
	}
	callee := flow.Callee(common)
	all := ev.evalAll(f, flow.AllArgs(common))
	if ev.compared != nil && ev.depth == 1 && kubeapi.Compares(callee) && len(all) >= 2 {
		ev.compared(call.Pos(), all[len(all)-2], all[len(all)-1])
	}
	if callee != nil && kubeapi.IsDeepCopy(callee) && len(all) == 1 {
		all[0].copy = true // what is done to parts of it is not followed, wherever it is made
		all[0].kept = keepsVersions(f.fn)
		return all[0], flow.False
	}
	if fn := flow.StaticCallee(common); fn != nil && len(fn.Blocks) > 0 {
		all = append(all, ev.captured(f, call)...)
		if out, ok := ev.run(fn, all, f.said); ok && out.some {
			if out.effect == flow.False {
				return named(fn, all, out.result), flow.False
			}
			if out.result.filled(all) {
				out.result = value{}
			}
			return out.result, out.effect
		}
		return value{}, flow.Unknown
	}
	if callee == nil {
		return value{}, flow.True
	}
	if v, ok := ev.meaning(callee, all); ok {
		return v, flow.False
	}
	if kubeapi.Logs(callee) {
		return value{}, flow.False
	}
	v = derived(callee.FullName(), ev.looks.lookedAt(callee, all)...)
	if n := call.Call.Signature().Results().Len(); n > 1 {
		t := value{}
		for i := range n {
			t.tuple = append(t.tuple, derived("result "+string(rune('0'+i)), v))
		}
		v = t
	}
	if common.IsInvoke() && isHash(common.Value.Type()) || isHash(call.Type()) {
		return v, flow.False // it is memory of the function's own
	}
	return v, effectOf(callee)
}

// captured are the values of the variables that the literal that call runs has captured from the function of f, if it is one.
func (ev *evaluation) captured(f *frame, call *ssa.Call) []value {
	made, ok := flow.Resolve(call.Call.Value).(*ssa.MakeClosure)
	if !ok || made.Parent() != f.fn {
		return nil
	}
	out := make([]value, len(made.Bindings))
	for i, b := range made.Bindings {
		out[i] = ev.addr(f, b, call)
	}
	return out
}

// isHash reports whether t is one of the interfaces of hashes.
func isHash(t types.Type) bool {
	n := kubeapi.Named(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "hash"
}

func (ev *evaluation) evalAll(f *frame, vs []ssa.Value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		out[i] = ev.eval(f, v)
	}
	return out
}

// meaning is the result of a function out of sight whose meaning is known.
func (ev *evaluation) meaning(fn *types.Func, args []value) (value, bool) {
	if path := metaPath(kubeapi.GetterOf(fn)); path != "" && args[0].kind == placeValue && (args[0].path == "" || args[0].path == "metadata") {
		v := args[0]
		v.path = path
		return v, true
	}
	switch {
	case kubeapi.AsksZero(fn) && args[0].kind == placeValue:
		if t := ev.change.isNil(args[0]); t != flow.Unknown {
			return boolean(t), true
		}
		return derived(fn.Name(), args[0]), true
	case kubeapi.Compares(fn) && len(args) >= 2:
		x, y := args[len(args)-2], args[len(args)-1]
		if t := ev.change.equal(x, y); t != flow.Unknown {
			return boolean(t), true
		}
		return maybeDerived(token.EQL.String(), x, y), true
	case kubeapi.ControllerRef.Has(fn) && args[0].kind == placeValue:
		v := args[0]
		v.path = "metadata.ownerReferences[controller]"
		return v, true
	}
	return value{}, false
}
