package startctx

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// onlyBeside reports whether all that is done with fn in sight is to run it in goroutines: by go statements, or by those that give it to a function which calls it in place,
// as go wait.Until(fn, …) does. Nobody waits for it to return then.
func (c *checker) onlyBeside(fn *ssa.Function) bool {
	uses := c.usesOf(fn)
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(use ssa.Instruction) bool {
		spawn, ok := use.(*ssa.Go)
		return !ok || c.pkg.Callee(&spawn.Call) != fn && !c.givesAway(spawn, fn)
	})
}

// usesOf are the instructions of the package that use fn, or the literal that it is.
func (c *checker) usesOf(fn *ssa.Function) (uses []ssa.Instruction) {
	for in := range flow.Instrs(c.pkg.All()...) {
		if !slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return c.stands(*op, fn) }) {
			continue
		}
		if made, ok := in.(*ssa.MakeClosure); ok {
			uses = append(uses, *made.Referrers()...)
		} else {
			uses = append(uses, in)
		}
	}
	return uses
}

// stands reports whether v is fn, by its name or as the method of an object.
func (c *checker) stands(v ssa.Value, fn *ssa.Function) bool {
	named, ok := v.(*ssa.Function)
	return ok && c.pkg.Own(named) == fn
}

// givesAway reports whether spawn starts a goroutine of a function that calls fn, which it is given, in place.
func (c *checker) givesAway(spawn *ssa.Go, fn *ssa.Function) bool {
	for i, a := range flow.Args(&spawn.Call) {
		if c.pkg.Own(flow.FuncValue(a)) == fn && slices.Contains(blocking.CalledInPlace(flow.Callee(&spawn.Call)), i) {
			return true
		}
	}
	return false
}
