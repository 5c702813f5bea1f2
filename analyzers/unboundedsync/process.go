package unboundedsync

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// keepsNobody reports whether the process alone is in the wait w of call, which the end of the process ends: it is a part of its start, a
// goroutine of its own that is meant to go on, or nobody in sight waits for it who asked for less.
func (c *checker) keepsNobody(call ssa.CallInstruction, w wait, end blocking.Bound) bool {
	if c.again(call.Parent()) {
		return false
	}
	_, spawned := call.(*ssa.Go)
	doors, start := c.fromStart(site{at: call, waits: !spawned})
	alone := spawned && !flow.InLoop(call.Block()) && !asksForLess(call.Parent()) // nobody has anything to end it with
	return start && len(doors) == 0 || alone || spawned && saysNever(end) || (w.Kind == blocking.Poll || saysNever(end)) && !asksForLess(call.Parent())
}

// A site is a call on the way to a wait.
type site struct {
	at    ssa.CallInstruction
	waits bool // the goroutine that comes here is in the wait itself
	once  bool // what it does is harmless once, and not in each turn of a loop
}

// fromStart reports whether s is come to once while the process starts, as far as all ways to it are in sight, and a signal still ends
// the process then: until it asks for signals, each of them does. That is so if the doors are come to like that, by which other
// packages come here.
func (c *checker) fromStart(s site) (doors []door, start bool) {
	seen := map[ssa.CallInstruction]bool{s.at: true}
	for work := []site{s}; len(work) > 0; work = work[1:] {
		s := work[0]
		fn := s.at.Parent()
		before, after := c.signals(s.at)
		if s.waits && before || s.once && flow.InLoop(s.at.Block()) || c.again(fn) {
			return nil, false
		}
		if after || c.isStart(fn) {
			continue
		}
		callers := c.pkg.Callers(fn)
		if len(callers) == 0 {
			if !c.isDoor(fn) {
				return nil, false
			}
			if d := (door{flow.Object(fn).FullName(), s.waits, s.once}); !slices.Contains(doors, d) {
				doors = append(doors, d)
			}
		}
		for _, at := range callers {
			if _, spawned := at.(*ssa.Go); !seen[at] {
				seen[at] = true
				work = append(work, site{at, s.waits && !spawned, s.once})
			}
		}
	}
	return doors, true
}

// signals reports whether the function of call asks for the signals to the process before it, and whether it does so only after it.
func (c *checker) signals(call ssa.CallInstruction) (before, after bool) {
	flow.Calls(call.Parent(), func(other ssa.CallInstruction) {
		if other == call || !c.bounds.SetsUpSignals(other.Common()) {
			return
		}
		before = before || flow.Reaches(other, call, nil)
		after = after || flow.Dominates(call, other)
	})
	return before, after && !before
}

// isStart reports whether fn is what a process begins with: main, an init, what cobra runs for a command, or with what the scheduler makes its plugins.
func (c *checker) isStart(fn *ssa.Function) bool {
	if fn.Parent() == nil && fn.Signature.Recv() == nil && (fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#") || fn.Name() == "main" && fn.Pkg.Pkg.Name() == "main") {
		return true
	}
	if kube.MakesPlugin(fn.Signature) {
		return true
	}
	if c.commands == nil {
		c.commands = map[*ssa.Function]bool{}
		for _, f := range c.pkg.All() {
			for st, fa := range flow.FieldStores(f) {
				if !kube.IsType(fa.X.Type(), "github.com/spf13/cobra", "Command") {
					continue
				}
				if run := c.pkg.Own(flow.FuncValue(st.Val)); run != nil {
					c.commands[run] = true
				}
			}
		}
	}
	return c.commands[fn]
}

// once reports whether fn runs once in a process, as a part of what that begins with, as far as all ways to it are in sight.
func (c *checker) once(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if c.isStart(fn) {
		return true
	}
	callers := c.pkg.Callers(fn)
	if seen[fn] || len(callers) == 0 {
		return false
	}
	seen[fn] = true
	return !slices.ContainsFunc(callers, func(call ssa.CallInstruction) bool {
		return flow.InLoop(call.Block()) || !c.once(call.Parent(), seen)
	})
}

// saysNever reports whether end is wait.NeverStop: who writes that means it.
func saysNever(end blocking.Bound) bool {
	return end.Site != nil && blocking.IsNeverStop(end.Site)
}

// asksForLess reports whether the caller of fn, or of the function that it stands in, gives it something to end what it does.
func asksForLess(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return blocking.IsBound(p.Type()) }) {
			return true
		}
	}
	return false
}
