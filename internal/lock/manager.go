package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A manager ends its Runnables when it ends itself, and the process exits soon after: a sender that waits for a
// Runnable that has returned then blocks no one.

// endsWithManager reports whether ch is closed when the manager ends that runs the function of sel.
func (e *engine) endsWithManager(sel *ssa.Select, ch ssa.Value) bool {
	if ctx := blocking.DoneOf(ch); ctx != nil {
		ch = ctx
	}
	p, ok := flow.Resolve(ch).(*ssa.Parameter)
	return ok && p.Parent() == sel.Parent() && e.isManaged(p.Parent())
}

// isManaged reports whether fn is the Start of a Runnable that the package adds to a manager.
func (e *engine) isManaged(fn *ssa.Function) bool {
	if e.managed == nil {
		e.managed = []*ssa.Function{}
		if kubeapi.ImportsManager(e.pass.Pkg) {
			adds, _ := kubeapi.Runnables(e.pkg)
			for _, a := range adds {
				run := a.Fn
				if m := kubeapi.StartOf(a.What.Type()); run == nil && a.Mgr != nil && m != nil {
					run = e.prog.FuncValue(m)
				}
				if run != nil {
					e.managed = append(e.managed, run)
				}
			}
		}
	}
	return slices.Contains(e.managed, fn)
}
