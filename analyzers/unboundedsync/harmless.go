package unboundedsync

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// harmless reports whether nobody is worse off for the wait w of call, which nothing in sight ends: a goroutine is in it for which nobody
// waits, and that polls for something or has nothing else to do.
func (c *checker) harmless(call ssa.CallInstruction, w wait) bool {
	return (w.Kind == blocking.Poll || isLast(call)) && c.alone(call)
}

// isLast reports whether nothing but logs comes behind call in its function.
func isLast(call ssa.CallInstruction) bool {
	last := true
	flow.Calls(call.Parent(), func(other ssa.CallInstruction) {
		if other != call && flow.Reaches(call, other, nil) && !kube.Logs(flow.Callee(other.Common())) {
			last = false
		}
	})
	return last
}

// alone reports whether call is made by a goroutine that is started once, outside of loops and of what reconciles, and where nobody
// hears of its end: all that is amiss is that it goes on until the process ends.
func (c *checker) alone(call ssa.CallInstruction) bool {
	fn := call.Parent()
	starts := c.pkg.Callers(fn)
	if len(starts) == 0 {
		return false
	}
	for _, s := range starts {
		if _, spawned := s.(*ssa.Go); !spawned || flow.InLoop(s.Block()) || c.again(s.Parent()) {
			return false
		}
	}
	return !slices.ContainsFunc(slices.Collect(flow.Instrs(fn)), tells)
}

// again reports whether fn is one that is run again and again: for each request of a reconciler, or each event.
func (c *checker) again(fn *ssa.Function) bool {
	if c.repeated == nil {
		c.repeated = map[*ssa.Function]bool{}
		var roots []*ssa.Function
		for _, f := range c.pkg.Funcs {
			if kube.IsReconcile(flow.Object(f)) {
				roots = append(roots, f)
			}
		}
		for _, h := range controllers.Handlers(c.pkg) {
			roots = slices.Concat(roots, h.Created.Fns, h.Updated.Fns, h.Deleted.Fns)
		}
		for f := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, roots...) {
			c.repeated[f] = true
		}
	}
	return c.repeated[fn]
}

// tells reports whether others hear of in: a send, a close, the Done of a group, an unlock.
func tells(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select:
		return true
	case ssa.CallInstruction:
		if b, ok := in.Common().Value.(*ssa.Builtin); ok {
			return b.Name() == "close"
		}
		fn := flow.Callee(in.Common())
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
	}
	return false
}
