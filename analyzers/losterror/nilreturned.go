package losterror

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// nilReturned reports the returns of fn that name an error which is nil there, where the nearest test says that another
// one is not.
//
// The path condition of the return decides both. Paths are followed only for a returned variable that lives in memory,
// as a function literal uses it, too. A wrapper that gives nil for nil is looked through.
func (c *checker) nilReturned(fn *ssa.Function) {
	if flow.ErrorResult(fn.Signature) < 0 {
		return
	}
	for ret := range flow.Returns(fn) {
		call, err := nearestFailure(ret.Block())
		if call == nil || !rule.Wanted(c.pass, ret.Pos()) {
			continue
		}
		if kubeapi.IsResult(flow.Pointee(ret.Results[0].Type())) && lifetime.Requeued(flow.Given(ret, 0)) != flow.False {
			continue
		}
		name, returned := c.namedError(ret)
		if name == nil || values.DependsOn(returned, func(v ssa.Value) bool { return v == err }) {
			continue
		}
		if !useOf(err).isHanded() && isNil(returned, ret, call, err) {
			c.reportNilReturned(ret, call, name, returned)
		}
	}
}

// nearestFailure returns the error that is not nil by the nearest test of the path condition of b, and the call that
// gave it; nil where that tests something else. Questions for its kind that are answered with no are passed over.
func nearestFailure(b *ssa.BasicBlock) (*ssa.Call, ssa.Value) {
	for test, t := range flow.PathCondition(b) {
		cond, is := flow.StripNot(test.Cond)
		if !is {
			t = t.Not()
		}
		asked, ok := cond.(*ssa.Call)
		if ok && t == flow.False {
			_, ok = kubeapi.ErrorKind(&asked.Call)
		}
		if ok || t == flow.Unknown {
			continue
		}
		x, isNil, ok := flow.NilTest(cond)
		if !ok || flow.TruthOf(isNil) == t {
			break
		}
		err := flow.Resolve(x)
		if call, i := flow.ResultOf(err); call != nil && i == flow.ErrorResult(call.Call.Signature()) {
			return call, err
		}
		break
	}
	return nil, nil
}

// namedError returns the variable that ret returns as its error, or wraps in it, and its value; nil for others.
func (c *checker) namedError(ret *ssa.Return) (*ast.Ident, ssa.Value) {
	v, sure := flow.Returned(ret, len(ret.Results)-1)
	expr := c.errorExpr(ret)
	for sure {
		wrap, ok := v.(*ssa.Call)
		made, isCall := expr.(*ast.CallExpr)
		if !ok || !isCall || !kubeapi.WrapsError(flow.Callee(&wrap.Call)) {
			break
		}
		v, expr = wrap.Call.Args[0], ast.Unparen(made.Args[0])
	}
	id, ok := expr.(*ast.Ident)
	if !sure || !ok || id.Name == "nil" {
		return nil, nil
	}
	return id, v
}

// isNil reports whether returned is nil at ret on all paths from call, whose error err is not nil.
func isNil(returned ssa.Value, ret *ssa.Return, call *ssa.Call, err ssa.Value) bool {
	load, ok := returned.(*ssa.UnOp)
	if t := paths.ValueAt(returned, ret.Block()); t != flow.Unknown || !ok {
		return t == flow.True
	} else if _, local := load.X.(*ssa.Alloc); !local {
		return false
	}
	reached, all := false, true
	explore := paths.Exploration{
		Visit: func(ssa.Instruction, *paths.State) bool { return false },
		Return: func(at *ssa.Return, k *paths.State) {
			reached, all = reached || at == ret, all && (at != ret || k.Value(returned) == flow.True)
		},
	}
	return explore.From(call, map[ssa.Value]flow.Truth{err: flow.False}) && reached && all
}

// reportNilReturned reports that ret returns the variable name, which is nil, where call has failed.
func (c *checker) reportNilReturned(ret *ssa.Return, call *ssa.Call, name *ast.Ident, returned ssa.Value) {
	instead := "its error"
	if v := c.assigned(call); v != nil {
		instead = v.Name()
	}
	f := rule.Finding{Pos: ret.Pos(), Sub: "nilreturned", Site: "nil-error-returned"}
	f.Message = fmt.Sprintf("%s is nil here, so nil is returned although %s has failed: return %s",
		name.Name, c.nameOf(call), instead)
	f.Related = []analysis.RelatedInformation{{Pos: call.Pos(), Message: "this call has failed"}}
	if _, never := returned.(*ssa.Const); !never { // else the variable might not be used any more
		f.Fixes = c.replacement(call, name)
	}
	rule.Report(c.pass, f)
}
