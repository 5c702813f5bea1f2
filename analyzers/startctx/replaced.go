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
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A root is a runnable or a reconciler.
type root struct {
	fn      *ssa.Function
	name    string
	cannot  string // what cannot stop it, see cannot
	spawned bool   // its goroutines live as long as its context
}

// replaced reports the calls that wait with a context that is never done, in a function that has one which is, and that a runnable or a
// reconciler runs: once a function. A request to a server is none: the answer comes.
func (c *checker) replaced() {
	var roots []root
	for _, r := range c.runnables {
		roots = append(roots, root{r.Fn, r.Name, cannot(r), true})
	}
	for _, fn := range c.pkg.Funcs {
		if kubeapi.IsReconcile(flow.Object(fn)) {
			roots = append(roots, root{fn, flow.FuncName(fn), "the manager cannot", false})
		}
	}
	seen, told := map[*ssa.Function]bool{}, map[token.Pos]bool{}
	for _, r := range roots {
		var visit func(fn *ssa.Function)
		visit = func(fn *ssa.Function) {
			if fn == nil || seen[fn] {
				return
			}
			seen[fn] = true
			var found []rule.Finding
			for call := range flow.Calls(fn) {
				if _, late := call.(*ssa.Defer); late || afterEnd(call) {
					continue // the context has ended, or may have
				}
				if _, spawn := call.(*ssa.Go); spawn && !r.spawned {
					continue
				}
				if f, ok := c.replacedAt(call, fn, r); ok && !told[f.Pos] {
					told[f.Pos] = true
					found = append(found, f)
				}
				visit(c.pkg.Callee(call.Common()))
				for i, a := range flow.Args(call.Common()) {
					if !flow.IsFunc(a) {
						continue
					}
					callee := flow.Callee(call.Common())
					if callee == nil {
						continue
					}
					if slices.Contains(blocking.CalledInPlace(callee), i) || r.spawned && kubeapi.MemberStarters.Has(callee) {
						visit(c.pkg.Own(flow.FuncValue(a)))
					}
				}
			}
			c.reportHabit(found)
		}
		visit(r.fn)
	}
}

// reportHabit reports what a function does in several places as one finding, at the first.
func (c *checker) reportHabit(found []rule.Finding) {
	if len(found) == 0 {
		return
	}
	f := found[0]
	for _, more := range found[1:] {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: more.Pos, Message: "so does this call"})
		if len(f.Fixes) > 0 && len(more.Fixes) > 0 {
			f.Fixes[0].TextEdits = append(f.Fixes[0].TextEdits, more.Fixes[0].TextEdits...)
		}
	}
	switch n := len(found) - 1; n {
	case 0:
	case 1:
		f.Message += " (and 1 more call here)"
	default:
		f.Message += fmt.Sprintf(" (and %d more calls here)", n)
	}
	c.report(f)
}

func (c *checker) replacedAt(call ssa.CallInstruction, fn *ssa.Function, r root) (rule.Finding, bool) {
	common := call.Common()
	ctx := atHand(fn)
	if ctx == nil || c.isBackground(ctx, map[*ssa.Parameter]bool{}) {
		return rule.Finding{}, false // or it ends as little
	}
	for i, a := range flow.AllArgs(common) {
		bg := blocking.Background(a)
		if bg == nil || bg.Parent() != fn {
			continue
		}
		wait := c.waitsWith(call, i)
		if wait.kind == 0 {
			continue
		}
		name := flow.Callee(&bg.Call).Name()
		harm := ", so it does not stop with " + r.name
		if _, spawned := call.(*ssa.Go); !spawned && fn == r.fn && wait.kind == blocking.CacheSync {
			harm = ": while the API server is down, " + r.cannot + " stop " + r.name
		}
		return rule.Finding{
			Pos: flow.Pos(call), Sub: "replaced", Site: "replaced-context",
			Message: fmt.Sprintf("%s%s gets context.%s() instead of %s%s; pass %s",
				c.called(call), wait.via, name, ctx.Name(), harm, ctx.Name()),
			Related: []analysis.RelatedInformation{{Pos: ctx.Pos(), Message: ctx.Name() + " is available here"}},
			Fixes:   blocking.PassOn(c.pass, bg, ctx, "Pass "+ctx.Name()),
		}, true
	}
	return rule.Finding{}, false
}

// atHand is the context that fn, or the function around it, is given and names; nil where there is none.
func atHand(fn *ssa.Function) *ssa.Parameter {
	for ; fn != nil; fn = fn.Parent() {
		for _, p := range fn.Params {
			// SSA gives a name to a parameter that has none.
			if obj, _ := p.Object().(*types.Var); kubeapi.IsContext(p.Type()) && obj != nil && obj.Name() != "" && obj.Name() != "_" {
				return p
			}
		}
	}
	return nil
}

// A contextWait is how a call blocks with a context, zero if it is not known to.
type contextWait struct {
	kind blocking.Kind
	via  string // the call in the callee that does, in brackets; "" if the call itself does
}

// waitsWith is how call blocks with the context that is argument i (the receiver counted).
func (c *checker) waitsWith(in ssa.CallInstruction, i int) contextWait {
	call := in.Common()
	if flow.Callee(call) == nil {
		return contextWait{}
	}
	if w, ok := c.table.Call(call); ok && w.Bound.Limit != blocking.Unknown && (w.Kind != blocking.Poll || !blocking.RetriesConflicts(flow.Args(call))) {
		return contextWait{kind: w.Kind}
	}
	fn := c.pkg.Own(flow.StaticCallee(call))
	if fn == nil || i >= len(fn.Params) {
		return contextWait{}
	}
	return c.waits.Ask(fn.Params[i], contextWait{}, func() contextWait { return c.waitsFor(fn.Params[i]) })
}

// waitsFor is how the function of p waits with it, itself or further on.
func (c *checker) waitsFor(p *ssa.Parameter) (wait contextWait) {
	for inner := range flow.Calls(p.Parent()) {
		for j, a := range flow.AllArgs(inner.Common()) {
			if wait.kind == 0 && blocking.IsBound(a.Type()) && c.derivedFrom(a, p) {
				if wait = c.waitsWith(inner, j); wait.kind != 0 {
					wait.via = fmt.Sprintf(" (%s, line %d)", c.called(inner), c.line(flow.Pos(inner)))
				}
			}
		}
	}
	return wait
}

// derivedFrom reports whether the bound of v is p itself, by other names or with values added.
func (c *checker) derivedFrom(v ssa.Value, p *ssa.Parameter) bool {
	b := c.bounds.Of(v, nil)
	return b.Limit == blocking.Parameter && b.Param == p
}

// afterEnd reports whether in is reached only when a context, or a stop channel, has ended: behind a receive from it,
// in the case of a select that receives from it, or where its Err is not nil. What is done there is to clean up, with a
// context of its own.
func afterEnd(in ssa.Instruction) bool {
	for at := range flow.Instrs(in.Parent()) {
		switch at := at.(type) {
		case *ssa.UnOp:
			if at.Op == token.ARROW && blocking.IsDone(at.X) && flow.Dominates(at, in) {
				return true
			}
		case *ssa.Select:
			for i, s := range at.States {
				if s.Dir != types.RecvOnly || !blocking.IsDone(s.Chan) {
					continue
				}
				if len(at.States) == 1 && at.Blocking && flow.Dominates(at, in) {
					return true
				}
				if body := flow.CaseOf(at, i); body != nil && (body == in.Block() || body.Dominates(in.Block())) && len(body.Preds) == 1 {
					return true
				}
			}
		case *ssa.If:
			if eq, ok := at.Cond.(*ssa.BinOp); ok && kubeapi.EndAsked(eq.X) != nil {
				for _, s := range at.Block().Succs {
					if len(s.Preds) == 1 && s.Dominates(in.Block()) {
						return true
					}
				}
			}
		}
	}
	return false
}
