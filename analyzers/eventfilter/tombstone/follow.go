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

// unwrapIt ends messages about a handler that does not unwrap the tombstone.
const unwrapIt = "; unwrap its Obj first"

// fate is what a function does with a tombstone: how it mishandles it, and whether it may handle it, by an assertion
// to the tombstone or by passing it to unknown code.
type fate struct {
	problems     []problem
	handled      bool
	returnsFalse bool // the function returns false for it

	// byResult: the function recognises tombstones and has one result, a bool, which is result for a tombstone.
	byResult bool
	result   flow.Truth
}

// objectUses collects the uses of an object that may be a tombstone, in a function and its literals.
type objectUses struct {
	found        []problem
	handlers     []ssa.Instruction        // that may handle the tombstone
	asserts      []*ssa.TypeAssert        // of the object to other types
	falseCalls   []ssa.Value              // calls with the object that return false for a tombstone
	knownResults map[ssa.Value]flow.Truth // results for a tombstone of calls that recognise tombstones
	pointers     []problem                // assertions to a pointer to a tombstone, which fail
	expected     bool                     // the object is asserted to be a tombstone
	views        map[*ssa.Function]*paths.Feasible
	acting       map[actingKey]flow.Blocks
}

// follow returns what fn does with the tombstone obj. outermost: fn is the handler itself, whose results no code of
// the package uses; otherwise its callers may act on what it returns.
func (t *tombstones) follow(fn *ssa.Function, obj ssa.Value, outermost bool) fate {
	if outermost && fn.Signature.Results().Len() == 0 && onlyLogs(fn) { // nothing is lost
		return fate{handled: true}
	}
	l := &objectUses{views: map[*ssa.Function]*paths.Feasible{}, knownResults: map[ssa.Value]flow.Truth{}}
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
			if !checkedBefore(a, l.asserts) && l.view(a.Parent()).Reaches(a.Block()) {
				l.found = append(l.found, problem{
					pos: a.Pos(), text: "the type assertion to " + want + " fails" + unwrapIt, panics: true,
					unconditional: true, fn: fn, obj: obj,
				})
			}
		case uncheckedUse(a) != nil:
			l.found = append(l.found, problem{
				pos:  flow.Pos(uncheckedUse(a)),
				text: "the type assertion to " + want + " yields nil, which is dereferenced here" + unwrapIt, panics: true,
				unconditional: true, noSafeFix: true,
			})
		case tested(a) && l.drops(a, !outermost), outermost && returnsFlag(a):
			l.found = append(l.found, problem{
				pos: a.Pos(), text: "the type assertion to " + want + " fails and the delete is lost" + unwrapIt,
				unconditional: true, fn: fn, obj: obj,
			})
		}
	}
	for _, v := range l.falseCalls {
		if call := v.(*ssa.Call); outermost && !anyReaches(l.handlers, call) && l.drops(call, false) {
			l.found = append(l.found, problem{
				pos: call.Pos(), text: calleeName(&call.Call) + " returns false for it and the delete is lost" + unwrapIt,
				unconditional: true, fn: fn, obj: obj,
			})
		}
	}
	if slices.ContainsFunc(l.asserts, func(a *ssa.TypeAssert) bool { return !a.CommaOk }) ||
		slices.ContainsFunc(l.found, func(p problem) bool { return p.panics }) {
		// The other key function accepts the tombstone, which then reaches the assertion that panics: unwrap it instead.
		for i := range l.found {
			if l.found[i].instead != "" {
				l.found[i].instead, l.found[i].fn, l.found[i].obj = "", fn, obj
			}
		}
	}
	l.found = slices.DeleteFunc(l.found, func(p problem) bool { // handled before, or not reached
		return p.call != nil && anyReaches(l.handlers, p.call) ||
			p.passedBy != nil && !l.view(p.passedBy.Parent()).Reaches(p.passedBy.Block())
	})
	for i := range l.found {
		if l.found[i].skipped == nil {
			l.found[i].skipped = fn
		}
	}
	if len(l.handlers) == 0 {
		return fate{problems: l.found, returnsFalse: l.returnsFalse(fn)}
	}
	// Other code handles the tombstone, so that only problems that occur in spite of it remain.
	f := fate{problems: slices.DeleteFunc(l.found, func(p problem) bool { return !p.unconditional }), handled: true}
	if res := fn.Signature.Results(); l.expected && res.Len() == 1 && flow.IsBool(res.At(0).Type()) {
		f.byResult, f.result = true, l.resultFor(fn)
	}
	return f
}

// uncheckedUse returns an instruction that dereferences the result of a, a comma-ok assertion to a pointer type,
// without a test whether a holds; nil if there is none.
func uncheckedUse(a *ssa.TypeAssert) ssa.Instruction {
	v := flow.Extracted(a, 0)
	if _, ptr := a.AssertedType.Underlying().(*types.Pointer); !ptr || v == nil || tested(a) {
		return nil
	}
	for r := range flow.Referrers[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.UnOp:
			return r
		case *ssa.Call: // each method of an Unstructured dereferences it
			if flow.Recv(&r.Call) == v && kubeapi.Unstructured.Is(v.Type()) {
				return r
			}
		}
	}
	return nil
}

// returnsFalse reports whether fn, which has one result, a bool, must return false for the tombstone.
func (l *objectUses) returnsFalse(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() != 1 || !flow.IsBool(res.At(0).Type()) || len(l.asserts) == 0 {
		return false
	}
	view := l.view(fn)
	return !flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
		return view.Reaches(ret.Block()) && view.ValueAt(ret.Results[0], ret.Block()) != flow.False
	})
}

// resultFor returns the result of fn, which recognises tombstones, for one that holds an object of the type that fn
// expects; Unknown if that depends on more.
func (l *objectUses) resultFor(fn *ssa.Function) flow.Truth {
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

// view returns fn, the followed function or one of its literals, with the branches that are possible for a tombstone:
// all assertions to other types fail.
func (l *objectUses) view(fn *ssa.Function) *paths.Feasible {
	if l.views[fn] == nil {
		l.views[fn] = paths.Reachable(fn, func(v ssa.Value) flow.Truth {
			if slices.Contains(l.falseCalls, v) {
				return flow.False
			}
			if truth, ok := l.knownResults[v]; ok {
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

// onlyLogs reports whether fn must not panic on its arguments and has no effect except logging.
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

// madeToLog reports whether call has no effect, and its result reaches only logging calls.
func madeToLog(call *ssa.Call) bool { return makes(call) && logged(call) }

// makes reports whether call only computes a result, as far as its body is known. It is called on no object, or on
// one just made by a function.
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

// quiet reports whether fn, if its body is known, changes nothing but its own variables, and calls only functions
// with results, none of an interface. That these have no effects is assumed.
func quiet(fn *ssa.Function) bool { return quietBut(fn, local) }

// quietBut is like quiet; mine reports which addresses fn may write to.
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

// logged reports whether v, and everything that is computed from it, reaches only logging calls and conditions.
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

// note adds to l what the instruction in does with obj.
func (t *tombstones) note(l *objectUses, in ssa.Instruction, obj ssa.Value) {
	switch in := in.(type) {
	case *ssa.TypeAssert:
		if !kubeapi.Tombstone.Is(in.AssertedType) {
			l.asserts = append(l.asserts, in)
		} else if _, ptr := types.Unalias(in.AssertedType).(*types.Pointer); ptr {
			l.pointers = append(l.pointers, problem{
				pos: in.Pos(), text: "the informer sends a value, not a pointer; assert the type without *",
				panics: !in.CommaOk, unconditional: true,
			})
		} else {
			if a := notUnwrapped(in); a != nil {
				want := types.TypeString(a.AssertedType, func(p *types.Package) string { return p.Name() })
				l.found = append(l.found, problem{
					pos:    a.Pos(),
					text:   "the type assertion to " + want + " is made on the tombstone itself and fails; assert its Obj",
					panics: panicsNotUnwrapped(in, a), unconditional: true, noSafeFix: true, notUnwrapped: true,
				})
			} else {
				l.handlers = append(l.handlers, in)
			}
			l.expected = true
		}
	case ssa.CallInstruction:
		f := t.fateInCallee(in, obj)
		for _, p := range f.problems {
			p.passedBy = in
			l.found = append(l.found, p)
		}
		if call, ok := in.(*ssa.Call); ok && f.returnsFalse {
			l.falseCalls = append(l.falseCalls, call)
		}
		if call, ok := in.(*ssa.Call); ok && f.byResult {
			l.knownResults[call] = f.result
		} else if f.handled {
			l.handlers = append(l.handlers, in)
		}
	case *ssa.Store:
		if in.Val != nil && raw(in.Val) == obj && !local(in.Addr) {
			l.handlers = append(l.handlers, in)
		}
	case *ssa.BinOp, *ssa.If, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.UnOp:
	case *ssa.MakeClosure: // the uses in the literal are noted themselves
	default:
		l.handlers = append(l.handlers, in)
	}
}

// fateInCallee returns what the callee of call does with obj, one of the arguments. For an unknown callee, obj counts
// as handled unless the callee logs.
func (t *tombstones) fateInCallee(call ssa.CallInstruction, obj ssa.Value) fate {
	common := call.Common()
	callee := flow.Callee(common)
	switch instead, makesKey := kubeapi.TombstoneKey(callee); {
	case instead != "":
		text := "cache." + callee.Name() + " fails and the delete is lost; use cache." + instead
		return fate{problems: []problem{{pos: call.Pos(), text: text, instead: instead}}}
	case kubeapi.Accessor.Has(callee):
		text := "meta.Accessor fails and the delete is lost" + unwrapIt
		return fate{problems: []problem{{pos: call.Pos(), text: text, fn: call.Parent(), obj: obj}}}
	case makesKey:
		// The key is right, though obj is still the tombstone. An assertion before the call panics and is reported; one after
		// it may be reached for objects only.
		return fate{handled: true}
	}
	fn := t.pkg.Callee(common)
	if fn == nil {
		if fns, all := t.pkg.Callees(call); all && len(fns) == 1 && fns[0].Parent() != nil {
			fn = fns[0] // a literal that a function of the package returned
		}
	}
	if fn == nil {
		if f := t.imported(callee); f != nil && !common.IsInvoke() {
			for i, a := range common.Args {
				if o := f.outcomeOf(i); o != (Outcome{}) && raw(a) == obj {
					return fate{problems: []problem{{
						pos: call.Pos(), text: in(callee, o), panics: o.Panics, unconditional: o.Unconditional,
						fn: call.Parent(), obj: obj, call: call,
					}}}
				}
			}
		}
		return fate{handled: !kubeapi.Logs(callee)} // an unknown callee
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
// assertions: the result is the very object that the informer passed.
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

// local reports whether addr is a variable of the function that is written once, or an element of the slice of
// variadic arguments of a call.
func local(addr ssa.Value) bool {
	if a, ok := addr.(*ssa.Alloc); ok {
		return flow.SingleStore(a) != nil
	}
	return flow.Argument(addr)
}

// anyReaches reports whether control may flow from one of the instructions from to the instruction to of the same
// function.
func anyReaches(from []ssa.Instruction, to ssa.Instruction) bool {
	return slices.ContainsFunc(from, func(in ssa.Instruction) bool {
		if in == to || in.Parent() != to.Parent() {
			return false
		}
		return flow.Reaches(in, to, nil)
	})
}

// checkedBefore reports whether a comma-ok assertion dominates a, which then may hold wherever it is reached; or
// whether a is in a literal and there are other assertions: it may be called only if one of them holds.
func checkedBefore(a *ssa.TypeAssert, all []*ssa.TypeAssert) bool {
	for _, b := range all {
		if b != a && b.CommaOk && b.Parent() == a.Parent() && flow.Dominates(b, a) {
			return true
		}
	}
	return a.Parent().Parent() != nil && len(all) > 1 // in a literal that may be run under a check
}

// returnsFlag reports whether the function returns the flag of the comma-ok assertion a: for a tombstone that is false.
func returnsFlag(a *ssa.TypeAssert) bool {
	if ok := flow.Extracted(a, 1); ok != nil {
		for range flow.Referrers[*ssa.Return](ok) {
			return true
		}
	}
	return false
}

// drops reports whether nothing but logging happens after a, an assertion that failed or a call that returned false
// for the tombstone: no handler of l and no other effect is reached. callee: the function is a callee of the handler,
// whose results the caller may act on.
func (l *objectUses) drops(a ssa.Instruction, callee bool) bool {
	view, b := l.view(a.Parent()), a.Block()
	acts := func(in ssa.Instruction) bool { return slices.Contains(l.handlers, in) || hasEffect(in, view, callee) }
	return !slices.ContainsFunc(b.Instrs[slices.Index(b.Instrs, a)+1:], acts) &&
		!l.reachesActing(a.Parent(), callee, acts)[b]
}

// reachesActing returns the blocks of fn from the end of which control may, for a tombstone, reach another block with
// an instruction that acts. It is computed once for each function.
func (l *objectUses) reachesActing(fn *ssa.Function, callee bool, acts func(ssa.Instruction) bool) flow.Blocks {
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

// An actingKey is a function, and whether it is a callee of the handler.
type actingKey struct {
	fn     *ssa.Function
	callee bool
}

// hasEffect reports whether in, in a function with the branches of view, does more than log, or returns something other
// than false.
func hasEffect(in ssa.Instruction, view *paths.Feasible, callee bool) bool {
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

// tested reports whether the code tests, by the flag or by a comparison with nil, whether the assertion a held.
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

// basic reports whether t is a string or number, for which an object is never passed.
func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}
