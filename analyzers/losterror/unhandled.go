package losterror

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// unhandled reports the requests of fn whose error is asked for its kind, and is lost if it is of none of those kinds.
//
// The exploration assumes that the error is not nil, and that each question for its kind is answered with no. A path
// that returns a nil error and a zero Result, without an instruction that may act on the error, loses it. Paths end at
// what may act on it, at other work, at a repetition of the request, and at another request for the same object, whose
// own error tells of a failure that lasts.
func (c *checker) unhandled(fn *ssa.Function) {
	if !saysOnlySuccess(fn.Signature) || cleansUp(flow.Decl(fn).Name()) {
		return
	}
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		err, written := flow.ErrorOf(call), c.writtenBy(call)
		if err == nil || written == "" || !rule.Wanted(c.pass, call.Pos()) || isCleanup(call) || inRetryLoop(call) {
			continue
		}
		use := useOf(err)
		elsewhere := func(in ssa.Instruction, hands bool) bool { return hands && in.Parent() != fn }
		if len(use.asks) == 0 || flow.Any2(maps.All(use.hands), elsewhere) {
			continue
		}
		if kinds, returns := losing(call, err, use); len(returns) > 0 {
			c.reportUnhandled(call, written, kinds, returns, use)
		}
	}
}

// losing returns the ends of the paths on which err, the error of call, is lost, and the kinds asked for there.
func losing(call *ssa.Call, err ssa.Value, use *errorUse) (kinds []string, returns []*ssa.Return) {
	last := call.Parent().Signature.Results().Len() - 1
	explore := paths.Exploration{
		Visit: func(in ssa.Instruction, k *paths.State) (end bool) {
			other, _ := in.(*ssa.Call)
			if _, asks := use.asks[other]; asks && k.Value(other.Call.Args[0]) == flow.False {
				k.Assume(other, flow.False) // not of that kind, or not nil
			}
			return use.handles(in) || other != nil && isRetry(call, other)
		},
		Return: func(ret *ssa.Return, k *paths.State) {
			returned, sure := flow.Returned(ret, last)
			requeues := last > 0 && lifetime.Requeued(flow.Given(ret, 0)) != flow.False
			if !sure || k.Value(returned) != flow.True || requeues {
				return
			}
			for ask, kind := range use.asks {
				if k.Value(ask) == flow.False {
					kinds, returns = append(kinds, kind), append(returns, ret)
				}
			}
		},
	}
	explore.From(call, map[ssa.Value]flow.Truth{err: flow.False})
	slices.Sort(kinds)
	slices.SortFunc(returns, byPos)
	return slices.Compact(kinds), slices.Compact(returns)
}

// byPos compares the places of instructions.
func byPos[T ssa.Instruction](a, b T) int { return cmp.Compare(a.Pos(), b.Pos()) }

// isRetry reports whether other, which comes after call, does the same once more, or is a request that may make up for
// the failure of call.
func isRetry(call, other *ssa.Call) bool {
	if call == other {
		return true
	}
	first, isRequest := kubeapi.RequestOf(&call.Call)
	second, again := kubeapi.RequestOf(&other.Call)
	if !isRequest || !again {
		fn := flow.Callee(&call.Call)
		return !isRequest && fn != nil && fn == flow.Callee(&other.Call)
	}
	return first.MadeUpBy(second)
}

// isCleanup reports whether call is part of a cleanup: by its name, or as an object is being deleted there.
func isCleanup(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return fn != nil && cleansUp(fn.Name()) || flow.Any2(paths.Facts(call.Block()), func(v ssa.Value, t flow.Truth) bool {
		return t == flow.False && (kubeapi.IsDeletionTime(v) || kubeapi.AsksAlive(v))
	})
}

// cleansUp reports whether a function of that name may be one that cleans up.
func cleansUp(name string) bool {
	return words.Has(name, "delete", "deletes", "deleted", "deletion", "remove", "removes", "cleanup", "clean", "cleaner",
		"finalize", "finalizer", "finalizers", "uninstall", "teardown", "destroy", "prune", "terminate")
}

// inRetryLoop reports whether call lies in a loop whose turns may repeat one request.
func inRetryLoop(call *ssa.Call) bool {
	return slices.ContainsFunc(flow.Loops(call.Parent()), func(l *flow.Loop) bool {
		return l.Blocks[call.Block()] && !l.OverElements()
	})
}

// reportUnhandled reports that the error of call is lost at returns, if it is of none of the kinds.
func (c *checker) reportUnhandled(call *ssa.Call, written string, kinds []string, returns []*ssa.Return, use *errorUse) {
	f := rule.Finding{Pos: call.Pos(), Sub: "unhandled", Site: "dropped-write-error"}
	f.Message = fmt.Sprintf("errors of %s other than %s are dropped here: return them, or the %s is never retried",
		c.nameOf(call), strings.Join(kinds, " and "), written)
	if ret := returns[0]; len(returns) == 1 && use.failed[ret.Block()] {
		if id, ok := c.errorExpr(ret).(*ast.Ident); ok && id.Name == "nil" {
			f.Fixes = c.replacement(call, id)
		}
	}
	for _, ret := range returns {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: ret.Pos(), Message: "nil is returned here"})
	}
	rule.Report(c.pass, f)
}
