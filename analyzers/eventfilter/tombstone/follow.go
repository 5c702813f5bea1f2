package tombstone

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// unwrapIt ends messages about a handler that does not look into the tombstone.
const unwrapIt = "; unwrap its Obj first"

// fate is what becomes of a tombstone in a function: how it goes wrong, and whether something may take care of it, which is a
// look at it or a way out of sight.
type fate struct {
	problems []problem
	handled  bool
	no       bool // the function answers no

	// asked: the function takes care of the tombstone by its answer, a yes or no, which is says.
	asked bool
	says  flow.Truth
}

// look is what is done with an object that may be a tombstone.
type look struct {
	found    []problem
	handlers []ssa.Instruction        // that may take care of the tombstone
	asserts  []*ssa.TypeAssert        // to other types
	noes     []ssa.Value              // calls that answer no
	said     map[ssa.Value]flow.Truth // what calls answer that know of tombstones
	pointers []problem                // assertions to a pointer to a tombstone
	expected bool                     // there is one to the tombstone itself
	views    map[*ssa.Function]*paths.Feasible
	acting   map[actingKey]flow.Blocks
}

// follow is what becomes of the tombstone obj in fn, a handler where outermost.
func (t *tombstones) follow(fn *ssa.Function, obj ssa.Value, outermost bool) fate {
	if outermost && fn.Signature.Results().Len() == 0 && onlyLogs(fn) { // there is nothing to miss
		return fate{handled: true}
	}
	l := &look{views: map[*ssa.Function]*paths.Feasible{}, said: map[ssa.Value]flow.Truth{}}
	for in := range flow.Instrs(append([]*ssa.Function{fn}, flow.Literals(fn)...)...) {
		if slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return *op != nil && raw(*op) == obj }) {
			t.note(l, in, obj)
		}
	}
	if !l.expected {
		l.found = append(l.found, l.pointers...)
	}
	for _, a := range l.asserts {
		if basic(a.AssertedType) || anyReaches(l.handlers, a) {
			continue
		}
		want := types.TypeString(a.AssertedType, func(p *types.Package) string { return p.Name() })
		switch {
		case !a.CommaOk:
			if !guarded(a, l.asserts) && l.view(a.Parent()).Reaches(a.Block()) {
				l.found = append(l.found, problem{pos: a.Pos(), text: "the type assertion to " + want + " fails" + unwrapIt, panics: true, sure: true, fn: fn, obj: obj})
			}
		case unheeded(a) != nil:
			l.found = append(l.found, problem{pos: flow.Pos(unheeded(a)), text: "the type assertion to " + want + " yields nil, which is dereferenced here" + unwrapIt, panics: true, sure: true, byHand: true})
		case tested(a) && l.drops(a, !outermost), outermost && answers(a):
			l.found = append(l.found, problem{pos: a.Pos(), text: "the type assertion to " + want + " fails and the delete is lost" + unwrapIt, sure: true, fn: fn, obj: obj})
		}
	}
	for _, v := range l.noes {
		if call := v.(*ssa.Call); outermost && !anyReaches(l.handlers, call) && l.drops(call, false) {
			l.found = append(l.found, problem{pos: call.Pos(), text: calleeName(&call.Call) + " returns false for it and the delete is lost" + unwrapIt, sure: true, fn: fn, obj: obj})
		}
	}
	if slices.ContainsFunc(l.asserts, func(a *ssa.TypeAssert) bool { return !a.CommaOk }) || slices.ContainsFunc(l.found, func(p problem) bool { return p.panics }) {
		// With a key function that does not fail on it, the tombstone comes to what panics on it: a lost event would be a crash.
		for i := range l.found {
			if l.found[i].instead != "" {
				l.found[i].instead, l.found[i].fn, l.found[i].obj = "", fn, obj
			}
		}
	}
	l.found = slices.DeleteFunc(l.found, func(p problem) bool { // it was taken care of before, or is known to be no tombstone
		return p.call != nil && anyReaches(l.handlers, p.call) || p.given != nil && !l.view(p.given.Parent()).Reaches(p.given.Block())
	})
	for i := range l.found {
		if l.found[i].loses == nil {
			l.found[i].loses = fn
		}
	}
	if len(l.handlers) == 0 {
		return fate{problems: l.found, no: l.no(fn)}
	}
	// Whatever is dropped was looked at in another way; what panics, or matches nothing, before that was not.
	f := fate{problems: slices.DeleteFunc(l.found, func(p problem) bool { return !p.sure }), handled: true}
	if res := fn.Signature.Results(); l.expected && res.Len() == 1 && flow.IsBool(res.At(0).Type()) {
		f.asked, f.says = true, l.answer(fn)
	}
	return f
}

// unheeded is a use of what the assertion a, to a pointer, gives, which panics on nil, where nobody asks whether a holds; nil where there is none.
func unheeded(a *ssa.TypeAssert) ssa.Instruction {
	v := flow.Extracted(a, 0)
	if _, ptr := a.AssertedType.Underlying().(*types.Pointer); !ptr || v == nil || tested(a) {
		return nil
	}
	for r := range flow.Referrers[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.UnOp:
			return r
		case *ssa.Call: // each method of an Unstructured looks at what it has
			if flow.Recv(&r.Call) == v && kubeapi.Unstructured.Is(v.Type()) {
				return r
			}
		}
	}
	return nil
}

// no reports whether fn has a condition for its one result, which does not hold for the tombstone.
func (l *look) no(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() != 1 || !flow.IsBool(res.At(0).Type()) || len(l.asserts) == 0 {
		return false
	}
	view := l.view(fn)
	return !flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
		return view.Reaches(ret.Block()) && view.ValueAt(ret.Results[0], ret.Block()) != flow.False
	})
}

// answer is what fn, which asks whether it has a tombstone, says to one with an object of the type that it expects in it.
func (l *look) answer(fn *ssa.Function) flow.Truth {
	view := paths.Reachable(fn, func(v ssa.Value) flow.Truth {
		x, ok := v.(*ssa.Extract)
		if !ok || x.Index != 1 {
			return flow.Unknown
		}
		a, ok := x.Tuple.(*ssa.TypeAssert)
		switch {
		case !ok:
			return flow.Unknown
		case kubeapi.Tombstone.Is(a.AssertedType), strings.HasSuffix(flow.PathOf(a.X).Sel, ".Obj"):
			return flow.True
		case slices.Contains(l.asserts, a):
			return flow.False
		}
		return flow.Unknown
	}, nil)
	says := map[flow.Truth]bool{}
	for ret := range flow.Returns(fn) {
		if view.Reaches(ret.Block()) {
			says[view.ValueAt(ret.Results[0], ret.Block())] = true
		}
	}
	switch {
	case len(says) == 1 && says[flow.True]:
		return flow.True
	case len(says) == 1 && says[flow.False]:
		return flow.False
	}
	return flow.Unknown
}

// view is fn, the function or one of its literals, as it is for a tombstone: no assertion to another type holds.
func (l *look) view(fn *ssa.Function) *paths.Feasible {
	if l.views[fn] == nil {
		l.views[fn] = paths.Reachable(fn, func(v ssa.Value) flow.Truth {
			if slices.Contains(l.noes, v) {
				return flow.False
			}
			if truth, ok := l.said[v]; ok {
				return truth
			}
			x, isNil, ok := flow.NilTest(v)
			if !ok {
				x = v
			}
			failed, isExtract := x.(*ssa.Extract)
			if !isExtract || ok != (failed.Index == 0) {
				return flow.Unknown
			}
			if a, isAssert := failed.Tuple.(*ssa.TypeAssert); !isAssert || !slices.Contains(l.asserts, a) {
				return flow.Unknown
			}
			return flow.TruthOf(ok && isNil)
		}, nil)
	}
	return l.views[fn]
}

// onlyLogs reports whether fn cannot panic on what it is given and has no effect but that it logs, what it makes for that included.
func onlyLogs(fn *ssa.Function) bool {
	logs := false
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.TypeAssert:
			if !in.CommaOk {
				return false
			}
		case *ssa.Store:
			if _, arg := in.Addr.(*ssa.IndexAddr); !arg && !local(in.Addr) {
				return false
			}
		case *ssa.Send, *ssa.MapUpdate, *ssa.Go, *ssa.MakeClosure, *ssa.Select:
			return false
		case ssa.CallInstruction:
			if b, ok := in.Common().Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				continue
			}
			if call, ok := in.(*ssa.Call); !kubeapi.Logs(flow.Callee(in.Common())) && (!ok || !madeToLog(call)) {
				return false
			}
			logs = true
		}
	}
	return logs
}

// madeToLog reports whether call makes something of what it is given, by no object that others have, that only comes to logs.
func madeToLog(call *ssa.Call) bool { return makes(call) && logged(call) }

// makes reports whether call gives something for what it is given, and does nothing else.
func makes(call *ssa.Call) bool {
	if flow.Callee(&call.Call) == nil || call.Call.Signature().Results().Len() == 0 {
		return false
	}
	if recv := flow.Recv(&call.Call); recv != nil {
		if made, ok := flow.Resolve(recv).(*ssa.Call); !ok || flow.Recv(&made.Call) != nil {
			return false
		}
	}
	body := flow.StaticCallee(&call.Call)
	return body == nil || quiet(body)
}

// quiet reports whether fn, where its body is in sight, changes nothing that others have, and calls only what gives something back for what it is given.
func quiet(fn *ssa.Function) bool { return quietBut(fn, local) }

// quietBut is quiet, but for stores to such addresses.
func quietBut(fn *ssa.Function, mine func(addr ssa.Value) bool) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			if _, arg := in.Addr.(*ssa.IndexAddr); !arg && !mine(in.Addr) {
				return false
			}
		case *ssa.Send, *ssa.MapUpdate, *ssa.Go, *ssa.Defer, *ssa.Select, *ssa.MakeClosure:
			return false
		case *ssa.Call:
			if !kubeapi.Logs(flow.Callee(&in.Call)) && (in.Call.IsInvoke() || in.Call.Signature().Results().Len() == 0) {
				return false
			}
		}
	}
	return true
}

// logged reports whether all that becomes of v comes to logs.
func logged(v ssa.Value) bool {
	work := values.From(v)
	for in := range work.Uses() {
		switch in := in.(type) {
		case *ssa.If:
		case *ssa.Call:
			if !kubeapi.Logs(flow.Callee(&in.Call)) {
				if !makes(in) {
					return false
				}
				work.Add(in)
			}
		case *ssa.Slice, *ssa.UnOp, *ssa.BinOp:
			work.Add(in.(ssa.Value))
		default:
			return false
		}
	}
	return true
}

// note notes what the instruction does with obj.
func (t *tombstones) note(l *look, in ssa.Instruction, obj ssa.Value) {
	switch in := in.(type) {
	case *ssa.TypeAssert:
		if !kubeapi.Tombstone.Is(in.AssertedType) {
			l.asserts = append(l.asserts, in)
		} else if _, ptr := types.Unalias(in.AssertedType).(*types.Pointer); ptr {
			l.pointers = append(l.pointers, problem{pos: in.Pos(), text: "the informer sends a value, not a pointer; assert the type without *", panics: !in.CommaOk, sure: true})
		} else {
			if a := unopened(in); a != nil {
				want := types.TypeString(a.AssertedType, func(p *types.Package) string { return p.Name() })
				l.found = append(l.found, problem{pos: a.Pos(), text: "the type assertion to " + want + " is made on the tombstone itself and fails; assert its Obj", panics: panicsUnopened(in, a), sure: true, byHand: true, unopened: true})
			} else {
				l.handlers = append(l.handlers, in)
			}
			l.expected = true
		}
	case ssa.CallInstruction:
		f := t.given(in, obj)
		for _, p := range f.problems {
			p.given = in
			l.found = append(l.found, p)
		}
		if call, ok := in.(*ssa.Call); ok && f.no {
			l.noes = append(l.noes, call)
		}
		if call, ok := in.(*ssa.Call); ok && f.asked {
			l.said[call] = f.says
		} else if f.handled {
			l.handlers = append(l.handlers, in)
		}
	case *ssa.Store:
		if in.Val != nil && raw(in.Val) == obj && !local(in.Addr) {
			l.handlers = append(l.handlers, in)
		}
	case *ssa.BinOp, *ssa.If, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.UnOp:
	case *ssa.MakeClosure: // the uses inside are looked at
	default:
		l.handlers = append(l.handlers, in)
	}
}

// given is what becomes of obj, one of the arguments of the call, in what is called.
func (t *tombstones) given(call ssa.CallInstruction, obj ssa.Value) fate {
	common := call.Common()
	callee := flow.Callee(common)
	switch instead, makesKey := kubeapi.TombstoneKey(callee); {
	case instead != "":
		return fate{problems: []problem{{pos: call.Pos(), text: "cache." + callee.Name() + " fails and the delete is lost; use cache." + instead, instead: instead}}}
	case kubeapi.Accessor.Has(callee):
		return fate{problems: []problem{{pos: call.Pos(), text: "meta.Accessor fails and the delete is lost" + unwrapIt, fn: call.Parent(), obj: obj}}}
	case makesKey:
		// The key is right, obj itself still is the tombstone: whoever asserts its type before the key panics, who
		// does it afterwards for more than the key may do so for objects alone.
		return fate{handled: true}
	}
	fn := t.pkg.Callee(common)
	if fn == nil {
		if fns, all := t.pkg.Callees(call); all && len(fns) == 1 && fns[0].Parent() != nil {
			fn = fns[0] // a literal that a function of the package has made
		}
	}
	if fn == nil {
		if f := t.imported(callee); f != nil && !common.IsInvoke() {
			for i, a := range common.Args {
				if o := f.given(i); o != (Outcome{}) && raw(a) == obj {
					return fate{problems: []problem{{pos: call.Pos(), text: in(callee, o), panics: o.Panics, sure: o.Sure, fn: call.Parent(), obj: obj, call: call}}}
				}
			}
		}
		return fate{handled: !kubeapi.Logs(callee)} // out of sight
	}
	for i, a := range flow.AllArgs(common) {
		if raw(a) == obj && i < len(fn.Params) {
			p := fn.Params[i]
			return t.memo.Ask(p, fate{handled: true}, func() fate { return t.follow(fn, p, false) })
		}
	}
	return fate{handled: true}
}

// raw follows v back through conversions between interfaces, and variables that are written once, but not through
// assertions: the value is the very object that the informer gave.
func raw(v ssa.Value) ssa.Value {
	work := values.From(v)
	for v = range work.All() {
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			work.Add(x.X)
		case *ssa.ChangeType:
			work.Add(x.X)
		case *ssa.UnOp:
			work.Add(flow.SingleStore(x.X))
		case *ssa.FreeVar:
			work.Add(flow.Binding(x))
		}
	}
	return v
}

// local reports whether addr is a variable of the function, or the list of arguments of a call with ..., as loggers
// take them.
func local(addr ssa.Value) bool {
	if a, ok := addr.(*ssa.Alloc); ok {
		return flow.SingleStore(a) != nil
	}
	return flow.Argument(addr)
}

func anyReaches(from []ssa.Instruction, to ssa.Instruction) bool {
	return slices.ContainsFunc(from, func(in ssa.Instruction) bool {
		if in == to || in.Parent() != to.Parent() {
			return false
		}
		return flow.Reaches(in, to, nil)
	})
}

// guarded reports whether a checked assertion to the same type stands in front of a, so that a cannot fail where it
// is reached.
func guarded(a *ssa.TypeAssert, all []*ssa.TypeAssert) bool {
	for _, b := range all {
		if b != a && b.CommaOk && b.Parent() == a.Parent() && flow.Dominates(b, a) {
			return true
		}
	}
	return a.Parent().Parent() != nil && len(all) > 1 // in a literal that may be run under a check
}

// answers reports whether a filter returns whether the checked assertion a held: it says no to a tombstone.
func answers(a *ssa.TypeAssert) bool {
	if ok := flow.Extracted(a, 1); ok != nil {
		for range flow.Referrers[*ssa.Return](ok) {
			return true
		}
	}
	return false
}

// drops reports whether nothing but logging happens after a, a checked assertion that failed or a call that said no, because the
// object is a tombstone: no instruction of l's handlers is reached. What a callee returns, its caller may act on.
func (l *look) drops(a ssa.Instruction, callee bool) bool {
	view, b := l.view(a.Parent()), a.Block()
	acts := func(in ssa.Instruction) bool { return slices.Contains(l.handlers, in) || heeds(in, view, callee) }
	return !slices.ContainsFunc(b.Instrs[slices.Index(b.Instrs, a)+1:], acts) && !l.behind(a.Parent(), callee, acts)[b]
}

// behind are the blocks of fn, as it is for a tombstone, from the end of which control may come to another one with an instruction that acts. It
// is found out once for all assertions of fn.
func (l *look) behind(fn *ssa.Function, callee bool, acts func(ssa.Instruction) bool) flow.Blocks {
	key := actingKey{fn, callee}
	if l.acting[key] != nil {
		return l.acting[key]
	}
	if l.acting == nil {
		l.acting = map[actingKey]flow.Blocks{}
	}
	l.acting[key] = l.view(fn).Before(func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, acts) })
	return l.acting[key]
}

// An actingKey is a function, and whether another one acts on what it returns.
type actingKey struct {
	fn     *ssa.Function
	callee bool
}

// heeds reports whether in, of a function that is as in view, does more than to log, or gives an answer other than no.
func heeds(in ssa.Instruction, view *paths.Feasible, callee bool) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return !flow.Argument(in.Addr)
	case *ssa.Send, *ssa.MapUpdate, *ssa.Select:
		return true
	case ssa.CallInstruction:
		_, builtin := in.Common().Value.(*ssa.Builtin)
		return builtin || !kubeapi.Logs(flow.Callee(in.Common()))
	case *ssa.Return:
		return callee && len(in.Results) > 0 ||
			slices.ContainsFunc(in.Results, func(r ssa.Value) bool { return flow.IsBool(r.Type()) && view.ValueAt(r, in.Block()) != flow.False })
	}
	return false
}

// tested reports whether the code asks, by the flag or by a comparison with nil, whether the assertion a succeeded.
func tested(a *ssa.TypeAssert) bool {
	for ex := range flow.Referrers[*ssa.Extract](a) {
		for r := range flow.Referrers[ssa.Instruction](ex) {
			switch r := r.(type) {
			case *ssa.If, *ssa.Phi, *ssa.UnOp:
				return true
			case *ssa.BinOp:
				return flow.IsNil(r.X) || flow.IsNil(r.Y)
			}
		}
	}
	return false
}

// basic: a tombstone is never meant where a string or number is expected.
func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}
