package unboundedsync

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// olderError reports a poll, or a retry, whose error is dropped where the next test is about an older error, which has been found to be nil: it was to be
// given to that variable, and what comes behind goes on as if what was waited for were there.
func (c *checker) olderError(call ssa.CallInstruction) {
	wait, ok := call.(*ssa.Call)
	if !ok || flow.Used(wait) || !flow.IsError(wait.Type()) || !retries(&wait.Call) || !c.wanted(flow.Pos(call)) {
		return
	}
	test := flow.Branch(wait.Block())
	if test == nil || !asksNext(wait, test) {
		return
	}
	old, isNil, ok := flow.NilTest(test.Cond)
	if !ok || isNil || !flow.IsError(old.Type()) || ways.At(old, wait.Block()) != flow.Yes {
		return
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(call), Sub: "ignoredresult", Site: "stale-error",
		Message: fmt.Sprintf("the error of %s is dropped, and the test behind it is about an older one, which is nil here: where it has not come to what it waits for, %s goes on as if it had",
			c.spelled(call, flow.Callee(call.Common())), flow.FuncName(call.Parent())),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "this is never true"}},
	})
}

// retries reports whether call runs a function again and again, and says in an error whether it has succeeded.
func retries(call *ssa.CallCommon) bool {
	s := kube.SymbolOf(flow.Callee(call))
	return s.Recv == "" && (s.Pkg == kube.Wait || s.Pkg == "k8s.io/client-go/util/retry")
}

// asksNext reports whether nothing is called between wait and test, at the end of its block.
func asksNext(wait *ssa.Call, test *ssa.If) bool {
	behind := false
	for _, in := range wait.Block().Instrs {
		if _, calls := in.(ssa.CallInstruction); calls && behind {
			return false
		}
		behind = behind || in == ssa.Instruction(wait)
	}
	return behind && test.Block() == wait.Block()
}
