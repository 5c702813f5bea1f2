package unboundedsync

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// toldOnce reports the waits of what a sync.Once runs whose failure is kept in a variable of fn, which calls the Once: only the first caller has it,
// and all later ones take the wait for a success.
func (c *checker) toldOnce(fn *ssa.Function) {
	flow.Calls(fn, func(do ssa.CallInstruction) {
		if !(kube.Symbol{Pkg: "sync", Recv: "Once", Name: "Do"}).Is(flow.Callee(do.Common())) {
			return
		}
		run, ok := flow.Unwrap(flow.Args(do.Common())[0]).(*ssa.MakeClosure)
		if !ok || !c.wanted(flow.Pos(do)) {
			return
		}
		body := run.Fn.(*ssa.Function)
		for i, v := range run.Bindings {
			kept, ok := v.(*ssa.Alloc)
			if !ok || kept.Parent() != fn || i >= len(body.FreeVars) || !flow.IsError(kept.Type().Underlying().(*types.Pointer).Elem()) {
				continue
			}
			wait, store := c.waitBefore(body, body.FreeVars[i])
			if wait == nil || !givenByReturn(fn, kept) || !c.stopped && !c.failsForOne(wait, fn) {
				continue
			}
			rule.Report(c.pass, rule.Finding{
				Pos: flow.Pos(store), Sub: "ignoredresult", Site: "once-error",
				Message: fmt.Sprintf("only the caller of %s that runs the Once is told that %s has failed: the variable is that caller's own, and for all later ones the caches have synced; keep the error beside the Once",
					flow.FuncName(fn), c.spelled(wait, flow.Callee(wait.Common()))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(wait), Message: "waits here"}, {Pos: flow.Pos(do), Message: "runs once"}},
			})
			return
		}
	})
}

// waitBefore is a wait of body whose end decides about a store to the variable v of the function around, and that store.
func (c *checker) waitBefore(body *ssa.Function, v *ssa.FreeVar) (wait ssa.CallInstruction, at *ssa.Store) {
	for _, r := range *v.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(v) || flow.IsNil(st.Val) {
			continue
		}
		flow.Calls(body, func(call ssa.CallInstruction) {
			if wait == nil && len(c.waits(call)) > 0 && flow.Dominates(call, st) {
				wait, at = call, st
			}
		})
	}
	return wait, at
}

// failsForOne reports whether the wait of at, which is over for all callers of fn where it is for one, may fail for that one alone: after a time, or with what this
// caller gave to end it. What else ends it ends with an object or the process, and so do the later callers.
func (c *checker) failsForOne(at ssa.CallInstruction, fn *ssa.Function) bool {
	return slices.ContainsFunc(c.waits(at), func(w wait) bool {
		end := c.endOfWait(at, w)
		return end.Limit == blocking.Deadline || end.Limit == blocking.Parameter && end.Param.Parent() == fn
	})
}

// givenByReturn reports whether fn returns what is in its variable v.
func givenByReturn(fn *ssa.Function, v *ssa.Alloc) bool {
	for ret := range flow.Returns(fn) {
		for _, res := range ret.Results {
			if load, ok := res.(*ssa.UnOp); ok && load.X == ssa.Value(v) {
				return true
			}
		}
	}
	return false
}
