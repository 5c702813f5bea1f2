package unboundedsync

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// endsWell reports whether s is come to only with an error of what runs until the context ends whose end ch tells, the Start of a Runnable: where that
// context has ended it comes back without one.
func (c *checker) endsWell(s *ssa.Send, ch ssa.Value) bool {
	ctx := blocking.DoneOf(ch)
	if ctx == nil {
		return false
	}
	end := placeOf(flow.Resolve(ctx))
	for test, t := range flow.Decided(s.Block()) {
		x, isNil, ok := flow.NilTest(test.Cond)
		if !ok || t == flow.Either || isNil == (t == flow.Yes) {
			continue
		}
		call, ok := flow.Resolve(x).(*ssa.Call)
		if ok && runs(flow.Callee(&call.Call)) && end.Known() && slices.Contains(c.ancestors(flow.Args(&call.Call)[0], false), end) {
			return true
		}
	}
	return false
}

// runs reports whether fn is the Start of a Runnable, which is given a context.
func runs(fn *types.Func) bool {
	return fn != nil && fn.Name() == "Start" && fn.Signature().Recv() != nil && controllers.IsStart(fn) && kube.IsContext(fn.Signature().Params().At(0).Type())
}
