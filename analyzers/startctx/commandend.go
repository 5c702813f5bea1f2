package startctx

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// A process ends with the function that its command runs. Where an election is the last that this does, what goes on when the lease is lost ends with the process.

// endsCommand reports whether the election that fn, or the function around it, runs in place is the last that a command of the package does.
func (c *checker) endsCommand(fn *ssa.Function) bool {
	var elections []ssa.CallInstruction
	flow.Calls(flow.Decl(fn), func(call ssa.CallInstruction) {
		if isElection(call.Common()) {
			elections = append(elections, call)
		}
	})
	if len(elections) == 0 {
		return false
	}
	return !slices.ContainsFunc(elections, func(call ssa.CallInstruction) bool { return !c.lastOf(call, map[*ssa.Function]bool{}) })
}

// isCommand reports whether fn is the work of a command that cobra runs, and no hook before or behind it.
func (c *checker) isCommand(fn *ssa.Function) bool {
	if c.commands == nil {
		c.commands = controllers.Commands(c.pkg)
	}
	return c.commands[fn] == "Run" || c.commands[fn] == "RunE"
}

// lastOf reports whether nothing that may go on comes after call, in its function and in those that call that, up to what cobra runs for a command.
func (c *checker) lastOf(call ssa.CallInstruction, seen map[*ssa.Function]bool) bool {
	fn := call.Parent()
	if _, plain := call.(*ssa.Call); !plain || seen[fn] || flow.InLoop(call.Block()) || c.heldUpAfter(call) {
		return false
	}
	seen[fn] = true
	defer delete(seen, fn)
	if c.isCommand(fn) {
		return true
	}
	callers := c.pkg.Callers(fn)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(at ssa.CallInstruction) bool { return !c.lastOf(at, seen) })
}

// heldUpAfter reports whether something comes after call, in its function, that may go on.
func (c *checker) heldUpAfter(call ssa.CallInstruction) bool {
	for in := range following(call) {
		if c.holdsUp(in) {
			return true
		}
	}
	return slices.ContainsFunc(slices.Collect(flow.Instrs(call.Parent())), func(in ssa.Instruction) bool {
		_, deferred := in.(*ssa.Defer)
		return deferred && c.holdsUp(in)
	})
}

// holdsUp reports whether in waits for something, or runs what may go on.
func (c *checker) holdsUp(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Select:
		return in.Blocking
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Send:
		return !buffered(in.Chan)
	case ssa.CallInstruction:
		_, waits := c.table.Call(in.Common())
		return waits || c.lasts(in)
	}
	return false
}
