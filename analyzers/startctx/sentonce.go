package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Shared is the fact of a function that lets several goroutines wait for the stop channel which it is given.
type Shared struct {
	Param int // its index in ssa.Function.Params
}

// AFact marks Shared as a fact.
func (*Shared) AFact() {}

// String is for the tests of facts.
func (s *Shared) String() string { return fmt.Sprintf("several goroutines wait for p%d", s.Param) }

// A stopUse is a place where a goroutine waits for a stop channel, and ends when it receives from it.
type stopUse struct {
	at   ssa.Instruction
	many bool // several goroutines do
	// on is the go statement, or the function, that runs as a goroutine of its own and waits there; nil where that is not known.
	on any
}

// sentOnce reports the values that are sent on a stop channel for which several goroutines wait: one of them ends, and the others go on,
// where closing the channel would end them all.
func (c *checker) sentOnce() {
	var sends []*ssa.Send
	for _, fn := range c.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			if s, ok := in.(*ssa.Send); ok && blocking.IsBound(s.Chan.Type()) {
				sends = append(sends, s)
			}
		}
	}
	if !c.sharing(len(sends) > 0) {
		return
	}
	uses := c.stopUses()
	c.exportShared(uses)
	told := map[origin.Group]bool{}
	for _, s := range sends {
		g := c.pkg.Origins().GroupOf(s.Chan)
		if told[g] || !c.bounds.InSight(s.Chan) || c.bounds.Closed(s.Chan) || slices.ContainsFunc(g.Makes(), func(m *ssa.MakeChan) bool { return !flow.IsZeroInt(m.Size) }) {
			continue
		}
		if flow.InLoop(s.Block()) || c.isBaton(g, sends, uses[g]) || slices.ContainsFunc(sends, func(o *ssa.Send) bool {
			return o != s && o.Parent() == s.Parent() && c.pkg.Origins().GroupOf(o.Chan) == g && (flow.Reaches(s, o, nil) || flow.Reaches(o, s, nil))
		}) {
			continue // perhaps one for each
		}
		first, second := c.atOnce(uses[g])
		if first == nil {
			continue
		}
		told[g] = true
		related := []analysis.RelatedInformation{{Pos: flow.Pos(first), Message: "a goroutine waits for it here"}}
		if second != nil {
			related = append(related, analysis.RelatedInformation{Pos: flow.Pos(second), Message: "and another one here"})
		}
		c.report(rule.Finding{
			Pos: flow.Pos(s), Sub: "loop", Site: "single-stop-value",
			Message: fmt.Sprintf("several goroutines wait for %s, and the value that %s sends ends only one of them: the others go on; close the channel",
				nameOf(s), flow.FuncName(s.Parent())),
			Related: related,
		})
	}
}

// isBaton reports whether several functions send to the channel, or one that waits for it does, too: it goes from the one to the other.
func (c *checker) isBaton(g origin.Group, sends []*ssa.Send, uses []stopUse) bool {
	var by *ssa.Function
	for _, s := range sends {
		if c.pkg.Origins().GroupOf(s.Chan) != g {
			continue
		}
		if by != nil && by != s.Parent() || slices.ContainsFunc(uses, func(u stopUse) bool { return u.at.Parent() == s.Parent() && u.on == nil }) {
			return true
		}
		by = s.Parent()
	}
	return false
}

// sharing reports whether it is worth to look for who waits for stop channels: somebody sends on one, or has one as a parameter.
func (c *checker) sharing(sends bool) bool {
	return sends || slices.ContainsFunc(c.pkg.Funcs, func(fn *ssa.Function) bool {
		return fn.Parent() == nil && slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return givenStop(p.Type()) })
	})
}

// givenStop reports whether t is a stop channel that who has it cannot close.
func givenStop(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && ch.Dir() == types.RecvOnly && blocking.IsBound(t)
}

// atOnce are two of the uses that go on at the same time, the second nil where the first is of several; nil where there are none.
func (c *checker) atOnce(uses []stopUse) (first, second ssa.Instruction) {
	for i, u := range uses {
		if u.many {
			return u.at, nil
		}
		for _, o := range uses[:i] {
			if u.on != o.on && c.bothRun(u, o) {
				return o.at, u.at
			}
		}
	}
	return nil, nil
}

// bothRun reports whether both goroutines run where one of them does: the one is started on the way from where the other is, or comes to wait.
func (c *checker) bothRun(u, o stopUse) bool {
	a, b := c.begins(u), c.begins(o)
	return a != nil && b != nil && a.Parent() == b.Parent() && (flow.Reaches(a, b, nil) || flow.Reaches(b, a, nil))
}

// begins is where the goroutine of u is started, or where it comes to wait that is not known to be one of its own; nil where it is started at several places.
func (c *checker) begins(u stopUse) ssa.Instruction {
	switch on := u.on.(type) {
	case *ssa.Go:
		return on
	case *ssa.Function:
		var starts []ssa.Instruction
		for _, call := range c.pkg.Callers(on) {
			starts = append(starts, call)
		}
		if mc := flow.ClosureSite(on); mc != nil && len(starts) == 0 {
			starts = append(starts, mc)
		}
		if len(starts) == 1 {
			return starts[0]
		}
		return nil
	}
	return u.at
}

// stopUses are the places where goroutines wait for the stop channels of the package.
func (c *checker) stopUses() map[origin.Group][]stopUse {
	out := map[origin.Group][]stopUse{}
	add := func(ch ssa.Value, u stopUse) {
		if g := c.pkg.Origins().GroupOf(ch); g.Known() {
			if fn := u.at.Parent(); u.on == nil && (besides(fn) || c.onlySpawned(fn)) {
				u.on = fn
			}
			out[g] = append(out[g], u)
		}
	}
	for _, fn := range c.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.UnOp:
				if in.Op == token.ARROW && blocking.IsBound(in.X.Type()) && blocking.DoneOf(in.X) == nil && !flow.InLoop(in.Block()) {
					add(in.X, stopUse{at: in})
				}
			case *ssa.Select:
				for i, s := range in.States {
					body := flow.CaseOf(in, i)
					if s.Dir == types.RecvOnly && blocking.IsBound(s.Chan.Type()) && blocking.DoneOf(s.Chan) == nil && body != nil && !flow.BlocksFrom(body)[in.Block()] && body != in.Block() {
						add(s.Chan, stopUse{at: in})
					}
				}
			case ssa.CallInstruction:
				c.stopArgs(in, add)
			}
		}
	}
	return out
}

// stopArgs adds the uses of the stop channels that call is given, by functions of other packages.
func (c *checker) stopArgs(call ssa.CallInstruction, add func(ssa.Value, stopUse)) {
	common := call.Common()
	var on any
	if spawn, ok := call.(*ssa.Go); ok {
		on = spawn
	}
	if w, ok := c.table.Call(common); ok && w.Kind == blocking.Run && w.Stop != nil && !kube.IsContext(w.Stop.Type()) {
		add(w.Stop, stopUse{at: call, on: on})
		return
	}
	callee := flow.StaticCallee(common)
	var f Shared
	if callee == nil || c.pkg.Own(callee) != nil || flow.Object(callee) == nil || !c.pass.ImportObjectFact(flow.Object(callee), &f) {
		return
	}
	if args := flow.AllArgs(common); f.Param < len(args) {
		add(args[f.Param], stopUse{at: call, many: true, on: on})
	}
}

// onlySpawned reports whether fn is called in sight, and by go statements alone: nobody waits for it to return.
func (c *checker) onlySpawned(fn *ssa.Function) bool {
	callers := c.pkg.Callers(fn)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(call ssa.CallInstruction) bool {
		_, spawn := call.(*ssa.Go)
		return !spawn
	})
}

// exportShared tells importing packages of the functions that let several goroutines wait for a stop channel which they are given.
func (c *checker) exportShared(uses map[origin.Group][]stopUse) {
	for _, fn := range c.pkg.Funcs {
		obj := flow.Object(fn)
		if obj == nil || fn.Parent() != nil {
			continue
		}
		for i, p := range fn.Params {
			if !givenStop(p.Type()) {
				continue
			}
			if first, _ := c.atOnce(uses[c.pkg.Origins().GroupOf(p)]); first != nil {
				c.pass.ExportObjectFact(obj, &Shared{i})
				break
			}
		}
	}
}

// nameOf is what the code calls the channel that s sends on.
func nameOf(s *ssa.Send) string {
	if name := spell(s.Chan); name != "a channel" {
		return name
	}
	return "this channel"
}
