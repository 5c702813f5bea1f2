package startctx

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Deaf is the fact of a function of a dependency that goes on forever and never looks at the context or stop channel that it is given.
type Deaf struct {
	Param int     // its index in ssa.Function.Params
	Text  string  // how it goes on
	At    link.At // where
}

// AFact marks Deaf as a fact.
func (*Deaf) AFact() {}

// String is for the tests of facts.
func (d *Deaf) String() string {
	return fmt.Sprintf("ignores p%d, and %s at %s", d.Param, d.Text, d.At)
}

// exportDeaf tells importing packages of the functions that go on forever and have one parameter that could stop them, which
// they never look at.
func (c *checker) exportDeaf() {
	if !rule.IsDependency(c.pass) {
		return // there, who wrote it is told
	}
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		stop := -1
		for i, p := range fn.Params {
			if carriesStop(p.Type()) {
				if stop >= 0 || kube.BesidesLogs(p) {
					stop = -1
					break
				}
				stop = i
			}
		}
		if stop < 0 {
			continue
		}
		if op := c.first(fn, map[*ssa.Function]bool{}, c.endlessly); op != nil && !givenBy(op) && !c.stoppedOtherwise(fn, op) {
			c.pass.ExportObjectFact(obj, &Deaf{stop, op.text, link.AtOf(c.pass, op.pos)})
		}
	}
}

// givenBy reports whether the caller has what op waits for, and so may end it: it was passed, or is in an exported field.
func givenBy(op *operation) bool {
	return slices.ContainsFunc(op.on, func(v ssa.Value) bool {
		p := flow.PathOf(v)
		param, ok := p.Root.(*ssa.Parameter)
		if !ok {
			return false
		}
		own := param.Parent().Signature.Recv() != nil && param == param.Parent().Params[0]
		return !own || slices.ContainsFunc(p.Steps(), func(s flow.Step) bool { return s.Field != nil && s.Field.Exported() })
	})
}

// endlessly is the clause for what never ends by itself, as long as a component: it runs or serves until it is told to stop.
func (c *checker) endlessly(in ssa.Instruction) (text string, on []ssa.Value) {
	switch in := in.(type) {
	case *ssa.Select:
		if in.Blocking && len(in.States) == 0 {
			return "the select has no case", nil
		}
	case *ssa.Call:
		w, ok := c.table.Call(&in.Call)
		if _, serves := c.serveOf(&in.Call); serves || ok && w.Kind == blocking.Run {
			return c.blockingCall(in)
		}
	}
	return "", nil
}

// besides reports whether fn is a literal that runs on a goroutine of its own.
func besides(fn *ssa.Function) bool {
	mc := flow.ClosureSite(fn)
	return inGroup(fn) || mc != nil && slices.ContainsFunc(*mc.Referrers(), func(r ssa.Instruction) bool {
		_, spawned := r.(*ssa.Go)
		return spawned
	})
}

// inGroup reports whether fn is a literal that is given to a group to run, for which others wait.
func inGroup(fn *ssa.Function) bool {
	mc := flow.ClosureSite(fn)
	return mc != nil && slices.ContainsFunc(*mc.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(*ssa.Call)
		return ok && blocking.StartsMember(flow.Callee(&call.Call))
	})
}

// deafCalls reports the calls of such functions of dependencies with something that ends, where the caller waits for that.
func (c *checker) deafCalls() {
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			call, ok := at.(*ssa.Call)
			if !ok {
				return
			}
			callee := flow.StaticCallee(&call.Call)
			if callee == nil || c.pkg.Own(callee) != nil {
				return
			}
			var d Deaf
			obj := flow.Object(callee)
			if obj == nil || !c.pass.ImportObjectFact(obj, &d) || besides(fn) {
				return
			}
			stop := flow.AllArgs(&call.Call)[d.Param]
			if c.bounds.Of(stop, call).Limit == blocking.Never {
				return
			}
			asks := "stop channel"
			if kube.IsContext(stop.Type()) {
				asks = "context"
			}
			c.report(rule.Finding{
				Pos: flow.Pos(call), Sub: "ignored", Site: "deaf-callee",
				Message: fmt.Sprintf("%s ignores the %s that it is given, and %s (%s): %s does not end when it is asked to stop",
					c.called(call), asks, d.Text, d.At, flow.FuncName(fn)),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "goes on forever at " + d.At.String()}},
			})
		})
	}
}
