// Package paths answers which paths through a function are feasible, and what is true on them.
//
//   - [Feasible] is the part of a control-flow graph that is left under an [Assumption], flow-sensitive;
//   - [Exploration] follows feasible paths one by one, path-sensitive: a condition that is tested twice has one outcome;
//   - [Facts] are the truths that the path condition of a block implies;
//   - [Conditions] are path conditions over the parameters of the function, which callers decide ([Condition.Bind]);
//   - [Interpreter] follows paths with any other state.
//
// The truth of a value is a [flow.Truth]. True says that a slice or a string is empty, and that anything else but a
// bool is nil or zero.
package paths

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// alone returns the truth of v by its own instruction.
func alone(v ssa.Value) flow.Truth {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return flow.TruthOf(v.IsNil())
		}
		if v.Value.Kind() == constant.Bool {
			return flow.TruthOf(constant.BoolVal(v.Value))
		}
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan, *ssa.Function:
		return flow.False // not nil
	case *ssa.Call:
		// A known body is evaluated by Calls.
		fn := flow.StaticCallee(&v.Call)
		if (fn == nil || len(fn.Blocks) == 0) && kubeapi.MakesError(flow.Callee(&v.Call)) {
			return flow.False
		}
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL && flow.IsError(v.Type()) && isSentinel(g) {
			return flow.False
		}
	}
	return flow.Unknown
}

// isSentinel reports whether the package variable g is a sentinel error: one made in its declaration, or another
// package's.
func isSentinel(g *ssa.Global) bool {
	if init := flow.Initial(g); init != nil {
		return isMade(init)
	}
	return g.Pkg == nil || g.Pkg.Func("init") == nil || len(g.Pkg.Func("init").Blocks) == 0
}

// isMade reports whether the error v, the initial value of a variable, is never nil.
func isMade(v ssa.Value) bool {
	if alone(v) == flow.False {
		return true
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if wraps(call) {
		return isMade(call.Call.Args[0])
	}
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	return slices.Equal(ResultsOf(fn), []flow.Truth{flow.False})
}

// wraps reports whether call returns an error that is nil exactly if its first argument is, by the function's name: its
// body is unknown.
func wraps(call *ssa.Call) bool {
	fn := flow.StaticCallee(&call.Call)
	return (fn == nil || fn.Blocks == nil) && kubeapi.WrapsError(flow.Callee(&call.Call))
}

// A part is an operand that determines a value, and is determined by it.
type part struct {
	of   ssa.Value
	same bool // whether they have the same truth, or opposite ones
	// only is the one truth of the part that the value can imply, Unknown if it can imply both: a number above 0 is not
	// 0, and any other is 0 or below. The other truth of the part implies the value.
	only flow.Truth
}

// partOf returns the part of v, false if it has none.
func partOf(v ssa.Value) (p part, ok bool) {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return part{of: v.X, same: true}, true
	case *ssa.ChangeType:
		return part{of: v.X, same: true}, true
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return part{of: v.X}, true
		}
	case *ssa.Call:
		if wraps(v) {
			return part{of: v.Call.Args[0], same: true}, true
		}
	case *ssa.BinOp:
		if x, isNil, ok := flow.NilTest(v); ok {
			p = part{of: x, same: isNil}
			if _, slice := x.Type().Underlying().(*types.Slice); slice { // what is known of it is whether it is empty
				p.only = flow.True
			}
			return p, true
		}
		return emptyTest(v)
	}
	return part{}, false
}

// emptyTest returns the part of a comparison of a length, or of a number, with a constant.
func emptyTest(cmp *ssa.BinOp) (p part, ok bool) {
	x, n, op := cmp.X, cmp.Y, cmp.Op
	if _, left := x.(*ssa.Const); left {
		x, n, op = n, x, mirrored(op)
	}
	c, ok := n.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return part{}, false
	}
	b, ok := x.Type().Underlying().(*types.Basic)
	natural := ok && b.Info()&types.IsUnsigned != 0
	p.of = x
	if list := lengthOf(x); list != nil {
		natural = true
		switch list.Type().Underlying().(type) {
		case *types.Map, *types.Chan: // which fill up while the value stays the same
		default:
			p.of = list
		}
	}
	if ops := []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}; !slices.Contains(ops, op) {
		return part{}, false
	}
	p.same = constant.Compare(constant.MakeInt64(0), op, c.Value)
	switch zero, one := flow.IsZeroInt(c), c.Value.ExactString() == "1"; {
	case zero && (op == token.EQL || op == token.NEQ):
	case natural && zero && (op == token.LEQ || op == token.GTR), natural && one && (op == token.LSS || op == token.GEQ):
	default:
		p.only = flow.False // not 0
	}
	return p, true
}

// lengthOf returns the value that v is the length of; nil for other values.
func lengthOf(v ssa.Value) ssa.Value {
	if call, ok := v.(*ssa.Call); ok {
		if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return call.Call.Args[0]
		}
	}
	return nil
}

// mirrored returns the comparison with its sides exchanged.
func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// says returns the truth of the part of a value with the truth t.
func (p part) says(t flow.Truth) flow.Truth {
	if t = p.apply(t); p.only != flow.Unknown && t != p.only {
		return flow.Unknown
	}
	return t
}

// tells returns the truth of the value whose part has the truth t.
func (p part) tells(t flow.Truth) flow.Truth {
	if p.only != flow.Unknown && t == p.only {
		return flow.Unknown
	}
	return p.apply(t)
}

func (p part) apply(t flow.Truth) flow.Truth {
	if p.same {
		return t
	}
	return t.Not()
}
