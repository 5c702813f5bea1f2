// Package ways tells what is so on the ways through one function.
//
// A [Walk] follows each feasible way by itself: a bool or an error that is tested twice has one outcome there. A [View]
// looks at all ways at once, under an assumption: cheaper, and enough to say which blocks are left, and what is returned.
//
// What is known of a value is a [flow.Truth]. Yes is true; of what is no bool, that it is nil, empty or zero. No is the
// opposite.
package ways

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// alone is what v says of itself.
func alone(v ssa.Value) flow.Truth {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return flow.Settled(v.IsNil())
		}
		if v.Value.Kind() == constant.Bool {
			return flow.Settled(constant.BoolVal(v.Value))
		}
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan, *ssa.Function:
		return flow.No // not nil
	case *ssa.Call:
		// What a body in sight gives is another question.
		if fn := flow.StaticCallee(&v.Call); (fn == nil || len(fn.Blocks) == 0) && kube.MakesError(flow.Callee(&v.Call)) {
			return flow.No
		}
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL && flow.IsError(v.Type()) && isSentinel(g) {
			return flow.No
		}
	}
	return flow.Either
}

// isSentinel reports whether the package variable g is an error that others are compared with: it is set where it is
// declared, or another package's.
func isSentinel(g *ssa.Global) bool {
	if init := flow.Initial(g); init != nil {
		return !flow.IsNil(init)
	}
	return g.Pkg == nil || g.Pkg.Func("init") == nil || len(g.Pkg.Func("init").Blocks) == 0
}

// part is a value that v is computed from so simply that to know the one is to know the other: same tells whether they are
// alike or opposite. It is nil where v is none of that kind.
func part(v ssa.Value) (x ssa.Value, same bool) {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return v.X, true
	case *ssa.ChangeType:
		return v.X, true
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return v.X, false
		}
	case *ssa.Call:
		if kube.WrapsError(flow.Callee(&v.Call)) {
			return v.Call.Args[0], true
		}
	case *ssa.BinOp:
		if x, isNil, ok := flow.NilTest(v); ok {
			return x, isNil
		}
		return emptyTest(v)
	}
	return nil, false
}

// emptyTest takes apart a comparison of a length, or of a number, with 0: isEmpty tells whether it holds for none.
func emptyTest(cmp *ssa.BinOp) (x ssa.Value, isEmpty bool) {
	n, ok := cmp.Y.(*ssa.Const)
	if !ok || n.Value == nil || n.Value.Kind() != constant.Int || constant.Sign(n.Value) != 0 {
		return nil, false
	}
	x = cmp.X
	if call, ok := x.(*ssa.Call); ok {
		if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			x = call.Call.Args[0]
		}
	}
	switch cmp.Op {
	case token.EQL, token.LEQ:
		return x, true
	case token.NEQ, token.GTR:
		return x, false
	}
	return nil, false
}

// apply is what is known of a value whose part has the truth t.
func apply(t flow.Truth, same bool) flow.Truth {
	if same {
		return t
	}
	return t.Not()
}
