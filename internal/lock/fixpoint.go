package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// maxGrowths bounds how often the summary of a function on a call cycle grows in the fixpoint. Each time propagates an
// event by one call around the cycle (TestLimits). Iterations without a change do not count.
const maxGrowths = 4

// summarise computes the summaries of the package bottom-up over the components of its call graph, and those of a call
// cycle to a fixpoint.
func (e *engine) summarise() {
	for _, component := range program.Components(e.pkg.Funcs, e.callees) {
		if fn := component[0]; len(component) == 1 && !slices.Contains(e.callees(fn), fn) {
			e.compute(fn)
		} else {
			e.fixpoint(component)
		}
	}
}

// fixpoint summarises the functions of a call cycle until nothing is new.
func (e *engine) fixpoint(component []*ssa.Function) {
	for _, fn := range component {
		e.inProgress[fn] = true
	}
	defer func() {
		for _, fn := range component {
			delete(e.inProgress, fn)
		}
	}()
	callers := map[*ssa.Function][]*ssa.Function{}
	for _, fn := range component {
		for _, callee := range e.callees(fn) {
			if e.inProgress[callee] {
				callers[callee] = append(callers[callee], fn)
			}
		}
	}
	work := append([]*ssa.Function(nil), component...)
	queued, begun, growths := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}, map[*ssa.Function]int{}
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		queued[fn] = false
		if growths[fn] == maxGrowths {
			e.pkg.Cut("functions on call cycles were not summarised to the end", fn)
			continue
		}
		begun[fn] = true
		before := e.summaries[fn]
		e.forgetHeld(fn)
		e.compute(fn)
		if before == nil && e.summaries[fn].empty() || e.summaries[fn].sameSize(before) {
			continue
		}
		growths[fn]++
		for _, c := range callers[fn] {
			if !queued[c] && begun[c] {
				queued[c] = true
				work = append(work, c)
			}
		}
	}
}

// sameSize reports whether two summaries of one function have as many events. Within a fixpoint they only grow.
func (s *Summary) sameSize(o *Summary) bool {
	return s != nil && o != nil && len(s.Acquired) == len(o.Acquired) && len(s.Released) == len(o.Released) &&
		len(s.May) == len(o.May) && len(s.Acquires) == len(o.Acquires) && len(s.Blocks) == len(o.Blocks) &&
		len(s.Calls) == len(o.Calls) && len(s.Slow) == len(o.Slow) && len(s.Opens) == len(o.Opens) &&
		s.NoReturn == o.NoReturn
}

func (e *engine) forgetHeld(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		delete(e.heldAt, in)
	}
}

// targets are the functions that c may run, where they are few.
func (e *engine) targets(c ssa.CallInstruction) []*ssa.Function {
	if f := flow.StaticCallee(c.Common()); f != nil {
		return []*ssa.Function{f}
	}
	var out []*ssa.Function
	targets, _ := e.origins.Targets(c)
	if len(targets) == 0 {
		targets = e.origins.Stored(c)
	}
	for _, t := range targets {
		out = append(out, t.Fn)
	}
	return out
}

// callees are the functions of the package whose summaries that of fn needs: those that it calls, and those that it
// passes to others to call.
func (e *engine) callees(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	add := func(f *ssa.Function) {
		if f != nil && f.Pkg == e.pkg.Package && len(f.Blocks) > 0 {
			out = append(out, f)
		}
	}
	for c := range flow.Calls(fn) {
		for _, f := range e.targets(c) {
			add(f)
		}
		for _, a := range c.Common().Args {
			if flow.IsFunc(a) {
				fns, _ := e.origins.FewFuncs(a)
				for _, f := range fns {
					add(f.Fn)
				}
			}
		}
	}
	return out
}
