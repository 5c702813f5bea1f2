package lock

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// maxRounds is how often a function of a call cycle is summarised before its summary is taken as it is. Each time
// carries an event one call further around the cycle.
const maxRounds = 4

// summarise computes the summaries of the package bottom-up over the strongly connected components of its call graph
// (Tarjan, 1972), and those of a component to a fixpoint.
func (e *engine) summarise() {
	index, low := map[*ssa.Function]int{}, map[*ssa.Function]int{}
	on := map[*ssa.Function]bool{}
	var stack []*ssa.Function
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		index[fn] = len(index) + 1
		low[fn] = index[fn]
		stack, on[fn] = append(stack, fn), true
		self := false
		for _, callee := range e.callees(fn) {
			self = self || callee == fn
			if index[callee] == 0 {
				visit(callee)
				low[fn] = min(low[fn], low[callee])
			} else if on[callee] {
				low[fn] = min(low[fn], index[callee])
			}
		}
		if low[fn] != index[fn] {
			return
		}
		i := len(stack) - 1
		for stack[i] != fn {
			i--
		}
		component := append([]*ssa.Function(nil), stack[i:]...)
		stack = stack[:i]
		for _, f := range component {
			on[f] = false
		}
		if len(component) == 1 && !self {
			e.compute(fn)
		} else {
			e.fixpoint(component)
		}
	}
	for _, fn := range e.pkg.Funcs {
		if index[fn] == 0 {
			visit(fn)
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
	queued, rounds := map[*ssa.Function]bool{}, map[*ssa.Function]int{}
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		queued[fn] = false
		if rounds[fn] == maxRounds {
			e.caps.Rounds++
			continue
		}
		rounds[fn]++
		before := e.summaries[fn]
		e.forgetHeld(fn)
		e.compute(fn)
		if before == nil && e.summaries[fn].empty() || e.summaries[fn].sameSize(before) {
			continue
		}
		for _, c := range callers[fn] {
			if !queued[c] && rounds[c] > 0 {
				queued[c] = true
				work = append(work, c)
			}
		}
	}
}

// sameSize reports whether two summaries of one function say as much. Within a fixpoint they only grow.
func (s *Summary) sameSize(o *Summary) bool {
	return s != nil && o != nil && len(s.Acquired) == len(o.Acquired) && len(s.Released) == len(o.Released) &&
		len(s.May) == len(o.May) && len(s.Acquires) == len(o.Acquires) && len(s.Blocks) == len(o.Blocks) &&
		len(s.Calls) == len(o.Calls) && len(s.Slow) == len(o.Slow) && s.NoReturn == o.NoReturn
}

func (e *engine) forgetHeld(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		delete(e.heldAt, in)
	}
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
	flow.Calls(fn, func(c ssa.CallInstruction) {
		call := c.Common()
		if f := flow.StaticCallee(call); f != nil {
			add(f)
		} else {
			targets, _ := e.origins.Targets(c)
			for _, t := range targets {
				add(t.Fn)
			}
		}
		for _, a := range call.Args {
			if flow.IsFunc(a) {
				fns, _ := e.origins.FewFuncs(a)
				for _, f := range fns {
					add(f.Fn)
				}
			}
		}
	})
	return out
}
