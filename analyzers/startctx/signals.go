package startctx

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// unreadSignals reports the waits of fn between its asking for the signals to the process and its first look at them, which nobody else takes:
// a signal no longer ends the process, and fn does not see it yet. A replica that waits for the lease there can only be killed.
func (c *checker) unreadSignals(fn *ssa.Function) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if !(kube.Symbol{Pkg: "os/signal", Name: "Notify"}).Is(flow.Callee(call.Common())) {
			return
		}
		made, ok := flow.Unwrap(flow.Resolve(call.Common().Args[0])).(*ssa.MakeChan)
		if !ok || made.Parent() != fn {
			return
		}
		reads, ok := readsHere(made)
		if !ok || len(reads) == 0 {
			return
		}
		isRead := func(in ssa.Instruction) bool { return slices.Contains(reads, in) }
		for in := range flow.Instrs(fn) {
			if isRead(in) || !waitsForOthers(in) || !flow.Reaches(call, in, isRead) {
				continue
			}
			if !slices.ContainsFunc(reads, func(r ssa.Instruction) bool { return flow.Reaches(in, r, nil) }) {
				continue
			}
			c.report(rule.Finding{
				Pos: flow.Pos(in), Sub: "ignored", Site: "late-signal-read",
				Message: fmt.Sprintf("the signals that %s has asked for at line %d are read only behind this wait: until it is over SIGTERM ends nothing, and the process has to be killed",
					flow.FuncName(fn), c.line(flow.Pos(call))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "from here on signals do not end the process by themselves"}},
			})
			return
		}
	})
}

// Signalled is the fact of a function that gives a context which ends with the first signal to the process, and from which on that does not end the process
// by itself.
type Signalled struct{}

// AFact marks Signalled as a fact.
func (*Signalled) AFact() {}

// String is for the tests of facts.
func (*Signalled) String() string { return "gives a context that ends with a signal" }

// exportSignalled tells importing packages of such functions.
func (c *checker) exportSignalled() {
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || obj.Signature().Results().Len() == 0 || !kube.IsContext(obj.Signature().Results().At(0).Type()) {
			continue
		}
		if c.catches(fn) {
			c.pass.ExportObjectFact(obj, &Signalled{})
		}
	}
}

// catches reports whether fn, or what it leads to, asks for the signal by which a process is told to end.
func (c *checker) catches(fn *ssa.Function) (catches bool) {
	for g := range c.pkg.Reach(program.Calls|program.Dispatches|program.Mentions, fn) {
		flow.Calls(g, func(call ssa.CallInstruction) {
			catches = catches || c.pkg.Callee(call.Common()) == nil && c.asksForEnd(call.Common())
		})
	}
	return catches
}

// asksForEnd reports whether call, of a function out of sight, asks for that signal: of those that list their signals, where it is among these.
func (c *checker) asksForEnd(call *ssa.CallCommon) bool {
	if !c.bounds.SetsUpSignals(call) {
		return false
	}
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "os/signal" {
		return true
	}
	if !fn.Signature().Variadic() {
		return false
	}
	list := call.Args[len(call.Args)-1]
	return flow.IsNil(list) || slices.ContainsFunc(flow.Elements(list), func(v ssa.Value) bool {
		k, ok := flow.Unwrap(v).(*ssa.Const)
		return ok && k.Value != nil && constant.Compare(k.Value, token.EQL, constant.MakeInt64(sigterm))
	})
}

// sigterm is the number of SIGTERM, which all systems have in common.
const sigterm = 15

// signalled reports whether call gives a context that ends with that signal.
func (c *checker) signalled(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	if results.Len() == 0 || !kube.IsContext(results.At(0).Type()) {
		return false
	}
	if callee := c.pkg.Callee(&call.Call); callee != nil {
		return c.catches(callee)
	}
	fn := flow.Callee(&call.Call)
	return c.asksForEnd(&call.Call) || fn != nil && c.pass.ImportObjectFact(fn, &Signalled{})
}

// unheardSignals reports that fn has asked for the signals to the process and nobody hears of them: the context that ends with one is given to nobody, or
// fn waits for ever behind that.
func (c *checker) unheardSignals(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok || !c.signalled(call) {
			continue
		}
		ctx := flow.ResultAt(call, 0)
		if ctx == nil || !flow.Used(ctx) {
			c.report(rule.Finding{
				Pos: flow.Pos(call), Sub: "ignored", Site: "unread-signals",
				Message: fmt.Sprintf("%s takes nothing from %s, which asks for the signals to the process: SIGTERM does not end it from here on, and nothing hears of it; hand that context on",
					flow.FuncName(fn), c.called(call)),
			})
			return
		}
		for wait := range flow.Instrs(fn) {
			if s, ok := wait.(*ssa.Select); ok && s.Blocking && len(s.States) == 0 && flow.Dominates(call, wait) && !c.exitsBeside(fn) && !c.mayEndElsewhere(ctx) {
				c.report(rule.Finding{
					Pos: flow.Pos(wait), Sub: "ignored", Site: "unheard-signals",
					Message: fmt.Sprintf("this waits for ever, and SIGTERM no longer ends the process since line %d: it ends a context, and %s has to be killed; wait for that context",
						c.line(flow.Pos(call)), flow.FuncName(fn)),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "from here on signals do not end the process by themselves"}},
				})
				return
			}
		}
	}
}

// mayEndElsewhere reports whether ctx is given to a function of which nothing is known here, of another package but the libraries of Kubernetes: it may end the process when ctx ends, as
// who has lost an election does.
func (c *checker) mayEndElsewhere(ctx ssa.Value) bool {
	return slices.ContainsFunc(*ctx.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(ssa.CallInstruction)
		if !ok || call.Common().Value == ctx || c.pkg.Callee(call.Common()) != nil {
			return false
		}
		fn := flow.Callee(call.Common())
		return fn == nil || fn.Pkg() == nil || strings.Contains(fn.Pkg().Path(), "leaderelection") || !kube.IsLibrary(fn.Pkg().Path()) && !kube.IsStandard(fn.Pkg().Path()) && !kube.Logs(fn)
	})
}

// exitsBeside reports whether a literal of fn, or a goroutine that it starts, ends the process, as one that waits for the context may.
func (c *checker) exitsBeside(fn *ssa.Function) (exits bool) {
	beside := flow.Literals(fn)
	for in := range flow.Instrs(fn) {
		if g, ok := in.(*ssa.Go); ok {
			if callee := c.pkg.Own(flow.StaticCallee(&g.Call)); callee != nil {
				beside = append(beside, callee)
			}
		}
	}
	for g := range c.pkg.Reach(program.Calls|program.Dispatches|program.Mentions|program.Spawns, beside...) {
		flow.Calls(g, func(call ssa.CallInstruction) {
			callee := flow.Callee(call.Common())
			exits = exits || callee != nil && kube.NeverReturns(callee)
		})
	}
	return exits
}

// readsHere are the receives from the channel of signals in the function that made it; false where others get hold of it, a literal among them.
func readsHere(made *ssa.MakeChan) (reads []ssa.Instruction, ok bool) {
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.ChangeType:
				if !visit(r) {
					return false
				}
			case *ssa.UnOp:
				reads = append(reads, r)
			case *ssa.Select:
				reads = append(reads, r)
			case ssa.CallInstruction:
				if callee := flow.Callee(r.Common()); callee == nil || callee.Pkg() == nil || callee.Pkg().Path() != "os/signal" {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return reads, visit(made)
}

// waitsForOthers reports whether in receives from a channel that is no timer's, and has no other way out than that.
func waitsForOthers(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW && !blocking.IsTimer(in.X) && blocking.DoneOf(in.X) == nil
	case *ssa.Select:
		return in.Blocking && !slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool {
			return s.Dir != types.RecvOnly || blocking.IsTimer(s.Chan) || blocking.DoneOf(s.Chan) != nil
		})
	}
	return false
}
