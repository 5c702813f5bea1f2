package unboundedsync

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// sourceStart reports a source of events whose Start waits for a cache. A controller calls Start with the context of its
// whole life, one source after the other; the wait belongs into WaitForSync, which gets the one with the timeout.
func (c *checker) sourceStart(fn *ssa.Function) {
	if !isSourceStart(fn) || !rule.Wanted(c.pass, fn.Pos()) || c.forTests(fn.Pos()) {
		return
	}
	ctx := contextOf(fn)
	for _, f := range inPlace(fn) {
		flow.Calls(f, func(at ssa.CallInstruction) {
			call, ok := at.(*ssa.Call)
			if !ok {
				return
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
				return
			}
			end := c.endOf(given, call)
			if end.Limit != blocking.Parameter || end.Param != ctx {
				return
			}
			rule.Report(c.pass, rule.Finding{
				Pos: flow.Pos(at), Sub: "sourcestart",
				Message: fmt.Sprintf("%s waits for %s in %s, which the controller calls without a timeout: the wait belongs into WaitForSync",
					c.spelled(at, flow.Callee(&call.Call)), blocking.CacheSync.For(), flow.FuncName(fn)),
				Related: []analysis.RelatedInformation{{Pos: ctx.Pos(), Message: ctx.Name() + " lives as long as the controller"}},
			})
		})
	}
}

// isSourceStart reports whether fn is the Start of a source that syncs: a method that takes a context and a work queue,
// of a type that has a WaitForSync, too.
func isSourceStart(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil || fn.Name() != "Start" || fn.Parent() != nil || fn.Signature.Params().Len() < 2 {
		return false
	}
	queue := false
	for p := range fn.Signature.Params().Variables() {
		n := kube.Named(p.Type())
		queue = queue || n != nil && n.Obj().Pkg() != nil && kube.SamePackage(n.Obj().Pkg().Path(), "k8s.io/client-go/util/workqueue")
	}
	obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg.Pkg, "WaitForSync")
	sync, ok := obj.(*types.Func)
	return queue && ok && sync.Signature().Params().Len() == 1 && kube.IsContext(sync.Signature().Params().At(0).Type())
}

// getsInformer reports whether call asks a cache of controller-runtime for an informer, which waits until that has synced
// once the cache runs, unless it is told not to.
func getsInformer(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	s := kube.SymbolOf(fn)
	if s.Pkg != kube.CRCache || !strings.HasPrefix(s.Name, "GetInformer") {
		return false
	}
	args := flow.Args(&call.Call)
	if len(args) == 0 || !kube.IsContext(args[0].Type()) {
		return false
	}
	for _, a := range args[1:] {
		if len(flow.Elements(a)) > 0 { // options: BlockUntilSynced may be one
			return false
		}
	}
	return true
}
