package paths

import (
	"iter"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A View is a function under an assumption: edges that it rules out are not taken, as in the conditional constant
// propagation of Wegman and Zadeck (Constant propagation with conditional branches, 1991).
type View struct {
	fn   *ssa.Function
	tell func(ssa.Value) flow.Truth
	call func(*View, *ssa.Call) []flow.Truth
	live map[*ssa.BasicBlock]bool
	busy map[ssa.Value]bool // phis whose value at some block is being found out: one of a loop hangs on itself
	// known is what phis and calls are as long as no more blocks are live: each hangs on others, and those on more.
	known program.Answers[ssa.Value, flow.Truth]
}

// See is fn as it is where tell holds: what is assumed of a value, Either where nothing is. Call is what the results of a
// call are then, nil where nothing is known of it; it may be nil itself.
func See(fn *ssa.Function, tell func(ssa.Value) flow.Truth, call func(*View, *ssa.Call) []flow.Truth) *View {
	v := &View{fn: fn, tell: tell, call: call, live: map[*ssa.BasicBlock]bool{}, busy: map[ssa.Value]bool{}}
	if len(fn.Blocks) == 0 {
		return v
	}
	// What a phi is hangs on the edges that are taken, and what is taken on phis: each new block may open others.
	v.live[fn.Blocks[0]] = true
	if recovers(fn) {
		v.live[fn.Recover] = true
	}
	for grown := true; grown; {
		grown, v.known = false, program.Answers[ssa.Value, flow.Truth]{}
		for _, b := range fn.Blocks {
			for i, s := range b.Succs {
				if v.live[b] && !v.live[s] && v.takes(b, i) {
					v.live[s], grown = true, true
				}
			}
		}
	}
	return v
}

// recovers reports whether a function that fn defers, whose body is in sight, ends a panic, so that fn returns what its
// results are then.
func recovers(fn *ssa.Function) bool {
	if fn.Recover == nil {
		return false
	}
	for in := range flow.Instrs(fn) {
		d, ok := in.(*ssa.Defer)
		if !ok {
			continue
		}
		deferred := flow.FuncValue(d.Call.Value)
		if deferred == nil {
			continue
		}
		for in := range flow.Instrs(deferred) {
			if c, ok := in.(*ssa.Call); ok {
				if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}

// Live reports whether control may come to b.
func (v *View) Live(b *ssa.BasicBlock) bool { return v.live[b] }

// From are the blocks to which control may come from the end of b.
func (v *View) From(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	from := map[*ssa.BasicBlock]bool{}
	for work := []*ssa.BasicBlock{b}; len(work) > 0; work = work[1:] {
		for s := range v.Next(work[0]) {
			if !from[s] {
				from[s] = true
				work = append(work, s)
			}
		}
	}
	return from
}

// Next are the blocks to which control may go from the end of b.
func (v *View) Next(b *ssa.BasicBlock) iter.Seq[*ssa.BasicBlock] {
	return func(yield func(*ssa.BasicBlock) bool) {
		for i, s := range b.Succs {
			if v.takes(b, i) && !yield(s) {
				return
			}
		}
	}
}

// takes reports whether control may go over the i'th edge out of b.
func (v *View) takes(b *ssa.BasicBlock, i int) bool {
	test := flow.Branch(b)
	return test == nil || v.Of(test.Cond) != flow.Settled(i != 0)
}

// Of is what x is under the assumption.
func (v *View) Of(x ssa.Value) flow.Truth {
	boxed := flow.IsBoxed(x)
	x = flow.Resolve(x)
	if t := v.tell(x); t != flow.Either {
		return t
	}
	if boxed {
		return flow.No
	}
	if t := alone(x); t != flow.Either {
		return t
	}
	if p, ok := partOf(x); ok {
		return p.tells(v.Of(p.of))
	}
	return v.known.Ask(x, flow.Either, func() flow.Truth {
		if phi, ok := x.(*ssa.Phi); ok {
			return v.ofPhi(phi)
		}
		if call, i := flow.ResultOf(x); call != nil && v.call != nil {
			if results := v.call(v, call); i < len(results) {
				return results[i]
			}
		}
		return flow.Either
	})
}

// ofPhi is what all values are that come over edges that may be taken.
func (v *View) ofPhi(phi *ssa.Phi) flow.Truth {
	all, first := flow.Either, true
	for i, e := range phi.Edges {
		pred := phi.Block().Preds[i]
		taken := false
		for j, s := range pred.Succs {
			taken = taken || v.live[pred] && s == phi.Block() && v.takes(pred, j)
		}
		if !taken {
			continue
		}
		t := v.Of(e)
		if t == flow.Either || !first && t != all {
			return flow.Either
		}
		all, first = t, false
	}
	return all
}

// At is what x is where control has come to b: the tests on all ways there say so.
func At(x ssa.Value, b *ssa.BasicBlock) flow.Truth {
	v := &View{fn: b.Parent(), tell: func(ssa.Value) flow.Truth { return flow.Either }, busy: map[ssa.Value]bool{}}
	return v.At(x, b)
}

// At is what x is under the assumption, where control has come to b: the tests on all ways there say so as well.
func (v *View) At(x ssa.Value, b *ssa.BasicBlock) flow.Truth {
	if t := v.Of(x); t != flow.Either {
		return t
	}
	x = flow.Resolve(x)
	if phi, ok := x.(*ssa.Phi); ok && !v.busy[phi] {
		v.busy[phi] = true
		defer delete(v.busy, phi)
		all := flow.Either
		for i, e := range phi.Edges {
			t := v.over(e, phi.Block().Preds[i], phi.Block())
			if i > 0 && t != all {
				t = flow.Either
			}
			if all = t; t == flow.Either {
				break
			}
		}
		if all != flow.Either {
			return all
		}
	}
	for test, t := range flow.Decided(b) {
		if t := says(test, t, x); t != flow.Either {
			return t
		}
	}
	return flow.Either
}

// over is what x is where control goes from pred to b.
func (v *View) over(x ssa.Value, pred, b *ssa.BasicBlock) flow.Truth {
	if flow.IsBoxed(x) {
		return v.At(x, pred)
	}
	if test := flow.Branch(pred); test != nil && pred.Succs[0] != pred.Succs[1] {
		if t := says(test, flow.Settled(pred.Succs[0] == b), flow.Resolve(x)); t != flow.Either {
			return t
		}
	}
	return v.At(x, pred)
}

// says is what is known of x where test has come out as t.
func says(test *ssa.If, t flow.Truth, x ssa.Value) flow.Truth {
	for cond := test.Cond; t != flow.Either; {
		if flow.Resolve(cond) == x {
			return t
		}
		p, ok := partOf(cond)
		if !ok {
			break
		}
		cond, t = p.of, p.says(t)
	}
	return flow.Either
}

// Results are what fn gives under the assumption: of its results that are bools, what all returns say that do not surely
// fail, and of its error, No where all do, and Yes where none does. It is nil where nothing is returned.
func (v *View) Results() []flow.Truth {
	sig := v.fn.Signature
	n, err := sig.Results().Len(), flow.ErrorResult(sig)
	var out []flow.Truth
	fails := flow.Either
	first := true
	for ret := range flow.Returns(v.fn) {
		b := ret.Block()
		if !v.live[b] || len(ret.Results) != n {
			continue
		}
		if err >= 0 {
			x, sure := flow.Returned(ret, err)
			t := flow.Either
			if sure {
				t = v.At(x, b)
			}
			if out != nil && t != fails {
				t = flow.Either
			}
			if fails = t; out == nil {
				out = make([]flow.Truth, n)
			}
			if sure && v.At(x, b) == flow.No {
				continue
			}
		} else if out == nil {
			out = make([]flow.Truth, n)
		}
		for i := range n {
			if i == err || !flow.IsBool(sig.Results().At(i).Type()) {
				continue
			}
			x, sure := flow.Returned(ret, i)
			t := v.At(x, b)
			if !sure || !first && out[i] != t {
				t = flow.Either
			}
			out[i] = t
		}
		first = false
	}
	if out != nil && err >= 0 {
		out[err] = fails
	}
	return out
}
