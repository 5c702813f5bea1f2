package lock

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// Returned literals: the locks that a literal acquires and releases, and those that it holds when it calls its
// parameters, are exported with the function that returns it, for example an iterator or an unlock function.

// literalOf is the summary of the literal that is the only function among the results of fn at all returns, in terms of
// the parameters of fn, followed by its own. It has the events without conditions; it is empty for other functions, and
// if the parameters of fn decide about it.
func (e *engine) literalOf(fn *ssa.Function) (out Summary) {
	at := -1
	for i := range fn.Signature.Results().Len() {
		if _, is := fn.Signature.Results().At(i).Type().Underlying().(*types.Signature); is {
			if at >= 0 {
				return out
			}
			at = i
		}
	}
	if at < 0 {
		return out
	}
	var lit *ssa.Function
	for ret := range flow.Returns(fn) {
		mc, ok := flow.Unwrap(ret.Results[at]).(*ssa.MakeClosure)
		if !ok || lit != nil && mc.Fn != lit {
			return out
		}
		lit = mc.Fn.(*ssa.Function)
	}
	sum := e.summaries[lit]
	if lit == nil || sum.empty() || lit.Parent() != fn {
		return out
	}
	if len(sum.May) > 0 || len(sum.Acquired) > 0 {
		return out
	}
	guarded := paths.CapturedConditionsOf(lit)
	if slices.ContainsFunc(lit.Blocks,
		func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(guarded.At(b), Guard.Captured) }) {
		return out
	}
	for _, a := range sum.Acquires {
		if a.always() {
			a.Lock, a.Dropped = a.Lock.around(fn), around(fn, a.Dropped)
			out.Acquires = append(out.Acquires, a)
		}
	}
	for _, c := range sum.Calls {
		called := Ref{Param: c.Param}
		if c.local != nil {
			called.local = c.local
		}
		if c.Param = called.around(fn).Param; c.Param < 0 || !c.always() {
			continue
		}
		c.local, c.Dropped = nil, around(fn, c.Dropped)
		c.Held = heldAround(fn, c.Held)
		out.Calls = append(out.Calls, c)
	}
	out.Released = heldAround(fn, sum.Released)
	return out
}

// always reports whether ev happens whatever the arguments are.
func (ev *Event) always() bool { return len(ev.Guards)+len(ev.Owners)+len(ev.Passed) == 0 }

// around is r, a name of a literal of fn, in terms of the parameters of fn and then of its own; what is neither stays
// local.
func (r Ref) around(fn *ssa.Function) Ref {
	if r.Param >= 0 {
		r.Param += len(fn.Params)
	} else if p, ok := r.local.(*ssa.Parameter); ok && p.Parent() == fn {
		r.Param, r.local = slices.Index(fn.Params, p), nil
	}
	return r
}

func around(fn *ssa.Function, refs []Ref) []Ref {
	out := slices.Clone(refs)
	for i := range out {
		out[i] = out[i].around(fn)
	}
	return out
}

func heldAround(fn *ssa.Function, held []HeldRef) []HeldRef {
	out := slices.Clone(held)
	for i := range out {
		out[i].Ref = out[i].around(fn)
	}
	return out
}

// madeElsewhere applies the summary of a literal that a function of another package returns. Any other unknown function
// may be the unlock function of a held lock.
func (in *interp) madeElsewhere(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	if call.IsInvoke() {
		return
	}
	if made, _ := flow.ResultOf(flow.Resolve(call.Value)); made != nil && flow.StaticCallee(&made.Call) != nil {
		fn := flow.StaticCallee(&made.Call)
		if f := in.e.importedFact(fn); f != nil && !f.Literal.empty() {
			ap := in.application(at, fn, actuals{args: slices.Concat(flow.AllArgs(&made.Call), call.Args)}, s)
			ap.hop.Func = "the function literal of " + ap.hop.Func
			ap.happens(&f.Literal)
			ap.effects(fn, &f.Literal)
			return
		}
	}
	s.held = without(s.held, func(h Hold) bool { return givesHandle(h.Site) })
}

// handsOn forgets the locks of which one of these values, which others are given, is what releases them.
func (s *state) handsOn(given ...ssa.Value) {
	if len(s.held) == 0 {
		return
	}
	for _, v := range given {
		if made, _ := flow.ResultOf(flow.Resolve(v)); made != nil && flow.IsFunc(flow.Unwrap(v)) {
			s.held = without(s.held, func(h Hold) bool { return h.Site == ssa.Instruction(made) })
		}
	}
}

// givesHandle reports whether site is a call with a function among its results.
func givesHandle(site ssa.Instruction) bool {
	call, ok := site.(*ssa.Call)
	if !ok {
		return false
	}
	return flow.Any(call.Call.Signature().Results().Variables(), func(v *types.Var) bool {
		_, is := v.Type().Underlying().(*types.Signature)
		return is
	})
}
