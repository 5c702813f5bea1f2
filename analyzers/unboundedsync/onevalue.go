package unboundedsync

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// A goroutine that returns for one certain result, as for io.EOF, returns by itself where that result may come. Of a function without a body here, that is
// known where the value is its own package's, or what its kind of function gives by contract.

// unshown is the side of test on which a call has given one certain value, which nothing in sight shows it to give; Either where there is none. Seen are
// the functions that are being looked into.
func (c *checker) unshown(test *ssa.If, seen map[*ssa.Function]bool) flow.Truth {
	cond, is := flow.Positive(test.Cond)
	switch cond := cond.(type) {
	case *ssa.BinOp:
		if side := flow.Equal(cond, flow.Settled(is)); side != flow.Either && (!c.maybe(cond.X, cond.Y, seen) || !c.maybe(cond.Y, cond.X, seen)) {
			return side
		}
	case *ssa.Call:
		if (kube.Symbol{Pkg: "errors", Name: "Is"}).Is(flow.Callee(&cond.Call)) && !c.maybe(cond.Call.Args[0], cond.Call.Args[1], seen) {
			return flow.Settled(is)
		}
	}
	return flow.Either
}

// maybe reports whether v may be the value one; true for all but the result of a call and a value that has a name or is a constant.
func (c *checker) maybe(v, one ssa.Value, seen map[*ssa.Function]bool) bool {
	call, i := flow.ResultOf(v)
	global := sentinel(one)
	_, constant := one.(*ssa.Const)
	if call == nil || global == nil && (!constant || flow.IsNil(one)) {
		return true
	}
	fn := c.pkg.Callee(&call.Call)
	if fn == nil {
		return global == nil || givesError(flow.Callee(&call.Call), global.Pkg.Pkg)
	}
	if seen[fn] {
		return true
	}
	seen[fn] = true
	for ret := range flow.Returns(fn) {
		if r, _ := flow.Returned(ret, i); couldBe(r, one) && !c.comesUnshown(ret, seen) {
			return true
		}
	}
	return false
}

// comesUnshown reports whether control comes to ret only where a call has given what nothing shows it to give.
func (c *checker) comesUnshown(ret *ssa.Return, seen map[*ssa.Function]bool) bool {
	for test, side := range flow.Decided(ret.Block()) {
		if side != flow.Either && c.unshown(test, seen) == side {
			return true
		}
	}
	return false
}

// couldBe reports whether v, which is returned, is one, or not known to be something else.
func couldBe(v, one ssa.Value) bool {
	if g := sentinel(v); g != nil {
		return g == sentinel(one)
	}
	a, isConst := v.(*ssa.Const)
	b, other := one.(*ssa.Const)
	switch {
	case !isConst:
		return true
	case !other || a.Value == nil || b.Value == nil:
		return false
	}
	return constant.Compare(a.Value, token.EQL, b.Value)
}

// sentinel is the package variable that v is read from, nil for other values.
func sentinel(v ssa.Value) *ssa.Global {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	g, _ := load.X.(*ssa.Global)
	return g
}

// givesError reports whether fn, whose body is not in sight, may give an error that the package of has a variable for: its own, one of the standard
// library's, or, where it reads bytes or from a stream, what says that these are at their end.
func givesError(fn *types.Func, of *types.Package) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == of || kube.IsStandard(fn.Pkg().Path()) {
		return true
	}
	sig := fn.Signature()
	for p := range sig.Params().Variables() {
		s, bytes := p.Type().Underlying().(*types.Slice)
		if bytes && types.Identical(s.Elem(), types.Typ[types.Byte]) || kube.Method(p.Type(), "Read") != nil {
			return true
		}
	}
	return sig.Recv() != nil && kube.Method(sig.Recv().Type(), "RecvMsg") != nil
}
