package startctx

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// A loop that goes on where a channel is closed does not spin where it is closed with another one that ends the loop, or when the context has ended that does.

// Closes is what the end of channels that a function returns goes with; of a method of an interface, what is so for all types of its package.
type Closes struct{ Results []closing }

// A closing is what is with the end of the result of that index: the contexts of these parameters have ended by then, and these results are closed at once.
type closing struct {
	Result       int
	Params, With []int
}

// exportCloses tells importing packages of the channels that functions of the package give.
func (c *checker) exportCloses() {
	found := false
	for _, fn := range c.pkg.Funcs {
		if obj := flow.Object(fn); obj != nil && obj.Exported() && fn.Parent() == nil {
			if f := c.closes(fn, map[*ssa.Function]bool{}); len(f.Results) > 0 {
				c.pass.ExportObjectFact(obj, &Lasting{Closes: f})
				found = true
			}
		}
	}
	if found {
		c.exportClosesOfInterfaces()
	}
}

// exportClosesOfInterfaces tells what all types of the package that have the methods of one of its interfaces do alike.
func (c *checker) exportClosesOfInterfaces() {
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		i, ok := scope.Lookup(name).Type().Underlying().(*types.Interface)
		if !ok || i.NumMethods() == 0 {
			continue
		}
		for m := range i.ExplicitMethods() {
			var all *Closes
			for _, other := range scope.Names() {
				t, ok := scope.Lookup(other).(*types.TypeName)
				if !ok || types.IsInterface(t.Type()) || kubeapi.Named(t.Type()) == nil || !types.Implements(types.NewPointer(t.Type()), i) {
					continue
				}
				var f Closes
				if own := kubeapi.Method(t.Type(), m.Name()); own != nil {
					f = c.factOf(own.Origin()).Closes
				}
				all = all.and(&f)
			}
			if all != nil && len(all.Results) > 0 && m.Exported() {
				c.pass.ExportObjectFact(m, &Lasting{Closes: *all})
			}
		}
	}
}

// and is what both f and g say; g where f is nil.
func (f *Closes) and(g *Closes) *Closes {
	if f == nil {
		return g
	}
	both := &Closes{}
	for _, r := range f.Results {
		o, _ := g.of(r.Result)
		r.Params = slices.DeleteFunc(slices.Clone(r.Params), func(i int) bool { return !slices.Contains(o.Params, i) })
		r.With = slices.DeleteFunc(slices.Clone(r.With), func(i int) bool { return !slices.Contains(o.With, i) })
		if len(r.Params)+len(r.With) > 0 {
			both.Results = append(both.Results, r)
		}
	}
	return both
}

// of is what f says of the result i.
func (f *Closes) of(i int) (closing, bool) {
	at := slices.IndexFunc(f.Results, func(r closing) bool { return r.Result == i })
	if at < 0 {
		return closing{}, false
	}
	return f.Results[at], true
}

// closes is what is with the end of the channels that fn gives, by all of its returns. Asked are the functions for which that is asked.
func (c *checker) closes(fn *ssa.Function, asked map[*ssa.Function]bool) Closes {
	var all *Closes
	if asked[fn] || !givesChannel(fn.Signature) {
		return Closes{}
	}
	asked[fn] = true
	defer delete(asked, fn)
	for ret := range flow.Returns(fn) {
		if !slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return blocking.ReceiveOnly(v.Type()) && !flow.IsNil(v) }) {
			continue // it gives none here
		}
		all = all.and(c.closesHere(ret, asked))
	}
	if all == nil {
		return Closes{}
	}
	return *all
}

// givesChannel reports whether a function gives a channel to receive from.
func givesChannel(sig *types.Signature) bool {
	return flow.Any(sig.Results().Variables(), func(v *types.Var) bool { return blocking.ReceiveOnly(v.Type()) })
}

// closesHere is what is with the end of the channels that ret gives: those that its function makes, or all results of one call.
func (c *checker) closesHere(ret *ssa.Return, asked map[*ssa.Function]bool) *Closes {
	out := &Closes{}
	fn := ret.Parent()
	made := make([]*ssa.MakeChan, len(ret.Results))
	for i, v := range ret.Results {
		made[i], _ = flow.Resolve(v).(*ssa.MakeChan)
	}
	for i, v := range ret.Results {
		if call, j := flow.ResultOf(flow.Resolve(v)); call != nil && blocking.ReceiveOnly(v.Type()) {
			f := c.closesOf(&call.Call, asked)
			if of, ok := f.of(j); ok {
				out.Results = append(out.Results, inTermsOf(fn, ret, call, i, of))
			}
			continue
		}
		if made[i] == nil {
			continue
		}
		of := closing{Result: i}
		ends := c.closesOn(made[i])
		if len(ends) == 0 {
			continue
		}
		for p := range fn.Signature.Params().Len() {
			if kubeapi.IsContext(fn.Signature.Params().At(p).Type()) && !slices.ContainsFunc(ends, func(end ssa.CallInstruction) bool { return !hasEnded(paramAt(fn, p), end) }) {
				of.Params = append(of.Params, p)
			}
		}
		for j, other := range made {
			if j != i && other != nil && !slices.ContainsFunc(ends, func(end ssa.CallInstruction) bool { return !closesBeside(end, other) }) {
				of.With = append(of.With, j)
			}
		}
		if len(of.Params)+len(of.With) > 0 {
			out.Results = append(out.Results, of)
		}
	}
	return out
}

// paramAt is parameter i of fn, its receiver not counted.
func paramAt(fn *ssa.Function, i int) *ssa.Parameter {
	if fn.Signature.Recv() != nil {
		i++
	}
	return fn.Params[i]
}

// inTermsOf is of, which is about a result of call, as result i of ret and with the parameters of fn.
func inTermsOf(fn *ssa.Function, ret *ssa.Return, call *ssa.Call, i int, of closing) closing {
	out := closing{Result: i}
	args := flow.Args(&call.Call)
	for p := range fn.Signature.Params().Len() {
		if slices.ContainsFunc(of.Params, func(a int) bool { return a < len(args) && flow.Resolve(args[a]) == ssa.Value(paramAt(fn, p)) }) {
			out.Params = append(out.Params, p)
		}
	}
	for j, v := range ret.Results {
		if from, k := flow.ResultOf(flow.Resolve(v)); from == call && slices.Contains(of.With, k) {
			out.With = append(out.With, j)
		}
	}
	return out
}

// closesOf is what is with the end of the channels that call gives.
func (c *checker) closesOf(call *ssa.CallCommon, asked map[*ssa.Function]bool) *Closes {
	var f Closes
	if own := c.pkg.Callee(call); own != nil {
		f = c.closes(own, asked)
	} else if callee := flow.Callee(call); callee != nil {
		f = c.factOf(callee.Origin()).Closes
	}
	return &f
}

// closesOn are the calls, deferred ones too, that close the channel, which the package gives to others to receive from; none where it may be closed by others as well.
func (c *checker) closesOn(made *ssa.MakeChan) (ends []ssa.CallInstruction) {
	g := c.pkg.Origins().GroupOf(made)
	others := g.Unknown() || g.Escape()&(origin.Passed|origin.Sent) != 0
	for call := range flow.Calls(c.bounds.Firers(made)...) {
		ch := flow.Closed(call.Common())
		if ch == nil || c.pkg.Origins().GroupOf(ch) != g {
			continue
		}
		closed, ok := flow.Resolve(ch).(*ssa.MakeChan)
		others = others || !ok
		if closed == made {
			ends = append(ends, call)
		}
	}
	if others {
		return nil
	}
	return ends
}

// hasEnded reports whether the context ctx has ended when end runs: its function has received from Done on all ways there.
func hasEnded(ctx *ssa.Parameter, end ssa.CallInstruction) bool {
	if _, late := end.(*ssa.Defer); !late {
		return toldBefore(ctx, end)
	}
	return !flow.Any(flow.Returns(end.Parent()), func(ret *ssa.Return) bool {
		return ret.Block() != end.Parent().Recover && !toldBefore(ctx, ret)
	})
}

// toldBefore reports whether control comes to at only by a receive from Done of ctx.
func toldBefore(ctx *ssa.Parameter, at ssa.Instruction) bool {
	is := func(ch ssa.Value) bool {
		of := blocking.DoneOf(ch)
		return of != nil && flow.Resolve(of) == ssa.Value(ctx)
	}
	for in := range flow.Instrs(at.Parent()) {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op == token.ARROW && is(in.X) && flow.Dominates(in, at) {
				return true
			}
		case *ssa.Select:
			for i, s := range in.States {
				if s.Dir != types.RecvOnly || !is(s.Chan) {
					continue
				}
				for test, t := range flow.PathCondition(at.Block()) {
					if test == flow.CaseTest(in, i) && t == flow.True {
						return true
					}
				}
			}
		}
	}
	return false
}

// closesBeside reports whether other is closed just before end, or just behind it, as end is, at once or deferred.
func closesBeside(end ssa.CallInstruction, other *ssa.MakeChan) bool {
	_, late := end.(*ssa.Defer)
	instrs := end.Block().Instrs
	at := slices.Index(instrs, ssa.Instruction(end))
	before := slices.Clone(instrs[:at])
	slices.Reverse(before)
	for _, way := range [][]ssa.Instruction{before, instrs[at+1:]} {
		for _, in := range way {
			next, deferred := in.(*ssa.Defer)
			call, _ := in.(ssa.CallInstruction)
			if call != nil && deferred == late && flow.Resolve(flow.Closed(call.Common())) == ssa.Value(other) {
				return true
			}
			if next != nil || !late && takesTime(in) {
				break
			}
		}
	}
	return false
}

// endsBeside reports whether the channel of case i of the choice is closed only with what leaves the loop by another case: all who call the function give it both.
func (c *checker) endsBeside(choice *ssa.Select, ch ssa.Value) bool {
	fn := choice.Parent()
	obj := flow.Object(fn)
	calls := c.pkg.Callers(fn)
	if len(calls) == 0 || fn.Parent() == nil && (obj == nil || obj.Exported()) {
		return false
	}
	return !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		given, i := flow.ResultOf(flow.Resolve(givenFor(fn, call, ch)))
		if given == nil {
			return true
		}
		of, ok := c.closesOf(&given.Call, map[*ssa.Function]bool{}).of(i)
		if !ok {
			return true
		}
		args := flow.Args(&given.Call)
		return !slices.ContainsFunc(of.Params, func(p int) bool {
			return p < len(args) && c.leavesBy(choice, func(s *ssa.SelectState) bool {
				ctx := blocking.DoneOf(s.Chan)
				return ctx != nil && flow.Resolve(givenFor(fn, call, ctx)) == flow.Resolve(args[p])
			}, false)
		}) && !c.leavesBy(choice, func(s *ssa.SelectState) bool {
			from, j := flow.ResultOf(flow.Resolve(givenFor(fn, call, s.Chan)))
			return from == given && slices.Contains(of.With, j)
		}, true)
	})
}

// givenFor is what call gives fn for v, a parameter of that; v itself where it is none.
func givenFor(fn *ssa.Function, call ssa.CallInstruction, v ssa.Value) ssa.Value {
	if i := flow.ParamIndex(fn, flow.Resolve(v)); i >= 0 {
		return flow.AllArgs(call.Common())[i]
	}
	return v
}

// leavesBy reports whether a case of the choice for which is holds does not come back to that; where closed, as the case finds its channel closed.
func (c *checker) leavesBy(choice *ssa.Select, is func(*ssa.SelectState) bool, closed bool) bool {
	for i, s := range choice.States {
		body := flow.CaseOf(choice, i)
		if s.Dir != types.RecvOnly || body == nil || !is(s) {
			continue
		}
		if closed {
			body = closedSide(choice, body)
		}
		if body != nil && !flow.BlocksFrom(body)[choice.Block()] {
			return true
		}
	}
	return false
}
