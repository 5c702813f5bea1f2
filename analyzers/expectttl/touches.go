package expectttl

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// releases reports whether some instruction that runs because the query said false may touch the store other than by
// asking it: that may be the way out. Whether it always runs does not matter, the author has thought of it.
func (g *callGraph) releases(q query, entry *ssa.BasicBlock) bool {
	return slices.ContainsFunc(entry.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		inRegion := entry.Dominates(b)
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			_, deferred := in.(*ssa.Defer)
			return (inRegion || deferred) && g.touches(in, q.store, map[*ssa.Function]bool{})
		})
	})
}

// touches reports whether in may change what s expects: itself, by a function of this package that it calls, or by one
// that is not known.
func (g *callGraph) touches(in ssa.Instruction, s store, seen map[*ssa.Function]bool) bool {
	return g.reaches(in, s, false, seen)
}

// changes is touches without what cannot be seen.
func (g *callGraph) changes(in ssa.Instruction, s store) bool {
	return g.reaches(in, s, true, map[*ssa.Function]bool{})
}

// reaches is touches, with or without what cannot be seen.
func (g *callGraph) reaches(in ssa.Instruction, s store, seenOnly bool, seen map[*ssa.Function]bool) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return s.is(in.Addr) && s.obj != nil // the store is replaced
	case *ssa.MakeClosure:
		return g.bodyReaches(in.Fn.(*ssa.Function), s, seenOnly, seen)
	case ssa.CallInstruction:
		c := in.Common()
		fn := flow.Callee(c)
		if recv := flow.Recv(c); recv != nil && (s.is(recv) || !seenOnly && s.mayBe(recv)) {
			return fn == nil || !isReader(fn)
		}
		for _, a := range c.Args {
			if s.is(a) || !seenOnly && s.mayBe(a) {
				return true
			}
		}
		callees, known := g.callees(c)
		if !known {
			return !seenOnly && !kubeapi.IsCancel(c.Value.Type()) // a function value: unknown
		}
		for _, callee := range callees {
			if g.bodyReaches(callee, s, seenOnly, seen) {
				return true
			}
		}
		// A function beside the store, or of a package that can name it.
		return !seenOnly && s.obj != nil && fn != nil && fn.Pkg() != g.pkg.Pkg && !isReader(fn) && (fn.Pkg() == s.obj.Pkg() || imports(fn.Pkg(), s.obj.Pkg()))
	}
	return false
}

// imports reports whether p, another package, imports what, another one yet.
func imports(p, what *types.Package) bool {
	return p != nil && what != nil && slices.Contains(p.Imports(), what)
}

// touchKey is a question that many calls ask.
type touchKey struct {
	fn       *ssa.Function
	store    types.Object
	seenOnly bool
}

// bodyReaches is reaches for what fn does.
func (g *callGraph) bodyReaches(fn *ssa.Function, s store, seenOnly bool, seen map[*ssa.Function]bool) (found bool) {
	if seen[fn] || s.obj == nil && fn.Parent() == nil {
		return false
	}
	// The answer that is asked for from outside is complete; one inside a cycle of calls may not be.
	outermost := len(seen) == 0 && s.obj != nil
	key := touchKey{fn, s.obj, seenOnly}
	if outermost {
		if known, ok := g.touched[key]; ok {
			return known
		}
		defer func() { g.touched[key] = found }()
	}
	seen[fn] = true
	return flow.Any(flow.Instrs(fn), func(in ssa.Instruction) bool { return g.reaches(in, s, seenOnly, seen) })
}

// wakes reports whether something on a path to ret, or a deferred call, schedules another look at the key.
func (g *callGraph) wakes(q query, ret *ssa.Return) bool {
	return slices.ContainsFunc(ret.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(ssa.CallInstruction)
			if !ok || !g.mayWake(c) && !passesDuration(c, q) {
				return false
			}
			_, deferred := in.(*ssa.Defer)
			return deferred || b == ret.Block() || flow.ReachesForward(in, ret, nil)
		})
	})
}

// mayWake reports whether c, or a function of the package that it runs, may put a key into a work queue.
func (g *callGraph) mayWake(c ssa.CallInstruction) bool {
	return g.anyCall(c, func(c *ssa.CallCommon) flow.Truth {
		fn := flow.Callee(c)
		if fn == nil {
			return flow.Unknown
		}
		switch name, op := fn.Name(), kubeapi.QueueOp(fn.Name()); {
		case op != kubeapi.QueueAdd && op.Adds(), kubeapi.QueueOpOf(fn) == kubeapi.QueueAdd, name == "AfterFunc",
			words.Has(name, "enqueue", "enqueues", "requeue", "requeues"):
			return flow.True
		}
		return flow.Unknown
	})
}

// anyCall reports whether is returns True for c, or for a call in the functions of the package that it runs, at any
// depth. Calls for which it returns False are not followed.
func (g *callGraph) anyCall(c ssa.CallInstruction, is func(*ssa.CallCommon) flow.Truth) bool {
	seen := map[*ssa.Function]bool{}
	for work := []ssa.CallInstruction{c}; len(work) > 0; work = work[1:] {
		common := work[0].Common()
		found := is(common)
		if found == flow.True {
			return true
		}
		if found == flow.False {
			continue
		}
		for _, fn := range g.runs(common) {
			if !seen[fn] {
				seen[fn] = true
				work = slices.AppendSeq(work, flow.Calls(fn))
			}
		}
	}
	return false
}

// passesDuration reports whether c is handed, as a time.Duration, how long the expectation has been open: a helper
// that keeps the next wake-up of a key. A logger takes it as an interface.
func passesDuration(c ssa.CallInstruction, q query) bool {
	return slices.ContainsFunc(flow.Args(c.Common()), func(a ssa.Value) bool {
		return kubeapi.IsType(a.Type(), "time", "Duration") && !isTimeArithmetic(flow.Callee(c.Common())) && dependsOn(a, q.call)
	})
}

func isTimeArithmetic(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time"
}
