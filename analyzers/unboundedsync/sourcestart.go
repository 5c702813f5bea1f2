package unboundedsync

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// sourceStart reports a source of events whose Start waits for a cache. A controller calls Start with the context of its
// whole life, one source after the other; the wait belongs into WaitForSync, which gets the one with the timeout.
func (c *checker) sourceStart(fn *ssa.Function) {
	if !kubeapi.IsSourceStart(fn) || !c.wanted(fn.Pos()) {
		return
	}
	ctx := contextOf(fn)
	for at := range flow.Calls(inPlace(fn)...) {
		call, ok := at.(*ssa.Call)
		if !ok {
			continue
		}
		var given ssa.Value
		if getsInformer(call) {
			given = flow.Args(&call.Call)[0]
		} else {
			for _, w := range c.waits(call) {
				if w.Kind == blocking.CacheSync && w.given != nil {
					given = w.given
				}
			}
		}
		if given == nil || ctx == nil {
			continue
		}
		end := c.bounds.Of(given, call)
		if end.Limit != blocking.Parameter || end.Param != ctx {
			continue
		}
		rule.Report(c.pass, rule.Finding{
			Pos: flow.Pos(at), Sub: "neverstops", Site: "source-start-wait",
			Message: fmt.Sprintf("%s waits for a cache without a timeout: the controller fails once its CacheSyncTimeout is over; wait in WaitForSync instead",
				flow.FuncName(fn)),
			Related: []analysis.RelatedInformation{{Pos: ctx.Pos(), Message: ctx.Name() + " lives as long as the controller"}},
		})
	}
}

// getsInformer reports whether call asks a cache of controller-runtime for an informer, which waits until that has synced
// once the cache runs, unless it is told not to.
func getsInformer(call *ssa.Call) bool {
	if !kubeapi.GetsInformer(flow.Callee(&call.Call)) {
		return false
	}
	args := flow.Args(&call.Call)
	if len(args) == 0 || !kubeapi.IsContext(args[0].Type()) {
		return false
	}
	for _, a := range args[1:] {
		if len(flow.Elements(a)) > 0 { // options: BlockUntilSynced may be one
			return false
		}
	}
	return true
}
