package sharing

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// fillsNil reports whether in, which writes val, puts an empty map where it has found none: readers cannot tell them apart. What is put
// into that map is another write.
func fillsNil(in ssa.Instruction, val ssa.Value) bool {
	made, ok := flow.Unwrap(val).(*ssa.MakeMap)
	if !ok {
		return false
	}
	for _, r := range *made.Referrers() {
		if _, ok := r.(*ssa.MapUpdate); ok {
			return false
		}
	}
	for test, truth := range flow.Decided(in.Block()) {
		if x, empty := emptyTest(test.Cond); x != nil && truth == empty && reads(x, in) {
			return true
		}
	}
	return false
}

// emptyTest is what cond compares with nil, or its length with zero, and how cond is where there is nothing in it; nil for other tests.
func emptyTest(cond ssa.Value) (x ssa.Value, empty flow.Truth) {
	b, ok := cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return nil, flow.Either
	}
	empty = flow.Yes
	if b.Op == token.NEQ {
		empty = flow.No
	}
	if flow.IsNil(b.Y) {
		return b.X, empty
	}
	call, ok := b.X.(*ssa.Call)
	if !ok || !flow.IsZeroInt(b.Y) {
		return nil, flow.Either
	}
	if l, ok := call.Call.Value.(*ssa.Builtin); ok && l.Name() == "len" {
		return call.Call.Args[0], empty
	}
	return nil, flow.Either
}

// reads reports whether x is read from where in writes.
func reads(x ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		load, ok := x.(*ssa.UnOp)
		return ok && load.Op == token.MUL && sameAddr(load.X, in.Addr)
	case ssa.CallInstruction:
		get, ok := x.(*ssa.Call)
		if !ok {
			return false
		}
		getter, setter := flow.Callee(&get.Call), flow.Callee(in.Common())
		return getter != nil && kube.IsGetter(getter) && getter.Name()[len("Get"):] == setter.Name()[len("Set"):] && sameAddr(flow.Recv(&get.Call), flow.Recv(in.Common()))
	}
	return false
}

// sameAddr reports whether both are the same value, or the addresses of the same field.
func sameAddr(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	fx, ok := x.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	fy, ok := y.(*ssa.FieldAddr)
	return ok && fx.Field == fy.Field && sameAddr(fx.X, fy.X)
}
