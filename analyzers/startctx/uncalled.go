package startctx

import (
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A loop, or a run loop that ignores what asks it to stop, of an exported function harms nobody if no program calls the function, or if all
// calls of it start a goroutine that is to last as long as the process, or give it what never ends.

// reportCalled reports f, about a loop of fn, or about all of it, or defers it until fn is called.
func (c *checker) reportCalled(fn *ssa.Function, f rule.Finding) {
	if c.told[f.Pos] || c.keep != nil || rule.InTestFolder(c.pass) || !c.unit.DeferUntilCalled(fn, f) {
		c.report(f)
		return
	}
	c.told[f.Pos] = true
}

// lastsWithProcess returns whether a call of the package starts what is to last as long as the process.
func lastsWithProcess(pass *analysis.Pass) func(ssa.CallInstruction) bool {
	checked := sync.OnceValue(func() *checker { return newChecker(pass) }) // most packages need none
	bounds := blocking.BoundsOf(program.Of(pass))
	return func(call ssa.CallInstruction) bool {
		spawn, ok := call.(*ssa.Go)
		return givesNoEnd(bounds, call) || ok && pass.Pkg.Name() == "main" && checked().lastsWithProcess(spawn)
	}
}

// stopsOf are the contexts and stop channels that call is given.
func stopsOf(call ssa.CallInstruction) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(flow.Args(call.Common())), func(v ssa.Value) bool { return !blocking.IsBound(v.Type()) })
}

// givesNoEnd reports whether call starts something with contexts or stop channels that never end: nobody asks it to stop.
func givesNoEnd(bounds *blocking.Bounds, call ssa.CallInstruction) bool {
	stops := stopsOf(call)
	return len(stops) > 0 && !slices.ContainsFunc(stops, func(v ssa.Value) bool {
		return bounds.Of(v, call).Limit != blocking.Never
	})
}

// lastsWithProcess reports whether spawn starts, in a function that is the whole program in all but name, what is to stop when that ends: with the signals to the
// process, with a stop channel that the function closes as the last that it does, or never. Or it does so in a leader with whose lease the process ends.
func (c *checker) lastsWithProcess(spawn *ssa.Go) bool {
	stops := stopsOf(spawn)
	if len(stops) > 0 && !slices.ContainsFunc(stops, func(v ssa.Value) bool { return !c.endsWithLeader(v, spawn.Parent()) }) {
		return true
	}
	return len(stops) > 0 && c.staysForEver(spawn.Parent()) && !slices.ContainsFunc(stops, func(v ssa.Value) bool {
		made, ok := flow.Resolve(v).(*ssa.MakeChan)
		limit := c.bounds.Of(v, nil).Limit
		return limit != blocking.Signal && limit != blocking.Never && !(ok && closedLast(made))
	})
}

// endsWithLeader reports whether the context or stop channel v is the one that fn is given, and all that is done with fn in sight is to make it an OnStartedLeading, beside an
// OnStoppedLeading that ends the process, and to call it with a context that never ends.
func (c *checker) endsWithLeader(v ssa.Value, fn *ssa.Function) bool {
	bound := c.bounds.Of(v, nil)
	if bound.Limit != blocking.Parameter || bound.Param.Parent() != fn {
		return false
	}
	leads := false
	for _, cb := range c.findCallbacks() {
		if c.ownFunc(cb.started) != fn {
			continue
		}
		stopped := c.ownFunc(cb.stopped)
		if stopped == nil || !lifetime.MayEndProcess(c.pkg, stopped) {
			return false
		}
		leads = true
	}
	return leads && !slices.ContainsFunc(c.usesOf(fn), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Store:
			fa, ok := use.Addr.(*ssa.FieldAddr)
			if ok {
				_, _, ok = kubeapi.ElectionCallback(fa)
			}
			return !ok
		case *ssa.Call:
			i := flow.ParamIndex(fn, bound.Param)
			return c.pkg.Callee(&use.Call) != fn || c.bounds.Of(use.Call.Args[i], nil).Limit != blocking.Never
		}
		return true
	})
}

// closedLast reports whether all that the function of the channel does with it is to close it as the last thing, and to give it to those who cannot.
func closedLast(made *ssa.MakeChan) bool {
	late := false
	for in, ch := range values.Uses(made) {
		closing, deferred := in.(*ssa.Defer)
		late = late || deferred && flow.Closed(&closing.Call) == ch
		if t, ok := ch.Type().Underlying().(*types.Chan); !(ok && t.Dir() == types.RecvOnly) && !(deferred && flow.Closed(&closing.Call) == ch) {
			return false
		}
	}
	return late
}
