package startctx

import (
	"fmt"
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
	"github.com/ctrllint/ctrllint/internal/ways"
	"github.com/ctrllint/ctrllint/internal/words"
)

const leaderElection = "k8s.io/client-go/tools/leaderelection"

// callbacks are the functions of one leaderelection.LeaderCallbacks.
type callbacks struct {
	in               *ssa.Function // that puts them together
	started, stopped ssa.Value
	told             bool // that the leader does not stop leading
}

// leases reports what is wrong with the elections of the package: beside them, behind them, and when they are over. What is told of a leader that does not
// stop leading is not told again of the end of its election.
func (c *checker) leases() {
	all := c.findCallbacks()
	c.behindLeases(all)
	if kube.Imports(c.pass.Pkg, func(path string) bool { return strings.Contains(path, "leaderelection") }) {
		c.leading(all)
	}
	c.neverAgain(all)
}

// leading reports leaders that do not stop leading: OnStartedLeading runs things with another context than the one that
// ends with the lease, and OnStoppedLeading neither ends the process nor stops them.
func (c *checker) leading(all []*callbacks) {
	for _, cb := range all {
		c.outlivesLease(cb)
		c.restarts(cb)
		for _, r := range c.runnables {
			c.awaitsLease(r, cb)
		}
	}
	c.exportElected(all)
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) { c.wrappedCallback(call) })
	}
}

func (c *checker) findCallbacks() []*callbacks {
	var out []*callbacks
	for _, fn := range c.pkg.Funcs {
		byBase := map[ssa.Value]*callbacks{}
		for st, fa := range flow.FieldStores(fn) {
			if !kube.IsType(fa.X.Type(), leaderElection, "LeaderCallbacks") {
				continue
			}
			cb := byBase[fa.X]
			if cb == nil {
				cb = &callbacks{in: fn}
				byBase[fa.X] = cb
				out = append(out, cb)
			}
			switch flow.Field(fa.X.Type(), fa.Field).Name() {
			case "OnStartedLeading":
				cb.started = st.Val
			case "OnStoppedLeading":
				cb.stopped = st.Val
			}
		}
	}
	return out
}

func (c *checker) outlivesLease(cb *callbacks) {
	if cb.started == nil || cb.stopped == nil || c.pkg.Pkg.Name() == "main" && runsElection(cb.in) || failsAfter(cb.in) || c.endsCommand(cb.in) {
		return // when main, or its command, comes back from the election, the process ends, and so it does where it is told of a failure
	}
	started, stopped := c.ownFunc(cb.started), c.ownFunc(cb.stopped)
	if started == nil || stopped == nil || len(started.Params) == 0 || len(started.Blocks) == 0 || len(stopped.Blocks) == 0 || c.endsThings(stopped) || c.exitsAfter(cb.in) || givesBack(started) {
		return
	}
	cb.told = c.foreignContext(started, "OnStartedLeading", "OnStoppedLeading neither ends the process nor stops it")
}

// givesBack reports whether the callback cancels a context itself when it is done: it gives the lease back, which was there to
// let one after the other do something, and what goes on is meant to.
func givesBack(started *ssa.Function) bool {
	found := false
	flow.Calls(started, func(c ssa.CallInstruction) {
		_, now := c.(*ssa.Call)
		found = found || now && kube.IsCancel(c.Common().Value.Type())
	})
	return found
}

// foreignContext reports the first thing in the callback fn that is run with another context than fn's own, and whether there is one.
func (c *checker) foreignContext(fn *ssa.Function, name, stopped string) (done bool) {
	own := fn.Params[len(fn.Params)-1]
	if !blocking.IsBound(own.Type()) {
		return false
	}
	each := func(call ssa.CallInstruction) {
		if done || !c.lasts(call) {
			return
		}
		for _, a := range flow.Args(call.Common()) {
			if !blocking.IsBound(a.Type()) || !outer(a, fn) && !c.keptBefore(a, fn) {
				continue
			}
			done = true
			c.report(rule.Finding{
				Pos: flow.Pos(call), Sub: "unmanaged", Site: "foreign-leader-context",
				Message: fmt.Sprintf("%s runs %s with %s and not with its own context, and %s: it goes on when the lease is lost, beside the next leader",
					name, c.called(call), spell(a), stopped),
				Related: []analysis.RelatedInformation{{Pos: own.Pos(), Message: "this one ends with the lease"}},
			})
			return
		}
	}
	flow.Calls(fn, each)
	for _, lit := range flow.Literals(fn) {
		flow.Calls(lit, func(call ssa.CallInstruction) {
			if ctx := ownBound(call, fn); ctx == nil {
				each(call)
			}
		})
	}
	return done
}

// ownFunc is the function of the package that v holds: the method, where it is one of an object.
func (c *checker) ownFunc(v ssa.Value) *ssa.Function {
	fn := c.pkg.Own(flow.FuncValue(v))
	if fn != nil && fn.Synthetic != "" {
		flow.Calls(fn, func(method ssa.CallInstruction) { fn = c.pkg.Callee(method.Common()) })
	}
	return fn
}

// ownBound is the argument of call that is the context of fn, nil where none is.
func ownBound(call ssa.CallInstruction, fn *ssa.Function) ssa.Value {
	for _, a := range flow.Args(call.Common()) {
		if p, ok := flow.PathOf(a).Root.(*ssa.Parameter); ok && p.Parent() == fn && blocking.IsBound(p.Type()) {
			return a
		}
	}
	return nil
}

// keptBefore reports whether the context or stop channel v lies in a field that something else than fn, and what it runs, fills.
func (c *checker) keptBefore(v ssa.Value, fn *ssa.Function) bool {
	if ctx := blocking.DoneOf(v); ctx != nil {
		v = ctx
	}
	fa := flow.LoadedFrom(flow.Unwrap(v))
	if fa == nil {
		return false
	}
	field, filled, ran := flow.Field(fa.X.Type(), fa.Field), false, map[*ssa.Function]bool{}
	for f := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, fn) {
		ran[f] = true
	}
	for _, f := range c.pkg.All() {
		for _, to := range flow.FieldStores(f) {
			if flow.Field(to.X.Type(), to.Field) == field {
				if ran[f] {
					return false
				}
				filled = true
			}
		}
	}
	return filled
}

// lasts reports whether call may run something for long: it is a wait, a function out of sight that says so by its name, or one
// of this package that does not come back at once, or that runs or starts such a function or a loop without an end of its own.
func (c *checker) lasts(call ssa.CallInstruction) bool {
	if w, ok := c.table.Call(call.Common()); ok {
		return w.Kind != blocking.Group // which lasts as long as its goroutines
	}
	if own := c.pkg.Callee(call.Common()); own != nil {
		goesOn := !c.returnsAtOnce(own, map[*ssa.Function]bool{})
		for f := range c.pkg.Reach(program.Calls|program.Spawns, own) {
			goesOn = goesOn || slices.ContainsFunc(flow.Loops(f), untilEnd)
			flow.Calls(f, func(inner ssa.CallInstruction) {
				goesOn = goesOn || c.pkg.Callee(inner.Common()) == nil && c.lasts(inner)
			})
		}
		return goesOn
	}
	callee := flow.Callee(call.Common())
	return callee != nil && slices.Contains([]string{"run", "start", "serve", "watch"}, words.Of(callee.Name())[0])
}

// untilEnd reports whether the loop goes on until a context ends, or forever.
func untilEnd(l *flow.Loop) bool {
	return unconditional(l) || slices.ContainsFunc(l.Exits(), func(b *ssa.BasicBlock) bool {
		test := flow.Branch(b)
		if test == nil {
			return false
		}
		eq, ok := test.Cond.(*ssa.BinOp)
		return ok && kube.EndAsked(eq.X) != nil
	})
}

// outer reports whether the context or stop channel v comes from outside the callback fn: captured, a parameter of the
// function around it, or one that is never done. What a literal in fn is given is not known.
func outer(v ssa.Value, fn *ssa.Function) bool {
	if blocking.Background(v) != nil {
		return true
	}
	if ctx := blocking.DoneOf(v); ctx != nil {
		v = ctx
	}
	v = flow.Resolve(v)
	if load, ok := v.(*ssa.UnOp); ok {
		if _, captured := load.X.(*ssa.FreeVar); !captured {
			return false
		}
		v = load.X
	}
	for {
		free, ok := v.(*ssa.FreeVar)
		if !ok {
			break
		}
		if v = flow.Binding(free); v == nil {
			return free.Parent() == fn
		}
	}
	switch v.(type) {
	case *ssa.Parameter, *ssa.Extract, *ssa.Call, *ssa.Alloc:
		return !within(v.Parent(), fn)
	}
	return false
}

// within reports whether f is fn, or a literal in it.
func within(f, fn *ssa.Function) bool {
	for ; f != nil; f = f.Parent() {
		if f == fn {
			return true
		}
	}
	return false
}

// endsThings reports whether fn, or what it calls, ends the process, cancels a context, closes a channel or stops
// something: or calls what is not known, which may.
func (c *checker) endsThings(fn *ssa.Function) bool {
	for in := range c.reached(fn) {
		if c.endsThing(in) {
			return true
		}
	}
	return false
}

// endsThing reports whether the instruction in does one of these.
func (c *checker) endsThing(in ssa.Instruction) bool {
	if _, ok := in.(*ssa.Panic); ok {
		return true
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "close" || b.Name() == "panic"
	}
	callee := flow.Callee(common)
	switch {
	case callee == nil: // a cancel function, or one that was handed in
		return flow.FuncValue(common.Value) == nil
	case kube.NeverReturns(callee):
		return true
	case c.pkg.Callee(common) != nil: // what it does is looked at, whatever its name
		return false
	}
	return blocking.IsShutdown(callee.Name()) || isStopCall(callee)
}

// isStopCall reports whether fn says that it ends things, or waits for them to end.
func isStopCall(fn *types.Func) bool {
	return words.Has(fn.Name(), "stop", "exit", "cancel", "shutdown", "terminate", "kill", "wait", "fatal", "fatalf", "panic", "panicf", "quit")
}

// runsElection reports whether fn, or the function around it, runs the election on its own goroutine.
func runsElection(fn *ssa.Function) bool {
	found := false
	flow.Calls(flow.Decl(fn), func(call ssa.CallInstruction) {
		if _, plain := call.(*ssa.Call); plain && isElection(call.Common()) {
			found = true
		}
	})
	return found
}

// failsAfter reports whether fn, or the function around it, returns an error whenever the election comes back.
func failsAfter(fn *ssa.Function) bool {
	return failsAfterIn(fn) || fn != flow.Decl(fn) && failsAfterIn(flow.Decl(fn))
}

func failsAfterIn(fn *ssa.Function) bool {
	i := flow.ErrorResult(fn.Signature)
	if i < 0 {
		return false
	}
	some, all := false, true
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if !isElection(call.Common()) {
			return
		}
		all = all && !flow.InLoop(call.Block()) // it would stand again
		for ret := range flow.Returns(fn) {
			if v, ok := flow.Returned(ret, i); ok && flow.Reaches(call, ret, nil) {
				some, all = true, all && ways.At(v, ret.Block()) == flow.No
			}
		}
	})
	return some && all
}

func isElection(call *ssa.CallCommon) bool {
	callee := flow.Callee(call)
	return callee != nil && kube.SymbolOf(callee).Pkg == leaderElection && (callee.Name() == "RunOrDie" || callee.Name() == "Run")
}

// exitsAfter reports whether fn ends the process once the election comes back.
func (c *checker) exitsAfter(fn *ssa.Function) bool {
	exits := false
	fn = flow.Decl(fn)
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if !isElection(call.Common()) {
			return
		}
		flow.Calls(fn, func(later ssa.CallInstruction) {
			if kube.NeverReturns(flow.Callee(later.Common())) && flow.ReachesForward(call, later, nil) {
				exits = true
			}
		})
		for b := range flow.BlocksFrom(call.Block()) {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); ok {
				exits = true
			}
		}
	})
	return exits
}

// wrappedCallback looks at a function literal that is handed to a function which is built on leaderelection, and is
// given the leader's context by it.
func (c *checker) wrappedCallback(call ssa.CallInstruction) {
	callee := flow.Callee(call.Common())
	if callee == nil || callee.Pkg() == nil || callee.Pkg() == c.pass.Pkg || kube.Path(callee.Pkg().Path()) == leaderElection || !importsElection(callee.Pkg()) ||
		c.pass.ImportPackageFact(callee.Pkg(), new(Elected)) {
		return
	}
	var started *ssa.Function
	for _, a := range flow.Args(call.Common()) {
		sig, ok := a.Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		fn := c.pkg.Own(flow.FuncValue(a))
		switch {
		case sig.Params().Len() == 1 && kube.IsContext(sig.Params().At(0).Type()) && sig.Results().Len() == 0:
			started = fn
		case sig.Params().Len() == 0:
			if k, ok := a.(*ssa.Const); ok && k.IsNil() {
				continue
			}
			if fn == nil || c.endsThings(fn) {
				return
			}
		}
	}
	if started != nil && len(started.Blocks) > 0 && len(started.Params) > 0 {
		c.foreignContext(started, "the function that "+callee.Pkg().Name()+"."+callee.Name()+" runs as leader", "nothing else stops it")
	}
}

// Elected is the fact of a package that runs elections for others: where a lease is lost the process ends.
type Elected struct{ Ends bool }

// AFact marks Elected as a fact.
func (*Elected) AFact() {}

// String is for the tests of facts.
func (*Elected) String() string { return "the process ends with the lease" }

// endsProcess reports whether fn, or what it calls, ends the process, and nothing less.
func (c *checker) endsProcess(fn *ssa.Function) bool {
	for in := range c.reached(fn) {
		switch in := in.(type) {
		case *ssa.Panic:
			return true
		case ssa.CallInstruction:
			if callee := flow.Callee(in.Common()); callee != nil && kube.NeverReturns(callee) {
				return true
			}
		}
	}
	return false
}

// exportElected tells importing packages that each OnStoppedLeading of this one ends the process.
func (c *checker) exportElected(all []*callbacks) {
	ends := len(all) > 0
	for _, cb := range all {
		ends = ends && cb.stopped != nil
		if ends {
			stopped := c.pkg.Own(flow.FuncValue(cb.stopped))
			ends = stopped != nil && c.endsProcess(stopped)
		}
	}
	if ends && c.pkg.Pkg.Name() != "main" {
		c.pass.ExportPackageFact(&Elected{true})
	}
}

func importsElection(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if kube.Path(p.Path()) == leaderElection {
			return true
		}
	}
	return false
}

// restarts reports what OnStoppedLeading runs with a context that is never done, though the function that registers it
// has one.
func (c *checker) restarts(cb *callbacks) {
	stopped := c.pkg.Own(flow.FuncValue(cb.stopped))
	ctx := atHand(cb.in)
	if cb.stopped == nil || stopped == nil || stopped.Pkg != c.pkg.Package || ctx == nil {
		return
	}
	flow.Calls(stopped, func(call ssa.CallInstruction) {
		for i, a := range flow.AllArgs(call.Common()) {
			bg := blocking.Background(a)
			if bg == nil {
				continue
			}
			if why := c.waitsWith(call, i, false); why != "" {
				c.report(rule.Finding{
					Pos: flow.Pos(call), Sub: "replaced", Site: "restarted-callback",
					Message: fmt.Sprintf("%s gets context.%s() when the lease is lost, and %s: the end of %s, with which %s registers it, does not end it any more",
						c.called(call), flow.Callee(&bg.Call).Name(), why, ctx.Name(), flow.FuncName(cb.in)),
					Related: []analysis.RelatedInformation{{Pos: ctx.Pos(), Message: "this context ends with the process"}},
				})
				return
			}
		}
	})
}
