package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/words"
)

// Objects that are being deleted are still there, and it is they that need their owner for their cleanup. Who counts those that are left has to count them.

// A passing is where objects of a kind that are being deleted are passed over: here, or in another package.
type passing struct {
	here ssa.Instruction
	at   link.At
}

func (p passing) known() bool { return p.here != nil || p.at != "" }

// passesOver is where something on the way to e, that tells of objects of type t, goes past those that are being deleted; not known where there is none, or where
// none at all may be left.
func (a *analyzer) passesOver(e event, t *types.Named) (found passing) {
	for to := range a.leadingTo(e.in) {
		if behindNone(to.Block(), t) {
			return passing{}
		}
		if !found.known() {
			found = a.passedIn(to.Parent(), t, flow.BlocksTo(to.Block()), to)
		}
	}
	return found
}

// passesIn is such a place in fns, or in what they run.
func (a *analyzer) passesIn(t *types.Named, fns ...*ssa.Function) (found passing) {
	for fn := range a.pkg.Reach(program.Calls|program.Mentions, fns...) {
		if found = a.passedIn(fn, t, nil, nil); found.known() {
			return found
		}
	}
	return found
}

// passedIn is such a place in fn: a test of a loop, or a call that is given a predicate. Where within is not nil, it is in one of these blocks, or in what they call, other than by
// the instruction but.
func (a *analyzer) passedIn(fn *ssa.Function, t *types.Named, within flow.Blocks, but ssa.Instruction) (found passing) {
	for _, l := range flow.Loops(fn) {
		if within != nil && !within[l.Header] || !a.gathers(l) {
			continue
		}
		for _, b := range fn.Blocks {
			test := flow.Branch(b)
			if test == nil || !l.Blocks[b] {
				continue
			}
			if when, ok := a.asksDeleted(l, test, t); ok && goesOn(l, flow.Side(test, flow.TruthOf(when))) {
				return passing{here: test}
			}
		}
	}
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		if call == but || within != nil && !within[call.Block()] {
			continue
		}
		if a.decidesAgainst(call, t) {
			return passing{here: call}
		}
		if within != nil {
			found = a.passesIn(t, a.pkg.MayRun(call)...)
		}
		var fact Effects
		if callee := a.pkg.Called(&call.Call); callee != nil && a.fact(callee, &fact) {
			for _, p := range fact.Passes {
				if p.Kind == link.TypeName(t) {
					found = passing{at: p.At}
				}
			}
		}
		if found.known() {
			return found
		}
	}
	return found
}

// decidesAgainst reports whether call is given a predicate about objects of type t that decides against those that are being deleted.
func (a *analyzer) decidesAgainst(call *ssa.Call, t *types.Named) bool {
	if call.Call.Signature().Results().Len() == 0 {
		return false
	}
	return slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool {
		fn := a.pkg.Own(flow.FuncValue(arg))
		if fn == nil || fn.Signature.Results().Len() != 1 || !flow.IsBool(fn.Signature.Results().At(0).Type()) {
			return false
		}
		i := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return kubeapi.Named(p.Type()) == t })
		if i < 0 {
			return false
		}
		says := flow.TruthOf(words.Has(calledName(call), "delete", "reject", "remove"))
		if objs := []flow.Path{{Root: fn.Params[i]}}; a.tests(fn, objs) {
			out := a.outcomeOf(fn, objs)
			return len(out) == 1 && out[0] == says
		}
		return false
	})
}

// A Passed says that a function goes past the objects of a kind that are being deleted.
type Passed struct {
	Kind string
	At   link.At
}

// passes are the kinds of which fn, which other packages may call, tells without those that are being deleted.
func (a *analyzer) passes(fn *ssa.Function) (all []Passed) {
	if fn.Signature.Results().Len() == 0 || fn.Object() == nil || !fn.Object().Exported() {
		return nil
	}
	for _, kind := range a.listedKinds()[fn] {
		if t := link.Named(a.pass.Pkg, kind); t != nil && a.ofModule(t) {
			if found := a.passesIn(t, fn); found.here != nil {
				all = append(all, Passed{kind, link.AtOf(a.pass, flow.Pos(found.here))})
			}
		}
	}
	return all
}

// gathers reports whether l tells what it has come by, as by a list, a number or where it ends, and neither asks for a deletion nor writes anything.
func (a *analyzer) gathers(l *flow.Loop) bool {
	tells, asks := endsBetween(l), false
	for in := range l.Instrs() {
		switch in := in.(type) {
		case *ssa.Phi:
			tells = tells || usedBehind(l, in)
		case *ssa.Call:
			b, builtin := in.Call.Value.(*ssa.Builtin)
			tells = tells || builtin && b.Name() == "append"
			r, request := kubeapi.RequestOf(&in.Call)
			asks = asks || request && r.Verb.Writes() || a.undoes(in)
		}
	}
	return tells && !asks
}

// usedBehind reports whether what l makes of v, turn by turn, decides something behind it, or is given to who has called its function.
func usedBehind(l *flow.Loop, v *ssa.Phi) bool {
	if flow.IsError(v.Type()) {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		x, ok := r.(ssa.Value)
		return ok && !l.Blocks[r.Block()] && goesTo(x, isVerdict) || !l.Blocks[r.Block()] && isVerdict(r)
	})
}

// isVerdict reports whether in decides something, or is the end of its function.
func isVerdict(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.If, *ssa.Return:
		return true
	}
	return false
}

// endsBetween reports whether l ends before it has come by all turns, and not for an error.
func endsBetween(l *flow.Loop) bool {
	return slices.ContainsFunc(l.Exits(), func(b *ssa.BasicBlock) bool {
		test := flow.Branch(b)
		if test == nil || b == l.Header || flow.TestsLoop(b) {
			return false
		}
		x, _, ok := flow.NilTest(test.Cond)
		return !ok || !flow.IsError(x.Type())
	})
}

// asksDeleted reports whether test asks if an object of type t, one of a turn of l, is being deleted, itself or by a function of the package, and which value says so.
func (a *analyzer) asksDeleted(l *flow.Loop, test *ssa.If, t *types.Named) (when, ok bool) {
	cond, is := flow.StripNot(test.Cond)
	asked, _ := cond.(*ssa.Call)
	for in := range l.Instrs() {
		v, value := in.(ssa.Value)
		if !value || kubeapi.Named(v.Type()) != t {
			continue
		}
		objs := objectOf(v).places()[:1]
		if when, ok = deleting(test.Cond, objs[0]); ok {
			return when, true
		}
		if asked == nil {
			continue
		}
		if callee := a.pkg.Callee(&asked.Call); callee != nil && flow.IsBool(cond.Type()) {
			there := a.into(objs, callee, flow.AllArgs(&asked.Call))
			if out := a.outcomeOf(callee, there); a.tests(callee, there) && len(out) == 1 && out[0] != flow.Unknown {
				return (out[0] == flow.True) == is, true
			}
		}
	}
	return false, false
}

// goesOn reports whether the next turn of l begins behind the start of b, and nothing is done before that is seen.
func goesOn(l *flow.Loop, b *ssa.BasicBlock) bool {
	for seen := 0; b != l.Header; seen++ {
		if len(b.Succs) != 1 || seen > len(l.Blocks) || slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			return ok && !isQuiet(call)
		}) {
			return false
		}
		b = b.Succs[0]
	}
	return true
}
