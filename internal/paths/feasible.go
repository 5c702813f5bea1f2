package paths

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// An Assumption returns the truths of values that are assumed, Unknown for others.
type Assumption func(ssa.Value) flow.Truth

// Feasible is the part of a control-flow graph that is feasible under an assumption, by conditional constant
// propagation (Wegman and Zadeck, Constant propagation with conditional branches, 1991).
type Feasible struct {
	fn   *ssa.Function
	tell Assumption
	call func(*Feasible, *ssa.Call) []flow.Truth
	live flow.Blocks
	busy map[ssa.Value]bool // phis under evaluation in ValueAt: a phi of a loop depends on itself
	// known memoises phis and calls until another block becomes live.
	known program.Answers[ssa.Value, flow.Truth]
}

// Reachable returns the part of fn that is feasible under the assumption tell. Call returns the truths of the results
// of a call, nil if nothing is known of it; it may be nil itself.
func Reachable(fn *ssa.Function, tell Assumption, call func(*Feasible, *ssa.Call) []flow.Truth) *Feasible {
	v := &Feasible{fn: fn, tell: tell, call: call, live: flow.Blocks{}, busy: map[ssa.Value]bool{}}
	if len(fn.Blocks) == 0 {
		return v
	}
	// A fixpoint: phis depend on feasible edges, and edges on phis.
	v.live[fn.Blocks[0]] = true
	if recovers(fn) {
		v.live[fn.Recover] = true
	}
	for grown := true; grown; {
		grown, v.known = false, program.Answers[ssa.Value, flow.Truth]{}
		for _, b := range fn.Blocks {
			for _, s := range b.Succs {
				if v.live[b] && !v.live[s] && v.takes(b, s) {
					v.live[s], grown = true, true
				}
			}
		}
	}
	return v
}

// recovers reports whether a deferred function with a known body calls recover, so that fn returns normally after a
// panic.
func recovers(fn *ssa.Function) bool {
	if fn.Recover == nil {
		return false
	}
	return flow.Any(flow.InstrsOf[*ssa.Defer](fn), func(d *ssa.Defer) bool {
		deferred := flow.FuncValue(d.Call.Value)
		if deferred == nil {
			return false
		}
		return flow.Any(flow.InstrsOf[*ssa.Call](deferred), func(c *ssa.Call) bool {
			b, ok := c.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "recover"
		})
	})
}

// Reaches reports whether a feasible path leads to b.
func (v *Feasible) Reaches(b *ssa.BasicBlock) bool { return v.live[b] }

// From returns the blocks that feasible paths reach from the end of b.
func (v *Feasible) From(b *ssa.BasicBlock) flow.Blocks {
	return flow.BlocksAlong(v.takes, slices.Collect(v.Succs(b))...)
}

// Before returns the blocks from whose end feasible paths lead to another block for which goal is true.
func (v *Feasible) Before(goal func(*ssa.BasicBlock) bool) flow.Blocks {
	before, goals := flow.Blocks{}, flow.Blocks{}
	for _, b := range v.fn.Blocks {
		goals[b] = goal(b)
	}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(v.fn.Blocks) {
			for s := range v.Succs(b) {
				if !before[b] && (goals[s] && s != b || before[s]) {
					before[b], changed = true, true
				}
			}
		}
	}
	return before
}

// Succs returns the successors of b over feasible edges.
func (v *Feasible) Succs(b *ssa.BasicBlock) iter.Seq[*ssa.BasicBlock] {
	return func(yield func(*ssa.BasicBlock) bool) {
		for _, s := range b.Succs {
			if v.takes(b, s) && !yield(s) {
				return
			}
		}
	}
}

// takes reports whether the edge from b to s is feasible.
func (v *Feasible) takes(b, s *ssa.BasicBlock) bool {
	test, t := flow.EdgeTest(b, s)
	return t == flow.Unknown || v.Value(test.Cond) != t.Not()
}

// Value returns the truth of x under the assumption.
func (v *Feasible) Value(x ssa.Value) flow.Truth {
	boxed := flow.IsBoxed(x)
	x = flow.Resolve(x)
	if t := v.tell(x); t != flow.Unknown {
		return t
	}
	if boxed {
		return flow.False
	}
	if t := alone(x); t != flow.Unknown {
		return t
	}
	if p, ok := partOf(x); ok {
		return p.tells(v.Value(p.of))
	}
	return v.known.Ask(x, flow.Unknown, func() flow.Truth {
		if phi, ok := x.(*ssa.Phi); ok {
			return v.ofPhi(phi)
		}
		if call, i := flow.ResultOf(x); call != nil && v.call != nil {
			if results := v.call(v, call); i < len(results) {
				return results[i]
			}
		}
		return flow.Unknown
	})
}

// ofPhi returns the join of the values over feasible edges.
func (v *Feasible) ofPhi(phi *ssa.Phi) flow.Truth {
	all, first := flow.Unknown, true
	for i, e := range phi.Edges {
		pred := phi.Block().Preds[i]
		if !v.live[pred] || !v.takes(pred, phi.Block()) {
			continue
		}
		t := v.Value(e)
		if t == flow.Unknown || !first && t != all {
			return flow.Unknown
		}
		all, first = t, false
	}
	return all
}

// ValueAt returns the truth of x at b by the path condition of b alone.
func ValueAt(x ssa.Value, b *ssa.BasicBlock) flow.Truth {
	v := &Feasible{fn: b.Parent(), tell: func(ssa.Value) flow.Truth { return flow.Unknown }, busy: map[ssa.Value]bool{}}
	return v.ValueAt(x, b)
}

// Fails reports whether ret surely returns an error that is not nil.
func Fails(ret *ssa.Return) bool {
	err := flow.ReturnedError(ret)
	return err != nil && ValueAt(err, ret.Block()) == flow.False
}

// ValueAt returns the truth of x under the assumption and the path condition of b.
func (v *Feasible) ValueAt(x ssa.Value, b *ssa.BasicBlock) flow.Truth {
	if t := v.Value(x); t != flow.Unknown {
		return t
	}
	x = flow.Resolve(x)
	if phi, ok := x.(*ssa.Phi); ok && !v.busy[phi] {
		v.busy[phi] = true
		defer delete(v.busy, phi)
		all := flow.Unknown
		for i, e := range phi.Edges {
			t := v.over(e, phi.Block().Preds[i], phi.Block())
			if i > 0 && t != all {
				t = flow.Unknown
			}
			if all = t; t == flow.Unknown {
				break
			}
		}
		if all != flow.Unknown {
			return all
		}
	}
	for v, t := range Facts(b) {
		if flow.Resolve(v) == x {
			return t
		}
	}
	return flow.Unknown
}

// over returns the truth of x on the edge from pred to b.
func (v *Feasible) over(x ssa.Value, pred, b *ssa.BasicBlock) flow.Truth {
	if flow.IsBoxed(x) {
		return v.ValueAt(x, pred)
	}
	for v, t := range EdgeFacts(pred, b) {
		if flow.Resolve(v) == flow.Resolve(x) {
			return t
		}
	}
	return v.ValueAt(x, pred)
}

// Facts yields the values whose truth the path condition of b implies, at the last of the tests that say so: the
// conditions, and the operands that they determine. The nearest tests come first.
func Facts(b *ssa.BasicBlock) iter.Seq2[ssa.Value, flow.Truth] {
	return func(yield func(ssa.Value, flow.Truth) bool) {
		for test, t := range flow.PathCondition(b) {
			for v, t := range Implied(test.Cond, t) {
				if !yield(v, t) {
					return
				}
			}
		}
	}
}

// EdgeFacts yields the values whose truth the edge from pred to b implies.
func EdgeFacts(pred, b *ssa.BasicBlock) iter.Seq2[ssa.Value, flow.Truth] {
	test, t := flow.EdgeTest(pred, b)
	if t == flow.Unknown {
		return func(func(ssa.Value, flow.Truth) bool) {}
	}
	return Implied(test.Cond, t)
}

// Implied yields the values whose truth follows if v has the truth t, v first.
func Implied(v ssa.Value, t flow.Truth) iter.Seq2[ssa.Value, flow.Truth] {
	return func(yield func(ssa.Value, flow.Truth) bool) {
		for t != flow.Unknown && yield(v, t) {
			p, ok := partOf(v)
			if list := lengthOf(v); list != nil { // of a map or a channel
				p, ok = part{of: list, same: true}, true
			}
			if !ok {
				return
			}
			v, t = p.of, p.says(t)
		}
	}
}

// ResultsOf returns the results of fn without any assumption. See [Feasible.Results].
func ResultsOf(fn *ssa.Function) []flow.Truth {
	return Reachable(fn, func(ssa.Value) flow.Truth { return flow.Unknown }, nil).Results()
}

// Results returns the results of the function under the assumption: the join of each bool over the returns that do not
// surely fail, and of the error over all returns. It is nil if the function does not return.
func (v *Feasible) Results() []flow.Truth {
	sig := v.fn.Signature
	n, err := sig.Results().Len(), flow.ErrorResult(sig)
	var out []flow.Truth
	joined := make([]bool, n)
	join := func(i int, ret *ssa.Return) flow.Truth {
		t := flow.Unknown
		if x, sure := flow.Returned(ret, i); sure {
			t = v.ValueAt(x, ret.Block())
		}
		if joined[i] && out[i] != t {
			out[i] = flow.Unknown
		} else {
			out[i], joined[i] = t, true
		}
		return t
	}
	for ret := range flow.Returns(v.fn) {
		if !v.live[ret.Block()] || len(ret.Results) != n {
			continue
		}
		if out == nil {
			out = make([]flow.Truth, n)
		}
		if err >= 0 && join(err, ret) == flow.False {
			continue
		}
		for i := range n {
			if i != err && flow.IsBool(sig.Results().At(i).Type()) {
				join(i, ret)
			}
		}
	}
	return out
}
