package unboundedsync

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// turns are the reconcilers and the handlers of events of the package.
func (c *checker) turns() (fns []*ssa.Function) {
	for _, f := range c.pkg.Funcs {
		if kube.IsReconcile(flow.Object(f)) {
			fns = append(fns, f)
		}
	}
	for _, h := range controllers.Handlers(c.pkg) {
		fns = slices.Concat(fns, h.Created.Fns, h.Updated.Fns, h.Deleted.Fns)
	}
	return fns
}

// workers are the functions of the package that take something off a work queue, and do what it asks for, and those that are run again and again, by wait.Until
// and its kin.
func (c *checker) workers() (fns []*ssa.Function) {
	for _, f := range c.pkg.Funcs {
		takes := false
		flow.Calls(f, func(call ssa.CallInstruction) {
			kind, _, ok := c.table.Given(flow.Callee(call.Common()))
			takes = takes || ok && kind == blocking.Queue
			if !ok || kind != blocking.Run {
				return
			}
			for _, a := range flow.Args(call.Common()) {
				if own := c.pkg.Own(flow.FuncValue(a)); own != nil {
					fns = append(fns, own)
				}
			}
		})
		if takes {
			fns = append(fns, f)
		}
	}
	return fns
}
