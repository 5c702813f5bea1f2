package unboundedsync

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// outlives reports a wait that ends with the object that the function belongs to: the caller's own context does not
// end it (othercontext), or, where that is asked for, nothing does that the caller has (lifetime).
func (c *checker) outlives(call ssa.CallInstruction, w wait) bool {
	fn := call.Parent()
	if fn.Parent() != nil {
		return false
	}
	direct := w.Owner == ""
	if direct && !c.ownerEnds(fn, &w) {
		return false
	}
	ctx, given := callerContext(fn)
	if !direct && (starts(fn) || given == nil || w.owner != nil && c.setBy(fn, w.owner)) {
		return false // it is told of where it waits, or at start, which the process ends
	}
	what, bound := w.What, w.Owner
	if w.Through != "" {
		what = fmt.Sprintf("%s (%s, through %s)", w.What, w.At, w.Through)
	}
	finding := rule.Finding{Pos: flow.Pos(call)}
	switch {
	case given != nil && !c.other:
		return false
	case given != nil:
		finding.Sub = "othercontext"
		finding.Message = fmt.Sprintf("%s waits for %s until %s ends, not %s: a caller that gives up is not heard", what, w.Kind.For(), bound, ctx)
		finding.Related = []analysis.RelatedInformation{{Pos: given.Pos(), Message: given.Name() + " is given here"}}
		if w.pos.IsValid() && w.pos != finding.Pos {
			finding.Related = append(finding.Related, analysis.RelatedInformation{Pos: w.pos, Message: "waits here"})
		}
	case c.lifetime && !starts(fn) && ownBound(fn) == nil:
		finding.Sub = "lifetime"
		finding.Message = fmt.Sprintf("%s waits for %s until %s ends, as long as its owner lives: no caller can bound it", what, w.Kind.For(), bound)
	default:
		return false
	}
	rule.Report(c.pass, finding)
	return true
}

// ownerEnds reports whether a field of an object ends the wait w of fn, with which fn has nothing to do, and notes it
// in w.
func (c *checker) ownerEnds(fn *ssa.Function, w *wait) bool {
	if w.Owner != "" { // of a callee: it is the same for fn, unless fn has a context
		_, given := callerContext(fn)
		return given == nil && !starts(fn)
	}
	if w.given == nil {
		return false
	}
	load := boundField(w.given)
	if load == nil || c.setBy(fn, load) {
		return false
	}
	w.Owner, w.owner = flow.PathOf(load).String(), load
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

// callerContext is the context that fn takes, or that of the request that it serves, as the source would spell it, and the
// parameter.
func callerContext(fn *ssa.Function) (string, *ssa.Parameter) {
	if ctx := contextOf(fn); ctx != nil {
		return ctx.Name(), ctx
	}
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil || p.Name() == "_" || p.Name() == "" {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(p.Type(), true, fn.Pkg.Pkg, "Context")
		if m, ok := obj.(*types.Func); ok && m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 1 && kube.IsContext(m.Signature().Results().At(0).Type()) {
			return p.Name() + ".Context()", p
		}
	}
	return "", nil
}

// setBy reports whether fn, or what it runs or starts, has a hand in what ends the wait: it fills the field, closes the
// channel in it, or calls a function that may cancel it. Then its context may well be behind it.
func (c *checker) setBy(fn *ssa.Function, load *ssa.UnOp) bool {
	field := load.X.(*ssa.FieldAddr)
	closers := c.closersOf(c.origins().GroupOf(load))
	for f := range c.reach(fn) {
		if slices.Contains(closers, f) {
			return true
		}
		for _, fa := range flow.FieldStores(f) {
			if g := flow.Field(fa.X.Type(), fa.Field); g != nil && g == flow.Field(field.X.Type(), field.Field) {
				return true
			}
		}
	}
	return false
}

// starts reports whether fn brings its object up: a process that ends is what ends its waits, too.
func starts(fn *ssa.Function) bool {
	name := strings.ToLower(fn.Name())
	return slices.ContainsFunc([]string{"start", "run", "init", "setup", "new", "main"}, func(p string) bool { return strings.HasPrefix(name, p) })
}
