package filter

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A givenUp is that a reconciliation ends, without an error or a wish, because of another object.
type givenUp struct {
	kind  types.Type
	state string          // what the object is then
	read  ssa.Instruction // that has asked for it
	named bool            // in the spec of the object that is reconciled
	at    ssa.Instruction // the return
}

// givesUp are those of reconcile and of the functions with whose results it ends, where it would go on else.
func (d *dropped) givesUp(reconcile *ssa.Function, s *sources) (all []*givenUp) {
	for _, fn := range d.attempts(reconcile, s, map[*ssa.Function]bool{}) {
		for _, b := range fn.Blocks {
			test := flow.Branch(b)
			if test == nil || ofDeleted(b) {
				continue
			}
			for _, a := range d.awaits(test, s, callsAway) {
				if a.at = d.leaves(a, s); a.at != nil && d.goesOn(a) && !settles(a, s) {
					all = append(all, &a.givenUp)
				}
			}
		}
	}
	return all
}

// attempts are fn and the functions of the package with which it ends: where one of those has not failed, nothing comes of it but the end, but not those
// for an object that is being deleted.
func (d *dropped) attempts(fn *ssa.Function, s *sources, seen map[*ssa.Function]bool) []*ssa.Function {
	if seen[fn] || keptBack(fn) {
		return nil
	}
	seen[fn] = true
	all := []*ssa.Function{fn}
	flow.Calls(fn, func(in ssa.CallInstruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		if callee := d.ps.pkg.Callee(&call.Call); callee != nil && flow.ErrorResult(callee.Signature) >= 0 && !ofDeleted(call.Block()) && d.endsWith(call, s) {
			all = append(all, d.attempts(callee, s, seen)...)
		}
	})
	return all
}

// endsWith reports whether what comes of the results of call, which gives an error and perhaps a wish besides, is that the function returns them, and
// does nothing else that may wake the reconciler.
func (d *dropped) endsWith(call *ssa.Call, s *sources) bool {
	if n := call.Call.Signature().Results().Len(); n > 2 || n == 2 && !givesResult(&call.Call) {
		return false
	}
	rest := call.Block().Instrs[slices.Index(call.Block().Instrs, ssa.Instruction(call))+1:]
	blocks := flow.BlocksFrom(call.Block())
	for b := range blocks {
		instrs := b.Instrs
		if b == call.Block() {
			instrs = rest
		}
		if d.someMayWake(instrs, s) {
			return false
		}
		ret := flow.ReturnOf(b)
		if ret == nil || failsWithin(b, blocks) {
			continue
		}
		if !leavesWith(ret, call) {
			return false
		}
	}
	return !flow.InLoop(call.Block())
}

// leavesWith reports whether ret returns no wish and no error but those that call gives.
func leavesWith(ret *ssa.Return, call *ssa.Call) bool {
	for i := range ret.Results {
		v := flow.Resolve(flow.Given(ret, i))
		if of := besidesAbsence(v); of != nil {
			v = flow.Resolve(of)
		}
		from, _ := flow.ResultOf(v)
		if from != call && !leavesIt(flow.Given(ret, i)) && !flow.IsNil(v) {
			return false
		}
	}
	return true
}

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

// oneObject is t where it is that of the objects of one kind, nil for others.
func oneObject(t types.Type) types.Type {
	if !kube.IsObject(t) || kube.OneKind(t) == nil {
		return nil
	}
	return t
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

// leaves is the return with which control ends on the side of a without an error or a wish, where it does so on all ways but those on which something
// fails, and does nothing there that may wake the reconciler; nil else.
func (d *dropped) leaves(a *awaitedState, s *sources) (at ssa.Instruction) {
	blocks := flow.BlocksFrom(a.side)
	if blocks[a.from] || ofDeleted(a.side) {
		return nil
	}
	for b := range blocks {
		if d.someMayWake(b.Instrs, s) {
			return nil
		}
		ret := flow.ReturnOf(b)
		if ret == nil || failsWithin(b, blocks) {
			continue
		}
		if n := len(ret.Results); n == 0 || n > 2 || n == 2 && !leavesIt(flow.Given(ret, 0)) || !a.noError(flow.Given(ret, n-1)) {
			return nil
		}
		if at == nil || ret.Pos() < at.Pos() {
			at = ret
		}
	}
	return at
}

// noError reports whether the error v is nil in the state a, where no request fails.
func (a *awaitedState) noError(v ssa.Value) bool {
	if of := besidesAbsence(v); of != nil {
		return a.err != nil && flow.Resolve(of) == flow.Resolve(a.err)
	}
	v = flow.Resolve(v)
	if call, _ := flow.ResultOf(v); call != nil && call.Parent() == a.side.Parent() && a.side.Dominates(call.Block()) {
		r, ok := kube.RequestOf(&call.Call)
		return ok && r.Verb.Writes()
	}
	return flow.IsNil(v)
}

// failsWithin reports whether control comes to b only where an error was found in one of the blocks.
func failsWithin(b *ssa.BasicBlock, blocks map[*ssa.BasicBlock]bool) bool {
	for test, t := range flow.Decided(b) {
		cond, is := flow.Positive(test.Cond)
		if x, isNil, ok := flow.NilTest(cond); ok && blocks[test.Block()] && flow.IsError(x.Type()) && t == flow.Settled(isNil != is) {
			return true
		}
	}
	return false
}

// expects reports whether control comes to b only where an error of some kind was found, for which it is there.
func expects(b *ssa.BasicBlock) bool {
	for test, t := range flow.Decided(b) {
		cond, is := flow.Positive(test.Cond)
		if call, ok := cond.(*ssa.Call); ok && kube.AsksKind(flow.Callee(&call.Call)) && t == flow.Settled(is) {
			return true
		}
	}
	return false
}

// goesOn reports whether the function would ask for a change, and not only for a deletion, where a is over and nothing fails. What it does before it knows
// of a, it does anyway.
func (d *dropped) goesOn(a *awaitedState) bool {
	from := flow.BlocksFrom(a.from)
	seen, work := map[*ssa.BasicBlock]bool{a.side: true, a.from: true}, []*ssa.BasicBlock{a.from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !b.Dominates(a.side) && (!failsWithin(b, from) || expects(b)) && slices.ContainsFunc(b.Instrs, d.changes) {
			return true
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// changes reports whether in asks for a change, and not for a deletion, or a function does that it runs.
func (d *dropped) changes(in ssa.Instruction) bool {
	return d.comesTo(in, program.Calls|program.Spawns|program.Mentions|program.Implementations, asksChange)
}

// comesTo reports whether in is such a call, or of a function of the package that makes one, or that leads to one that does over edges of these kinds.
func (d *dropped) comesTo(in ssa.Instruction, edges program.Edge, such func(call ssa.CallInstruction) bool) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if such(call) {
		return true
	}
	callee := d.ps.pkg.Callee(call.Common())
	if callee == nil {
		return false
	}
	for fn := range d.ps.pkg.Reach(edges, callee) {
		for in := range flow.Instrs(fn) {
			if c, ok := in.(ssa.CallInstruction); ok && such(c) {
				return true
			}
		}
	}
	return false
}

func asksChange(call ssa.CallInstruction) bool {
	r, ok := kube.RequestOf(call.Common())
	return ok && r.Verb.Writes() && r.Verb != kube.VerbDelete && r.Verb != kube.VerbDeleteCollection || createdBy(call) != nil
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

func pointerTo(t types.Type) types.Type {
	if _, ok := t.Underlying().(*types.Pointer); ok {
		return t
	}
	return types.NewPointer(t)
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

// settles reports whether the reconciler has asked for the status of what it reconciles before it looks at the test of a, and writes that down on the side of a: it may be
// the last word, which the test finds the next time.
func settles(a *awaitedState, s *sources) bool {
	asked := false
	for test := range flow.Decided(a.from) {
		asked = asked || flow.MadeOf(test.Cond, s.liesInStatus)
	}
	if !asked {
		return false
	}
	for b := range flow.BlocksFrom(a.side) {
		if slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return notes(in, s) }) {
			return true
		}
	}
	return false
}

// liesInStatus reports whether v is the address of the status of what is reconciled, or of a part of a copy of that.
func (s *sources) liesInStatus(v ssa.Value) bool {
	fa, ok := v.(*ssa.FieldAddr)
	return ok && s.isStatus(fa)
}

// isStatus reports whether fa is the status of an object that is reconciled, or a field of what has that type.
func (s *sources) isStatus(fa *ssa.FieldAddr) bool {
	if s.isOwn(fa.X.Type()) {
		f := flow.Field(fa.X.Type(), fa.Field)
		return f != nil && f.Name() == "Status"
	}
	for _, own := range s.own {
		n := kube.Named(own)
		if n == nil {
			continue
		}
		st, ok := n.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if f.Name() == "Status" && kube.Named(f.Type()) != nil && kube.Named(f.Type()) == kube.Named(fa.X.Type()) {
				return true
			}
		}
	}
	return false
}

// notes reports whether in writes to the status of what is reconciled, or hands that to somebody who may.
func notes(in ssa.Instruction, s *sources) bool {
	switch in := in.(type) {
	case *ssa.Store:
		for addr, ok := in.Addr.(*ssa.FieldAddr); ok; addr, ok = addr.X.(*ssa.FieldAddr) {
			if s.isStatus(addr) {
				return true
			}
		}
	case ssa.CallInstruction:
		return !kube.Logs(flow.Callee(in.Common())) && slices.ContainsFunc(flow.AllArgs(in.Common()), func(a ssa.Value) bool {
			return s.isOwn(flow.Unwrap(a).Type())
		})
	}
	return false
}
