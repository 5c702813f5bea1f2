package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// endless reports the endless loops and the calls that never return in a runnable, in the functions of the package that it
// calls, and in goroutines that it may wait for, unless a context or stop channel may end them.
//
// A natural loop is reported at its first pause (a sleep, a tick, a bare receive) if it is a `for {` or a range over a
// ticker, has no exit that is sure to be taken (bounded), and no operand in it, or in functions of the package that it
// calls, is a context or stop channel other than a background context (mentionsStop). It approximates: an exit condition
// that compares with < or >, or reads a variable, counts as a bound; a loop with an exit and a context counts as obeying
// it. Loops without a pause are missed. A goroutine that nothing waits for does not delay the end of the process.
func (c *checker) endless(r kubeapi.Runnable) {
	for fn := range c.awaited(r) {
		c.endlessLoops(r, fn)
		for call := range flow.Calls(fn) {
			if _, spawned := call.(*ssa.Go); spawned {
				continue
			}
			if text := c.foreverCall(call.Common()); text != "" {
				c.report(rule.Finding{
					Pos: call.Pos(), Sub: "loop", Site: "endless-loop",
					Message: fmt.Sprintf("%s, so %s stop %s; stop it when %s", text, cannot(r), r.Name, over(r)),
				})
			}
		}
	}
}

// awaited are the functions that r runs itself, and those of goroutines whose end can be waited for.
func (c *checker) awaited(r kubeapi.Runnable) iter.Seq[*ssa.Function] {
	from := []*ssa.Function{r.Fn}
	for fn := range c.pkg.Reach(program.Calls|program.Spawns, r.Fn) {
		for call := range flow.Calls(fn) {
			spawn, ok := call.(*ssa.Go)
			if !ok {
				continue
			}
			if own := c.pkg.Own(flow.FuncValue(spawn.Call.Value)); own != nil && signalsEnd(own) {
				from = append(from, own)
			}
		}
	}
	return c.pkg.Reach(program.Calls, from...)
}

// signalsEnd reports whether fn defers the Done of a WaitGroup or the close of a channel.
func signalsEnd(fn *ssa.Function) bool {
	return flow.Any(flow.InstrsOf[*ssa.Defer](fn), func(d *ssa.Defer) bool {
		b, builtin := d.Call.Value.(*ssa.Builtin)
		return builtin && b.Name() == "close" || (kubeapi.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}).Is(flow.Callee(&d.Call))
	})
}

// foreverCall is the reason for which call never returns, "" if it may.
func (c *checker) foreverCall(call *ssa.CallCommon) string {
	if kubeapi.Forever.Has(flow.Callee(call)) {
		return "wait.Forever never returns"
	}
	w, ok := c.table.Call(call)
	if !ok || w.Kind != blocking.Run || w.Stop == nil || w.Bound.Limit != blocking.Never {
		return ""
	}
	if _, made := w.Bound.Site.(*ssa.MakeChan); made {
		return "" // a channel that is made for this call may be meant to last as long as the process
	}
	return w.What + " cannot be stopped (" + w.Bound.Why + ")"
}

// endlessLoops reports the endless loops of fn, which r runs or waits for.
func (c *checker) endlessLoops(r kubeapi.Runnable, fn *ssa.Function) {
	inner := map[ssa.Instruction]*flow.Loop{}
	loops := flow.Loops(fn)
	for _, l := range loops {
		for in := range l.Instrs() {
			if c.pause(in) != "" && (inner[in] == nil || len(l.Blocks) < len(inner[in].Blocks)) {
				inner[in] = l
			}
		}
	}
	for _, l := range loops {
		if !unconditional(l) || c.bounded(l) || c.heeds(l) || c.fails(l) || !r.Managed && c.mentionsStop(l) {
			continue // without a manager, nothing is known to wait for r, and what gets the context fails once it is done
		}
		var first ssa.Instruction
		for in := range l.Instrs() {
			if first == nil && inner[in] == l {
				first = in
			}
		}
		if first == nil {
			continue
		}
		c.report(rule.Finding{
			Pos: flow.Pos(first), Sub: "loop", Site: "contextless-loop",
			Message: fmt.Sprintf("loop around %s in %s %s the %s of %s (line %d): it continues %s; return when %s",
				c.pause(first), flow.FuncName(fn), c.regard(l), what(r), r.Name, c.line(r.Fn.Pos()), afterStop(r), over(r)),
		})
	}
}

// fails reports whether l has an exit and calls a method of a value that the package shuts down, such as a listener: the
// call fails then.
func (c *checker) fails(l *flow.Loop) bool {
	if len(l.Exits()) == 0 {
		return false
	}
	return flow.Any(l.Instrs(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		return ok && flow.Recv(&call.Call) != nil && c.bounds.ShutDown(flow.Recv(&call.Call))
	})
}

func afterStop(r kubeapi.Runnable) string {
	if r.Managed {
		return "after the manager has stopped"
	}
	return "after it is asked to stop"
}

// Pauses of a loop that end by themselves.
const (
	sleeping = "time.Sleep"
	ticking  = "the tick"
)

// heeds reports whether l may end with a context or stop channel: it mentions one and has an exit, or it receives from one,
// which fallsBack reports if the loop goes on.
func (c *checker) heeds(l *flow.Loop) bool {
	if !c.mentionsStop(l) {
		return false
	}
	if len(l.Exits()) > 0 {
		return true
	}
	return flow.Any(l.Instrs(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Select:
			return true
		case *ssa.UnOp:
			return in.Op == token.ARROW && blocking.IsDone(in.X)
		}
		return false
	})
}

// regard says what l does with a context.
func (c *checker) regard(l *flow.Loop) string {
	if c.mentionsStop(l) {
		return "does not exit with"
	}
	return "never checks"
}

// pause names how in makes a loop wait: a sleep, a tick, or a receive; "" if it does not.
func (c *checker) pause(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Call:
		if (kubeapi.Symbol{Pkg: "time", Name: "Sleep"}).Is(flow.Callee(&in.Call)) {
			return sleeping
		}
		if own := c.pkg.Own(flow.StaticCallee(&in.Call)); own != nil && len(own.Blocks) == 1 {
			for _, inner := range own.Blocks[0].Instrs {
				if recv, ok := inner.(*ssa.UnOp); ok && c.pause(recv) != "" && !blocking.IsTimer(recv.X) {
					return fmt.Sprintf("%s (line %d)", c.pause(recv), c.line(flow.Pos(recv)))
				}
			}
		}
	case *ssa.UnOp:
		if in.Op != token.ARROW {
			return ""
		}
		if blocking.IsTimer(in.X) {
			return ticking
		}
		if !in.CommaOk && !c.bounds.Ends(in.X) {
			return "the receive from " + spell(in.X)
		}
	}
	return ""
}

// unconditional reports whether l is a `for {`, or a range over a ticker, which is never closed.
func unconditional(l *flow.Loop) bool {
	if flow.OfEndless(l.Header) {
		return true
	}
	return slices.ContainsFunc(l.Header.Instrs, func(in ssa.Instruction) bool {
		recv, ok := in.(*ssa.UnOp)
		return ok && recv.Op == token.ARROW && blocking.IsTimer(recv.X)
	})
}

// bounded reports whether l has an exit that looks like a counter, a deadline, a flag or another channel. A loop that does
// not sleep but receives is bounded by any exit, which may depend on what it receives.
func (c *checker) bounded(l *flow.Loop) bool {
	sleeps := c.sleepsIn(l) != nil
	for _, b := range l.Exits() {
		if b == l.Header && unconditional(l) && !flow.OfEndless(l.Header) {
			continue // a ticker is never closed
		}
		if !sleeps {
			return true
		}
		switch x := flow.Branch(b).Cond.(type) {
		case *ssa.BinOp:
			switch x.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				return true
			}
			if fromSelect(x.X) {
				return true
			}
		case *ssa.Call:
			if fn := flow.Callee(&x.Call); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" {
				return true
			}
		case *ssa.Extract, *ssa.UnOp:
			return true // a flag that is received or loaded
		}
	}
	return false
}

func fromSelect(v ssa.Value) bool {
	ex, ok := v.(*ssa.Extract)
	if !ok {
		return false
	}
	_, ok = ex.Tuple.(*ssa.Select)
	return ok
}

// mentionsStop reports whether anything in l, or in the functions of this package that it calls, has to do with a
// context or a stop channel.
func (c *checker) mentionsStop(l *flow.Loop) bool {
	return flow.Any(l.Instrs(), func(in ssa.Instruction) bool {
		return !kubeapi.OnlyLogs(in) && c.touches(in, map[*ssa.Function]bool{})
	})
}

func (c *checker) touches(in ssa.Instruction, seen map[*ssa.Function]bool) bool {
	return c.touchesIn(in, seen, maps.Clone(c.dead))
}

// touchesIn is touches where the parameters in dead get a context that never ends. It adds those of the callees, unless dead
// is nil.
func (c *checker) touchesIn(in ssa.Instruction, seen map[*ssa.Function]bool, dead map[*ssa.Parameter]bool) bool {
	for _, op := range in.Operands(nil) {
		if *op == nil {
			continue
		}
		if t := (*op).Type(); t != nil && carriesStop(t) && !c.isBackground(*op, asked(dead)) {
			return true
		}
	}
	if sel, ok := in.(*ssa.Select); ok {
		for _, s := range sel.States {
			if s.Dir == types.RecvOnly && !blocking.IsTimer(s.Chan) {
				return true // another case may be the one that stops it
			}
		}
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	called := c.pkg.Callee(call.Common())
	callees := []*ssa.Function{called}
	for i, a := range flow.AllArgs(call.Common()) {
		callees = append(callees, c.pkg.Own(flow.FuncValue(a)))
		// Any other context has been found above, as an operand.
		if dead != nil && called != nil && i < len(called.Params) && carriesStop(a.Type()) {
			dead[called.Params[i]] = true
		}
	}
	return slices.ContainsFunc(callees, func(callee *ssa.Function) bool {
		if callee == nil || seen[callee] {
			return false
		}
		seen[callee] = true
		return flow.Any(flow.Instrs(callee), func(in ssa.Instruction) bool { return c.touchesIn(in, seen, dead) })
	})
}

func asked(dead map[*ssa.Parameter]bool) map[*ssa.Parameter]bool {
	if dead == nil {
		return map[*ssa.Parameter]bool{}
	}
	return maps.Clone(dead)
}

// isBackground reports whether v is a context that never ends: a background context, or a parameter of an unexported
// function all of whose callers pass one. On cycles of calls the parameter is assumed to be one.
func (c *checker) isBackground(v ssa.Value, asked map[*ssa.Parameter]bool) bool {
	if blocking.Background(v) != nil {
		return true
	}
	if ptr, ok := v.Type().Underlying().(*types.Pointer); ok && blocking.IsBound(ptr.Elem()) { // the variable that literals share
		stored := flow.SingleStore(v)
		return stored != nil && c.isBackground(stored, asked)
	}
	p, ok := flow.Resolve(v).(*ssa.Parameter)
	if !ok || asked[p] {
		return ok
	}
	asked[p] = true
	fn := p.Parent()
	calls := c.pkg.Callers(fn)
	if len(calls) == 0 || token.IsExported(fn.Name()) || fn.Parent() != nil {
		return false
	}
	return !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		return !c.isBackground(flow.AllArgs(call.Common())[flow.ParamIndex(fn, p)], asked)
	})
}

// carriesStop reports whether t is a context or stop channel, or a pointer to one.
func carriesStop(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return blocking.IsBound(t)
}
