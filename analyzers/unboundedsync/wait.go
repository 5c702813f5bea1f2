package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A wait is one way in which a call waits until something that it is given fires.
type wait struct {
	given ssa.Value // the context or stop channel, nil for waits that take none
	ParamWait
	pos token.Pos // of the wait itself, where it is in this package
}

// ParamWait says that a function waits until one of its parameters fires. It is part of a fact.
type ParamWait struct {
	Param   int // index in ssa.Function.Params
	Kind    blocking.Kind
	What    string          // the call that waits, as the source spells it
	At      string          // base file name and line of it
	Through string          // the function that makes that call, empty where it is the call itself
	When    paths.Condition // the arguments for which it waits
}

// Waits is the fact of a function that waits until its caller ends it.
type Waits struct{ Params []ParamWait }

// AFact marks Waits as a fact.
func (*Waits) AFact() {}

// String is for the tests of facts. Parameters are p0 and so on, the receiver first.
func (w *Waits) String() string {
	var parts []string
	for _, p := range w.Params {
		s := fmt.Sprintf("waits for %s (%s) until p%d", p.What, p.At, p.Param)
		if p.Through != "" {
			s += " through " + p.Through
		}
		if p.When != (paths.Condition{}) {
			s += " if " + p.When.String()
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// waits are the waits that call makes, itself or through a function whose summary is known.
func (c *checker) waits(call ssa.CallInstruction) []wait {
	com := call.Common()
	if _, spawned := call.(*ssa.Go); spawned {
		return c.handedToGo(call, com)
	}
	if fn := flow.Callee(com); fn != nil {
		if w, ok := c.listed(call, fn, flow.Args(com)); ok {
			return w
		}
	}
	if fn := flow.StaticCallee(com); fn != nil {
		return c.behind(call, fn, flow.Object(fn), flow.AllArgs(com))
	}
	if _, builtin := com.Value.(*ssa.Builtin); builtin {
		return nil
	}
	return c.dynamic(call)
}

// handedToGo are the waits for caches of a function that call runs as a goroutine: it is what comes behind them there that never comes.
func (c *checker) handedToGo(call ssa.CallInstruction, com *ssa.CallCommon) []wait {
	fn := flow.StaticCallee(com)
	if fn == nil || fn.Parent() != nil { // a literal's own calls say so
		return nil
	}
	return slices.DeleteFunc(c.behind(call, fn, flow.Object(fn), flow.AllArgs(com)), func(w wait) bool { return w.Kind != blocking.CacheSync })
}

// listed is the wait that the table knows for fn.
func (c *checker) listed(call ssa.CallInstruction, fn *types.Func, args []ssa.Value) ([]wait, bool) {
	kind, i, ok := c.table.Given(fn)
	if !ok {
		return nil, false
	}
	// A semaphore is often acquired without a bound on purpose, by the function that gives it back; not by one that is
	// given a context.
	if kind != blocking.CacheSync && kind != blocking.Poll && kind != blocking.Declared && (kind != blocking.Acquire || contextOf(call.Parent()) == nil) {
		return nil, true
	}
	w := wait{pos: flow.Pos(call), ParamWait: ParamWait{
		Kind: kind, What: c.spelled(call, fn), At: c.at(flow.Pos(call)),
	}}
	switch {
	case i < 0 && kind == blocking.Declared: // it takes nothing that could stop it, which is no mistake of this call
		return nil, true
	case i < 0:
	case i < len(args) && blocking.IsBound(args[i].Type()):
		w.given = args[i]
	default:
		return nil, true
	}
	if kind == blocking.Poll && (blocking.RunsForEver(args) || blocking.RetriesConflicts(args)) {
		return nil, true
	}
	return []wait{w}, true
}

// behind are the waits of fn, which is called with args (receiver first).
func (c *checker) behind(call ssa.CallInstruction, fn *ssa.Function, obj *types.Func, args []ssa.Value) []wait {
	var params []ParamWait
	if own := c.pkg.Own(fn); own != nil {
		params = c.summary(own)
	} else if obj != nil && obj.Pkg() != c.pkg.Pkg {
		var f Waits
		if c.pass.ImportObjectFact(obj, &f) {
			params = f.Params
		}
	}
	var out []wait
	for _, p := range params {
		if p.Param >= len(args) || args[p.Param] == nil {
			continue
		}
		w := wait{ParamWait: p, given: args[p.Param]}
		var t flow.Truth
		if w.When, t = p.When.Bind(call.Parent(), args); t == flow.False {
			continue
		}
		w.Through = "the function literal"
		if obj != nil {
			w.Through = obj.Name()
		}
		if pos, ok := c.where[p.At]; ok {
			w.pos = pos
		}
		out = append(out, w)
	}
	return out
}

// dynamic are the waits of a call of a function value or an interface method, where all that it may run waits.
func (c *checker) dynamic(call ssa.CallInstruction) []wait {
	com := call.Common()
	targets, _ := c.pkg.Origins().Targets(call)
	var each [][]wait
	for _, t := range targets { // also those of other packages, behind interfaces
		if len(t.Args) > 0 {
			each = append(each, c.behind(call, t.Fn, flow.Object(t.Fn), t.Args))
		}
	}
	if !com.IsInvoke() {
		fns, _ := c.pkg.Origins().FewFuncs(com.Value)
		for _, f := range fns {
			if f.Fn.Pkg != c.pkg.Package && len(fns) <= 3 && !f.Bound {
				obj := flow.Object(f.Fn)
				if obj == nil {
					each = append(each, nil)
				} else if w, ok := c.listed(call, obj, com.Args); ok {
					each = append(each, w)
				} else {
					each = append(each, c.behind(call, f.Fn, obj, com.Args))
				}
			}
		}
	}
	if len(each) == 0 || slices.ContainsFunc(each, func(ws []wait) bool { return len(ws) == 0 }) {
		return nil
	}
	return each[0]
}

// summary are the waits of fn that its caller bounds.
func (c *checker) summary(fn *ssa.Function) []ParamWait {
	if c.summaries == nil {
		c.summarise()
	}
	return c.summaries[fn]
}

// summarise finds the waits of all functions, those of callees first. Of functions that call each other it asks again until
// nothing is new: each time a wait comes one call further around the cycle, and what is found is not lost.
func (c *checker) summarise() {
	c.summaries = map[*ssa.Function][]ParamWait{}
	for _, component := range c.pkg.BottomUp(program.Calls | program.Dispatches | program.Mentions) {
		for again := true; again; {
			again = false
			for _, fn := range component {
				before := len(c.summaries[fn])
				c.summaries[fn] = c.ownWaits(fn)
				again = again || len(c.summaries[fn]) != before
			}
		}
	}
}

// ownWaits are the waits of fn that its caller bounds, by the summaries so far: of those that are alike for a caller, the first
// one, so that there are no more than its parameters and the ways to wait.
func (c *checker) ownWaits(fn *ssa.Function) []ParamWait {
	var out []ParamWait
	guards := paths.ConditionsOf(fn)
	for call := range flow.Calls(inPlace(fn)...) {
		for _, w := range c.waits(call) {
			p := w.ParamWait
			end := c.endOfWait(call, w)
			if end.Limit != blocking.Parameter || end.Param.Parent() != fn || w.Kind == blocking.CacheSync && startsEmpty(call) {
				continue
			}
			p.Param = slices.Index(fn.Params, end.Param)
			if own := guards.At(call.Block()); p.When == (paths.Condition{}) && len(own) > 0 {
				p.When = own[0]
			}
			if !slices.ContainsFunc(out, p.alike) {
				out = append(out, p)
			}
			if w.pos.IsValid() {
				c.where[p.At] = w.pos
			}
		}
	}
	return out
}

func (p ParamWait) alike(o ParamWait) bool {
	return p.Param == o.Param && p.Kind == o.Kind && p.When == o.When
}

// inPlace are fn and the function literals that it runs itself, on its own goroutine.
func inPlace(fn *ssa.Function) []*ssa.Function {
	out := []*ssa.Function{fn}
	for in := range flow.Instrs(fn) {
		if mc, ok := in.(*ssa.MakeClosure); ok && slices.ContainsFunc(*mc.Referrers(), func(r ssa.Instruction) bool { return blocking.RunsAtOnce(r, mc) }) {
			out = append(out, inPlace(mc.Fn.(*ssa.Function))...)
		}
	}
	return out
}

// contextOf is the context that fn takes.
func contextOf(fn *ssa.Function) *ssa.Parameter {
	for _, p := range fn.Params {
		if kubeapi.IsContext(p.Type()) && p.Name() != "_" && p.Name() != "" {
			return p
		}
	}
	return nil
}
