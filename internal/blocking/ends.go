package blocking

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Firers returns the functions of the package that close the channel ch, or send on it.
func (b *Bounds) Firers(ch ssa.Value) []*ssa.Function {
	return b.stores().firers[b.pkg.Origins().GroupOf(ch)]
}

// Closed reports whether the package closes the channel ch.
func (b *Bounds) Closed(ch ssa.Value) bool {
	return len(b.stores().closers[b.pkg.Origins().GroupOf(ch)]) > 0
}

// ClosedAfter reports whether the package closes the channel ch only at the end of functions that call fn, so that
// fn must have ended when ch is closed.
func (b *Bounds) ClosedAfter(ch ssa.Value, fn *ssa.Function) bool {
	g := b.pkg.Origins().GroupOf(ch)
	closers := b.stores().closers[g]
	for _, by := range closers {
		at := runsLate(by)
		calls := slices.ContainsFunc(b.pkg.Callers(fn), func(call ssa.CallInstruction) bool {
			_, plain := call.(*ssa.Call)
			return plain && call.Parent() == at
		})
		for in := range flow.Instrs(by) {
			if call, ok := in.(*ssa.Call); ok && at == by {
				closed := flow.Closed(&call.Call)
				calls = calls && (closed == nil || b.pkg.Origins().GroupOf(closed) != g)
			}
		}
		if !calls {
			return false
		}
	}
	return len(closers) > 0
}

// runsLate returns the function that defers the literal fn, if it makes fn only for that; otherwise fn itself.
func runsLate(fn *ssa.Function) *ssa.Function {
	if site := flow.ClosureSite(fn); site != nil && flow.OnlyDeferred(site) {
		return site.Parent()
	}
	return fn
}

// closesInTime reports whether, wherever the channel mk is passed on, a goroutine is started that closes it after a
// time if it has not closed it before: it waits once, for a timer among others, and ends.
func (b *Bounds) closesInTime(mk *ssa.MakeChan) bool {
	if b.pkg == nil {
		return false
	}
	return slices.ContainsFunc(b.stores().closers[b.pkg.Origins().GroupOf(mk)], func(fn *ssa.Function) bool {
		return fn.Parent() == mk.Parent() && startsAlways(mk.Parent(), fn) && b.endsInTime(fn)
	})
}

// startsAlways reports whether fn starts its literal lit as a goroutine on all paths to its end.
func startsAlways(fn, lit *ssa.Function) bool {
	for started := range flow.InstrsOf[*ssa.Go](fn) {
		if flow.StaticCallee(started.Common()) != lit {
			continue
		}
		return !flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool { return !flow.Dominates(started, ret) })
	}
	return false
}

// endsInTime reports whether all waits of fn are bounded by a time, and fn has no loop.
func (b *Bounds) endsInTime(fn *ssa.Function) bool {
	if len(flow.Loops(fn)) > 0 {
		return false
	}
	deadline := func(ch ssa.Value) bool { return b.Of(ch, nil).Limit == Deadline }
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Select:
			if in.Blocking &&
				!slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && deadline(s.Chan) }) {
				return false
			}
		case *ssa.UnOp:
			if in.Op == token.ARROW && !deadline(in.X) {
				return false
			}
		case *ssa.Send:
			return false
		case ssa.CallInstruction:
			if !returnsInTime(in.Common()) {
				return false
			}
		}
	}
	return true
}

// returnsInTime reports whether call is known to return at once, or after a time: a builtin function, one of package
// time, the cancelling of a context, or a logger.
func returnsInTime(call *ssa.CallCommon) bool {
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		return true
	}
	fn := flow.Callee(call)
	return fn != nil && fn.Pkg() != nil &&
		(fn.Pkg().Path() == "time" || fn.Name() == "Done" || kubeapi.Logs(fn) || kubeapi.GivesLogger(fn))
}

// OnlyOwn reports whether all makes of the channel ch are known, and no code outside the package can close it.
func (b *Bounds) OnlyOwn(ch ssa.Value) bool {
	g := b.pkg.Origins().GroupOf(ch)
	return g.Known() && !g.Unknown() && len(g.Makes()) > 0 && !leaves(g)
}

// runs are the edges by which a function may run, start or make another one.
const runs = program.Calls | program.Dispatches | program.Spawns | program.Mentions

// Reach returns the functions of the package that fn may run, start or make, including fn.
func (b *Bounds) Reach(fn *ssa.Function) map[*ssa.Function]bool {
	r, ok := b.reached[fn]
	if !ok {
		r = map[*ssa.Function]bool{}
		for f := range b.pkg.Reach(runs, fn) {
			r[f] = true
		}
		b.reached[fn] = r
	}
	return r
}

// Ends reports whether something is known to end a wait on the channel ch without a request by the program: the
// package closes it, it is a timer's, it belongs to a context that can end, or it is a stop channel that another
// function returned, which is responsible for it.
func (b *Bounds) Ends(ch ssa.Value) bool {
	if IsTimer(ch) || b.Closed(ch) {
		return true
	}
	if ctx := DoneOf(ch); ctx != nil {
		return b.Of(ctx, nil).Limit != Never
	}
	_, given := flow.Resolve(ch).(*ssa.Call)
	return given && IsBound(ch.Type()) && ReceiveOnly(ch.Type())
}

// A down is a call that shuts the object obj down.
type down struct {
	obj ssa.Value
	in  ssa.CallInstruction
}

// ShutDown reports whether the package shuts down an object that may be obj: one of its type that is not kept in
// another field of the same struct type. An object that does not leave its function must be shut down there, and not
// by a deferred call.
func (b *Bounds) ShutDown(obj ssa.Value) bool {
	n := kubeapi.Named(flow.Unwrap(obj).Type())
	if n == nil {
		return false
	}
	own := keptHere(obj)
	return slices.ContainsFunc(b.stores().downs[n.Obj()], func(d down) bool {
		if own == nil {
			return !inDifferentFields(d.obj, obj)
		}
		_, deferred := d.in.(*ssa.Defer)
		return flow.Unwrap(flow.Resolve(d.obj)) == ssa.Value(own) && !(deferred && d.in.Parent() == own.Parent())
	})
}

// keptHere returns the struct that obj points to, if a function makes it and it does not leave the function; nil
// otherwise.
func keptHere(obj ssa.Value) *ssa.Alloc {
	made, ok := flow.Unwrap(flow.Resolve(obj)).(*ssa.Alloc)
	if !ok || values.Escapes(made) {
		return nil
	}
	return made
}

// inDifferentFields reports whether x and y are kept in two different fields of one struct type.
func inDifferentFields(x, y ssa.Value) bool {
	a, b := flow.LoadedFrom(x), flow.LoadedFrom(y)
	if a == nil || b == nil {
		return false
	}
	f, g, owner := flow.Field(a.X.Type(), a.Field), flow.Field(b.X.Type(), b.Field), kubeapi.Named(a.X.Type())
	return f != nil && g != nil && owner != nil && owner == kubeapi.Named(b.X.Type()) && f.Origin() != g.Origin()
}

// shutsDown returns the object that call shuts down, nil for other calls. A method without a known body is known by
// its name; one with a known body must end something.
func (b *Bounds) shutsDown(call *ssa.CallCommon) ssa.Value {
	fn := flow.Callee(call)
	if fn == nil || !IsShutdown(fn.Name()) {
		return nil
	}
	if own := b.pkg.Callee(call); own != nil && !b.EndedBy(own) {
		return nil
	}
	return flow.Recv(call)
}

// ServerShutdowns are the methods that end a server, the gentle ones first.
var ServerShutdowns = []string{"Shutdown", "GracefulStop", "Stop"}

// IsShutdown reports whether a method of that name ends the blocking calls of its receiver.
func IsShutdown(name string) bool {
	return name == "Close" || name == "ShutdownWithContext" || slices.Contains(ServerShutdowns, name) ||
		kubeapi.QueueOp(name).ShutsDown()
}

// EndedBy reports whether fn, or a function that it runs, may end a wait on values, the channels and objects that are
// waited for: it closes a channel, sends or receives there, shuts down the object that a channel comes from, or calls
// an unknown function, such as a cancel function. Without values, any effect that other goroutines can see may end
// the wait.
func (b *Bounds) EndedBy(fn *ssa.Function, values ...ssa.Value) bool {
	e := ender{b: b, any: len(values) == 0}
	for _, v := range values {
		e.add(v)
	}
	for f := range b.Reach(fn) {
		for in := range flow.Instrs(f) {
			if e.ends(in) {
				return true
			}
		}
	}
	return false
}

// An ender is what may end a wait.
type ender struct {
	b      *Bounds
	any    bool // any effect that other goroutines can see
	groups []origin.Group
	// the types of the values waited for, and of the objects that they are parts or results of
	objects []types.Type
}

// add notes v, and the objects that it is a part or a result of.
func (e *ender) add(v ssa.Value) {
	work := values.From(v)
	for v := range work.Resolved() {
		e.objects = append(e.objects, v.Type())
		if g := e.b.pkg.Origins().GroupOf(v); g.Known() {
			e.groups = append(e.groups, g)
			e.any = e.any || leaves(g)
		}
		switch x := v.(type) {
		case *ssa.Call:
			work.Add(flow.Recv(&x.Call))
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.Field:
			work.Add(values.Operands(v)...)
		}
	}
}

// ends reports whether the instruction in may end the wait.
func (e *ender) ends(in ssa.Instruction) bool {
	on := func(ch ssa.Value) bool { return e.any || slices.Contains(e.groups, e.b.pkg.Origins().GroupOf(ch)) }
	switch x := in.(type) {
	case *ssa.Send:
		return on(x.Chan)
	case *ssa.UnOp:
		return x.Op == token.ARROW && on(x.X)
	case *ssa.Select:
		return slices.ContainsFunc(x.States, func(st *ssa.SelectState) bool { return on(st.Chan) })
	case *ssa.Store:
		_, field := x.Addr.(*ssa.FieldAddr)
		return field && e.any
	case *ssa.Panic:
		return true
	case ssa.CallInstruction:
		return e.endsByCall(x.Common(), on)
	}
	return false
}

func (e *ender) endsByCall(call *ssa.CallCommon, on func(ssa.Value) bool) bool {
	if ch := flow.Closed(call); ch != nil {
		return on(ch)
	}
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		return false
	}
	fn := flow.Callee(call)
	switch {
	case fn == nil:
		return flow.FuncValue(call.Value) == nil // a cancel function, or one that was passed in
	case kubeapi.NeverReturns(fn):
		return true
	case e.b.pkg.Callee(call) != nil || !IsShutdown(fn.Name()) || flow.Recv(call) == nil:
		return false
	}
	return e.any || slices.ContainsFunc(e.objects, func(t types.Type) bool {
		n := kubeapi.Named(flow.Unwrap(flow.Recv(call)).Type())
		return n != nil && n == kubeapi.Named(t)
	})
}

// leaves reports whether unknown code may do more with the channel than receive from it.
func leaves(g origin.Group) bool { return g.Known() && g.Escape()&^origin.Received != 0 }
