package expectttl

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// callGraph is what is known of the package under analysis: who calls whom, and what was found out on the way.
type callGraph struct {
	pass     *analysis.Pass
	pkg      *program.Program
	wrapped  map[*ssa.Function]*query // what a function asks for its callers, nil if it does not
	reported map[ssa.Instruction]bool
	touched  map[touchKey]bool
	leads    map[*ssa.Function][]string // what requests has found
	results  *paths.Calls
	decided  program.Answers[*ssa.Function, bool]
	stores   map[*types.Named]bool // what ofStore has found: a look at all methods of a type takes as long as there are methods
}

func newCallGraph(pass *analysis.Pass, pkg *program.Program) *callGraph {
	return &callGraph{
		pass: pass, pkg: pkg,
		wrapped:  map[*ssa.Function]*query{},
		reported: map[ssa.Instruction]bool{},
		touched:  map[touchKey]bool{},
		results:  paths.NewCalls(pkg),
		stores:   map[*types.Named]bool{},
	}
}

// ofStore reports whether fn belongs to a method of a store.
func (g *callGraph) ofStore(fn *ssa.Function) bool {
	recv := flow.Decl(fn).Signature.Recv()
	if recv == nil {
		return false
	}
	named := kubeapi.Named(recv.Type())
	is, ok := g.stores[named]
	if !ok {
		is = isStore(recv.Type())
		g.stores[named] = is
	}
	return is
}

// follow is [paths.Exploration.From]; a walk that is given up is counted.
func (g *callGraph) follow(w *paths.Exploration, in ssa.Instruction, known map[ssa.Value]flow.Truth) (whole bool) {
	whole = w.From(in, known)
	if !whole {
		g.pkg.Cut("walks through a function were given up", in)
	}
	return whole
}

// calls returns the calls in this package that run fn: neither deferred ones nor go statements.
func (g *callGraph) calls(fn *ssa.Function) []*ssa.Call {
	var out []*ssa.Call
	for _, c := range g.pkg.Callers(fn) {
		if call, ok := c.(*ssa.Call); ok {
			out = append(out, call)
		}
	}
	return out
}

// callees returns the functions that c may run, and whether those are all, as far as the package goes.
func (g *callGraph) callees(c *ssa.CallCommon) (fns []*ssa.Function, known bool) {
	if c.IsInvoke() {
		return g.pkg.Implementers(c), true
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil, true
	}
	if fn := flow.StaticCallee(c); fn != nil {
		return []*ssa.Function{fn}, true
	}
	return nil, false
}

// runs returns the functions that c may run: what it calls, and the literals that it is handed.
func (g *callGraph) runs(c *ssa.CallCommon) []*ssa.Function {
	fns, _ := g.callees(c)
	for _, a := range c.Args {
		if mc, ok := flow.Unwrap(a).(*ssa.MakeClosure); ok {
			fns = append(fns, mc.Fn.(*ssa.Function))
		}
	}
	return fns
}

// decides reports whether a return of fn with no error and a zero Result is the end of the matter: fn is a reconciler,
// or all its callers hand on what it returns.
func (g *callGraph) decides(fn *ssa.Function) bool {
	return g.decided.Ask(fn, false, func() bool { return g.findDecides(fn) })
}

func (g *callGraph) findDecides(fn *ssa.Function) bool {
	kind := outcomeOf(fn)
	if kind == other || fn.Parent() != nil {
		return false
	}
	if kind == withResult && isReconcile(fn) {
		return true
	}
	callers := g.calls(fn)
	if len(callers) == 0 {
		// A method value or a function of another package's choosing: a Result says what it is for, an error does not.
		return kind == withResult
	}
	return !slices.ContainsFunc(callers, func(call *ssa.Call) bool { return !g.handsOn(call, kind) })
}

func isReconcile(fn *ssa.Function) bool {
	obj, _ := fn.Object().(*types.Func)
	return kubeapi.IsReconcile(obj)
}

// handsOn reports whether a nil error (and a zero Result) of call makes its function's own return say the same, with
// no wake-up on the way.
func (g *callGraph) handsOn(call *ssa.Call, kind outcome) bool {
	fn := call.Parent()
	if kind == onlyError && worksQueue(fn) {
		return !addsAfter(fn) // nil makes the loop forget the key
	}
	if !g.decides(fn) {
		return false
	}
	ok := true
	for in := range flow.Instrs(fn) {
		ret, isRet := in.(*ssa.Return)
		if isRet && flow.ReachesForward(call, ret, nil) && !g.repeats(ret, call) {
			ok = false
		}
		if c, isCall := in.(ssa.CallInstruction); isCall && g.mayWake(c) && flow.ReachesForward(call, in, nil) {
			ok = false
		}
	}
	return ok
}

// repeats reports whether every result of ret is zero, an error, or comes straight from call.
func (g *callGraph) repeats(ret *ssa.Return, call *ssa.Call) bool {
	for i := range ret.Results {
		v, sure := flow.Returned(ret, i)
		if !sure {
			return false
		}
		if x, ok := v.(*ssa.Extract); ok && x.Tuple == ssa.Value(call) {
			continue
		}
		if !flow.IsZero(v) && !flow.IsError(v.Type()) {
			return false
		}
	}
	return true
}

// addsAfter reports whether the loop over a work queue puts keys back for later, as it does for errors by another way.
func addsAfter(fn *ssa.Function) bool {
	return flow.Any(flow.Calls(flow.Decl(fn)), func(c ssa.CallInstruction) bool {
		f := flow.Callee(c.Common())
		return kubeapi.QueueOpOf(f) == kubeapi.QueueAddAfter
	})
}

// worksQueue reports whether fn is the loop body over a work queue: it marks items done or forgets them.
func worksQueue(fn *ssa.Function) bool {
	found := false
	for c := range flow.Calls(flow.Decl(fn)) {
		if op := kubeapi.QueueOpOf(flow.Callee(c.Common())); op == kubeapi.QueueForget || op == kubeapi.QueueDone {
			found = true
		}
	}
	return found
}
