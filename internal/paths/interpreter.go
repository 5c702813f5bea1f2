package paths

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// An Interpreter executes a function abstractly, path by path, with a state S of its user. Paths that join in equal
// states are followed once from there.
type Interpreter[S any] struct {
	// Enter changes the state for the edge from pred to b. Again says that the path has passed b before.
	Enter func(s *S, b, pred *ssa.BasicBlock, again bool)
	// Key is equal for states at b from which the same follows.
	Key func(s *S, b *ssa.BasicBlock) string
	// Step executes in.
	Step func(s *S, in ssa.Instruction) Action
	// Branch returns the states on both sides of test, nil for a side that is infeasible.
	Branch func(s *S, test *ssa.If) [2]*S
	// Limit is the number of blocks that are executed at most, 0 for no limit.
	Limit int

	seen   map[string]bool
	onPath flow.Blocks // where paths join
	steps  int
}

// An Action says how an exploration goes on.
type Action uint8

// What follows an instruction.
const (
	Continue Action = iota
	EndPath
	Stop // all paths
)

// Run follows the paths from instruction first of b. Complete is false if it was stopped, or the limit is exceeded.
func (e *Interpreter[S]) Run(s *S, b *ssa.BasicBlock, first int) (complete bool) {
	e.seen, e.onPath, e.steps = map[string]bool{}, flow.Blocks{}, 0
	return e.execute(s, b, first)
}

func (e *Interpreter[S]) execute(s *S, b *ssa.BasicBlock, first int) bool {
	if e.steps++; e.Limit > 0 && e.steps > e.Limit {
		return false
	}
	for _, in := range b.Instrs[first:] {
		switch e.Step(s, in) {
		case EndPath:
			return true
		case Stop:
			return false
		}
	}
	switch last := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.Jump:
		return e.enter(s, b.Succs[0], b)
	case *ssa.If:
		for i, side := range e.Branch(s, last) {
			if side != nil && !e.enter(side, b.Succs[i], b) {
				return false
			}
		}
	}
	return true
}

func (e *Interpreter[S]) enter(s *S, b, pred *ssa.BasicBlock) bool {
	e.Enter(s, b, pred, e.onPath[b])
	if len(b.Preds) > 1 {
		key := e.Key(s, b)
		if e.seen[key] {
			return true
		}
		e.seen[key] = true
		if !e.onPath[b] {
			e.onPath[b] = true
			defer delete(e.onPath, b)
		}
	}
	return e.execute(s, b, 0)
}
