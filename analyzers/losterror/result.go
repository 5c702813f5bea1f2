package losterror

import (
	"cmp"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// droppedResult reports fn if it returns a Result that asks for another run with a nil error, and callers look at the
// Result only where the error is not nil, or, where the Result stands for a failed call, not at all.
//
// Uses are flow-insensitive and judged by their path conditions. A caller is left out unless a path from the call,
// under the assumption that its error is nil, returns a zero Result and a nil error.
func (c *checker) droppedResult(fn *ssa.Function) {
	requeues, failures := requeuesOf(fn)
	if len(requeues) == 0 {
		return
	}
	var callers []*ssa.Call
	for _, site := range c.pkg.Callers(fn) {
		call, ok := site.(*ssa.Call)
		if !ok || !givesResult(call.Parent()) || !rule.Wanted(c.pass, call.Pos()) {
			continue
		}
		err, read := flow.ErrorOf(call), isRead(call)
		drops := !read && len(failures) > 0 || read && isReadOnFailure(flow.ResultAt(call, 0), err)
		if err != nil && drops && forgets(call, err) {
			callers = append(callers, call)
		}
	}
	slices.SortFunc(callers, func(a, b *ssa.Call) int {
		return cmp.Or(cmp.Compare(flow.FuncName(a.Parent()), flow.FuncName(b.Parent())), byPos(a, b))
	})
	if len(callers) > 0 {
		c.reportResult(fn, callers, requeues, failures)
	}
}

// givesResult reports whether fn returns a Result and an error.
func givesResult(fn *ssa.Function) bool {
	return fn.Signature.Results().Len() == 2 && saysOnlySuccess(fn.Signature)
}

// requeuesOf returns the return statements of fn that ask for another run with a nil error, and those among them at
// which a call has failed, so that the Result alone tells of the failure.
func requeuesOf(fn *ssa.Function) (requeues, failures []*ssa.Return) {
	if !givesResult(fn) {
		return nil, nil
	}
	for _, ret := range slices.SortedFunc(flow.Returns(fn), byPos) {
		result, _ := flow.Returned(ret, 0)
		err, sure := flow.Returned(ret, 1)
		if !sure || lifetime.Requeued(result) != flow.True || paths.ValueAt(err, ret.Block()) != flow.True {
			continue
		}
		requeues = append(requeues, ret)
		if call, failed := nearestFailure(ret.Block()); call != nil && !useOf(failed).isHanded() {
			failures = append(failures, ret)
		}
	}
	return requeues, failures
}

// isRead reports whether the Result of call is read.
func isRead(call *ssa.Call) bool {
	result := flow.ResultAt(call, 0)
	return result != nil && len(*result.Referrers()) > 0
}

// isReadOnFailure reports whether result is read only where err, of the same call, is not nil, and not changed there.
func isReadOnFailure(result, err ssa.Value) bool {
	return !flow.Any2(values.Uses(result), func(in ssa.Instruction, _ ssa.Value) bool {
		fa, ok := in.(*ssa.FieldAddr)
		changes := ok && flow.Any(flow.StoresTo(fa), func(*ssa.Store) bool { return true })
		return changes || !flow.Any2(paths.Facts(in.Block()), func(x ssa.Value, t flow.Truth) bool {
			return t == flow.False && flow.Resolve(x) == err
		})
	})
}

// forgets reports whether a path from call, whose error err is nil, returns a zero Result and a nil error.
func forgets(call *ssa.Call, err ssa.Value) (found bool) {
	explore := paths.Exploration{
		Visit: func(ssa.Instruction, *paths.State) bool { return false },
		Return: func(ret *ssa.Return, k *paths.State) {
			returned, sure := flow.Returned(ret, 1)
			found = found || sure && k.Value(returned) == flow.True && lifetime.Requeued(flow.Given(ret, 0)) == flow.False
		},
	}
	explore.From(call, map[ssa.Value]flow.Truth{err: flow.True})
	return found
}

// reportResult reports that callers lose the Result of fn.
func (c *checker) reportResult(fn *ssa.Function, callers []*ssa.Call, requeues, failures []*ssa.Return) {
	f := rule.Finding{Pos: callers[0].Pos(), Sub: "result", Site: "dropped-result"}
	if isRead(callers[0]) {
		f.Message = fmt.Sprintf("the Result of %s is read only when err != nil, so its requeue (line %d) is lost: "+
			"return it when it is not zero", fn.Name(), rule.Line(c.pass, requeues[0].Pos()))
	} else {
		requeues = failures
		f.Message = fmt.Sprintf("%s answers a failure with a requeue and a nil error (line %d), and its Result is dropped "+
			"here: return it", fn.Name(), rule.Line(c.pass, failures[0].Pos()))
	}
	for _, ret := range requeues {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: ret.Pos(), Message: "it asks for another run here"})
	}
	for _, call := range callers[1:] {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: call.Pos(), Message: "this caller drops it, too"})
	}
	rule.Report(c.pass, f)
}
