package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// outlives reports a wait that ends with the object that the function belongs to: the caller's own context does not
// end it (othercontext), or, where that is asked for, nothing does that the caller has (lifetime).
func (c *checker) outlives(call ssa.CallInstruction, w wait) bool {
	if w.given == nil {
		return false
	}
	fn := call.Parent()
	load := boundField(w.given)
	if load == nil || fn.Parent() != nil {
		return false
	}
	field := load.X.(*ssa.FieldAddr)
	f := flow.Field(field.X.Type(), field.Field)
	if f == nil || c.setBy(fn, load, field) {
		return false
	}
	what := w.What
	if w.Through != "" {
		what = fmt.Sprintf("%s (%s, through %s)", w.What, w.At, w.Through)
	}
	bound := flow.PathOf(load).String()
	ctx := contextOf(fn)
	finding := rule.Finding{Pos: flow.Pos(call)}
	switch {
	case ctx != nil:
		finding.Sub = "othercontext"
		finding.Message = fmt.Sprintf("%s waits for %s until %s ends, not %s: a caller that gives up is not heard", what, w.Kind.For(), bound, ctx.Name())
		finding.Related = []analysis.RelatedInformation{{Pos: ctx.Pos(), Message: ctx.Name() + " is given here"}}
	case c.lifetime && !starts(fn):
		finding.Sub = "lifetime"
		finding.Message = fmt.Sprintf("%s waits for %s until %s ends, as long as its owner lives: no caller can bound it", what, w.Kind.For(), bound)
	default:
		return false
	}
	rule.Report(c.pass, finding)
	return true
}

// boundField is the load of a field that v, a context or stop channel, is or comes from without a bound of its own.
func boundField(v ssa.Value) *ssa.UnOp {
	for range maxDepth {
		v = flow.Resolve(v)
		switch x := v.(type) {
		case *ssa.UnOp:
			if _, ok := x.X.(*ssa.FieldAddr); ok {
				return x
			}
			return nil
		case *ssa.Call:
			fn := flow.Callee(&x.Call)
			if fn == nil || fn.Name() != "Done" || flow.Recv(&x.Call) == nil || !kube.IsContext(flow.Recv(&x.Call).Type()) {
				return nil
			}
			v = flow.Recv(&x.Call)
		default:
			return nil
		}
	}
	return nil
}

// contextOf is the context that fn takes.
func contextOf(fn *ssa.Function) *ssa.Parameter {
	for _, p := range fn.Params {
		if kube.IsContext(p.Type()) && p.Name() != "_" && p.Name() != "" {
			return p
		}
	}
	return nil
}

// setBy reports whether fn, or what it runs or starts, has a hand in what ends the wait: it fills the field, closes the
// channel in it, or calls a function that may cancel it. Then its context may well be behind it.
func (c *checker) setBy(fn *ssa.Function, load *ssa.UnOp, field *ssa.FieldAddr) bool {
	closers := c.closersOf(c.origins().GroupOf(load))
	for f := range c.reach(fn) {
		if slices.Contains(closers, f) {
			return true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := st.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				if g := flow.Field(fa.X.Type(), fa.Field); g != nil && g == flow.Field(field.X.Type(), field.Field) {
					return true
				}
			}
		}
	}
	return false
}

// starts reports whether fn brings its object up: a process that ends is what ends its waits, too.
func starts(fn *ssa.Function) bool {
	return slices.Contains([]string{"Start", "start", "Run", "run", "Init", "init", "Setup", "setup"}, fn.Name()) || ownBound(fn) != nil && blocking.IsBound(ownBound(fn).Type())
}
