package filter

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// An awaited state is what one side of a test waits for the end of.
type awaitedState struct {
	givenUp
	side *ssa.BasicBlock // where control goes while it lasts
	from *ssa.BasicBlock // from which control goes elsewhere when it is over
	err  ssa.Value       // that there is no such object, nil where there is one
}

// awaits are what test may wait for.
func (d *dropped) awaits(test *ssa.If, s *sources, calls int) []*awaitedState {
	var all []*awaitedState
	add := func(a *awaitedState) {
		if a != nil {
			all = append(all, a)
		}
	}
	add(d.awaitsPresence(test, s))
	add(d.awaitsStatus(test, s))
	if calls > 0 {
		all = append(all, d.awaitsAnswer(test, s, calls-1)...)
	}
	return all
}

// callsAway is how far away the function may be that has asked for the object, and has told the one that gives up.
const callsAway = 2

// awaitsAnswer are the waits of the function of the package that has given the answer which test looks at: it is false, or nil, while they last.
func (d *dropped) awaitsAnswer(test *ssa.If, s *sources, calls int) (all []*awaitedState) {
	cond, is := flow.Positive(test.Cond)
	answer, empty := cond, !is
	if x, isNil, ok := flow.NilTest(cond); ok {
		if flow.IsError(x.Type()) {
			return nil
		}
		answer, empty = x, isNil == is
	}
	call, i := flow.ResultOf(flow.Resolve(answer))
	if call == nil {
		return nil
	}
	callee := d.ps.pkg.Callee(&call.Call)
	if callee == nil {
		return nil
	}
	for _, b := range callee.Blocks {
		within := flow.Branch(b)
		if within == nil {
			continue
		}
		for _, a := range d.awaits(within, s, calls) {
			if d.answers(a, i, s) {
				a.side, a.from, a.err = flow.Side(test, flow.Settled(empty)), test.Block(), nil
				all = append(all, a)
			}
		}
	}
	return all
}

// answers reports whether a function that finds a gives false or nil as result i, and no error, and does nothing that may wake the reconciler.
func (d *dropped) answers(a *awaitedState, i int, s *sources) bool {
	blocks, some := flow.BlocksFrom(a.side), false
	if blocks[a.from] {
		return false
	}
	for b := range blocks {
		if d.someMayWake(b.Instrs, s) {
			return false
		}
		ret := flow.ReturnOf(b)
		if ret == nil || failsWithin(b, blocks) {
			continue
		}
		v := flow.Given(ret, i)
		if !flow.IsNil(v) && flow.TruthOf(v) != flow.No {
			return false
		}
		if at := flow.ErrorResult(b.Parent().Signature); at >= 0 && !a.noError(flow.Given(ret, at)) {
			return false
		}
		some = true
	}
	return some
}

// awaitsPresence is the wait for an object that is not there.
func (d *dropped) awaitsPresence(test *ssa.If, s *sources) *awaitedState {
	err, t := notThere(test)
	if err == nil {
		return nil
	}
	call, _ := flow.ResultOf(flow.Resolve(err))
	if call == nil {
		return nil
	}
	kind := d.kindRead(call)
	if kind == nil || s.isOwn(kind) || d.makes(kind, s) {
		return nil
	}
	chosen, named := d.chosen(call, s)
	if !chosen {
		return nil
	}
	return &awaitedState{givenUp{kind: kind, state: "is not there", read: call, named: named}, flow.Side(test, t), call.Block(), err}
}

// notThere is the error that tells that an object is not there on one side of test, where its condition has the truth t; nil for other tests.
func notThere(test *ssa.If) (err ssa.Value, t flow.Truth) {
	cond, is := flow.Positive(test.Cond)
	if call, ok := cond.(*ssa.Call); ok {
		if kube.AsksAbsence(flow.Callee(&call.Call)) {
			return call.Call.Args[0], flow.Settled(is)
		}
		return nil, flow.Either
	}
	x, isNil, ok := flow.NilTest(cond)
	if !ok || !flow.IsError(x.Type()) {
		return nil, flow.Either
	}
	if of := besidesAbsence(x); of != nil && failedBefore(of, test.Block()) { // another error has been ruled out
		return of, flow.Settled(isNil == is)
	}
	// Whatever the error was, no error may come of it.
	side := flow.Side(test, flow.Settled(isNil != is))
	if ret := flow.ReturnOf(side); ret != nil && len(ret.Results) == 2 && flow.EntersOnlyFrom(side, test.Block()) {
		if of := besidesAbsence(flow.Given(ret, 1)); of != nil && flow.Resolve(of) == flow.Resolve(x) {
			return x, flow.Settled(isNil != is)
		}
	}
	return nil, flow.Either
}

// besidesAbsence is the error of which v is all but that something is not there, nil for other values.
func besidesAbsence(v ssa.Value) ssa.Value {
	call, ok := flow.Resolve(v).(*ssa.Call)
	if !ok || !kube.IgnoresAbsence(flow.Callee(&call.Call)) {
		return nil
	}
	return call.Call.Args[0]
}

// failedBefore reports whether control comes to b only where err is there.
func failedBefore(err ssa.Value, b *ssa.BasicBlock) bool {
	for test, t := range flow.Decided(b) {
		cond, is := flow.Positive(test.Cond)
		if x, isNil, ok := flow.NilTest(cond); ok && flow.Resolve(x) == flow.Resolve(err) && t == flow.Settled(isNil != is) {
			return true
		}
	}
	return false
}

// kindRead is the one kind of which call reads an object, itself or in a function that gives one; nil where it is none.
func (d *dropped) kindRead(call *ssa.Call) types.Type {
	if r, ok := kube.RequestOf(&call.Call); ok {
		if r.Verb != kube.VerbGet {
			return nil
		}
		if asked := r.Asked(&call.Call); asked != nil {
			return oneObject(asked)
		}
	}
	for v := range call.Call.Signature().Results().Variables() {
		if t := oneObject(v.Type()); t != nil {
			return t
		}
	}
	return nil
}

// makes reports whether the reconciler makes objects of that kind.
func (d *dropped) makes(kind types.Type, s *sources) bool {
	for _, fn := range region(d.ps.pkg, s.reconcile) {
		for in := range flow.Instrs(fn) {
			if made := createdBy(in); made != nil && (types.IsInterface(made.Type()) || sameType(made.Type(), kind)) {
				return true
			}
		}
	}
	return false
}

// awaitsStatus is the wait for a status that is not there yet, or not as it is to be.
func (d *dropped) awaitsStatus(test *ssa.If, s *sources) *awaitedState {
	object, t := unready(test)
	if object == nil {
		return nil
	}
	kind := oneObject(object.Type())
	if kind == nil || s.isOwn(kind) {
		return nil
	}
	call := d.readOf(object, 3)
	if call == nil {
		return nil
	}
	chosen, named := d.chosen(call, s)
	if !chosen {
		return nil
	}
	return &awaitedState{givenUp{kind: kind, state: "has not the status that it waits for", read: call, named: named && !d.makes(kind, s)}, flow.Side(test, t), test.Block(), nil}
}

// unready is the object whose status is not as it is to be on one side of test, where its condition has the truth t: it is empty, it is another
// one than a constant, or too small; nil for other tests.
func unready(test *ssa.If) (object ssa.Value, t flow.Truth) {
	cond, is := flow.Positive(test.Cond)
	if object = statusOwner(cond); object != nil {
		return object, flow.Settled(!is)
	}
	bin, ok := cond.(*ssa.BinOp)
	if !ok {
		return nil, flow.Either
	}
	c, constant := bin.Y.(*ssa.Const)
	object = statusOwner(lengthOf(bin.X))
	switch {
	case object == nil && statusOwner(bin.Y) != nil && bin.Op == token.GTR:
		return statusOwner(bin.Y), flow.Settled(is)
	case object == nil:
		return nil, flow.Either
	case bin.Op == token.LSS:
		return object, flow.Settled(is)
	case bin.Op == token.GTR && constant && flow.IsZeroInt(c):
		return object, flow.Settled(!is)
	case bin.Op != token.EQL && bin.Op != token.NEQ:
		return nil, flow.Either
	case constant && flow.IsZero(c):
		return object, flow.Settled(is == (bin.Op == token.EQL))
	case constant:
		return object, flow.Settled(is != (bin.Op == token.EQL))
	}
	return nil, flow.Either
}

// lengthOf is what v is the length of, v itself for other values.
func lengthOf(v ssa.Value) ssa.Value {
	if call, ok := v.(*ssa.Call); ok {
		if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return call.Call.Args[0]
		}
	}
	return v
}

// statusOwner is the object in whose status v lies, nil for other values.
func statusOwner(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	for ok && load.Op == token.MUL {
		fa, isField := load.X.(*ssa.FieldAddr)
		for isField {
			if f := flow.Field(fa.X.Type(), fa.Field); f != nil && f.Name() == "Status" && oneObject(pointerTo(fa.X.Type())) != nil {
				return flow.Resolve(fa.X)
			}
			next, inner := fa.X.(*ssa.FieldAddr)
			if !inner {
				break
			}
			fa = next
		}
		if !isField {
			return nil
		}
		load, ok = fa.X.(*ssa.UnOp)
	}
	return nil
}

// readOf is the call that has read object, here or in a caller that is so many calls away; nil where that is not known.
func (d *dropped) readOf(object ssa.Value, calls int) *ssa.Call {
	object = flow.Unwrap(flow.Resolve(object))
	switch x := object.(type) {
	case *ssa.Parameter:
		at := flow.ParamIndex(x.Parent(), x)
		for _, call := range d.ps.pkg.Callers(x.Parent()) {
			if args := flow.AllArgs(call.Common()); calls > 0 && at < len(args) {
				if read := d.readOf(args[at], calls-1); read != nil {
					return read
				}
			}
		}
	case *ssa.Alloc:
		if _, call := readBy(x); call != nil {
			return call
		}
	default:
		if call, _ := flow.ResultOf(object); call != nil && d.kindRead(call) != nil {
			return call
		}
	}
	return nil
}
