package lock

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A comparison of a field with a constant selects a mode of the object. If a function acquires a lock in one mode
// only, and some callers hold the lock and others do not, the mode may distinguish the callers: no path condition
// shows that the holder's object has that mode. Neither does a function that releases and reacquires a lock in one
// mode show that two goroutines execute it at once.

// byMode reports whether the path condition of b compares a field of a parameter with a constant other than the zero
// value, or, with parts, with nil: parts that only some objects have.
func byMode(b *ssa.BasicBlock, parts bool) bool {
	return flow.Any2(flow.PathCondition(b),
		func(test *ssa.If, t flow.Truth) bool { return t != flow.Unknown && comparesMode(test.Cond, parts) })
}

// comparesMode reports whether cond compares a field with a constant that is not a zero value, or with nil where that
// counts.
func comparesMode(cond ssa.Value, parts bool) bool {
	cond, _ = flow.StripNot(cond)
	bin, ok := cond.(*ssa.BinOp)
	if !ok || bin.Op != token.EQL && bin.Op != token.NEQ {
		return false
	}
	mode := func(v ssa.Value) bool {
		k, ok := v.(*ssa.Const)
		if !ok || k.Value == nil {
			return ok && parts && flow.IsNil(k)
		}
		switch k.Value.Kind() {
		case constant.Int:
			return constant.Sign(k.Value) != 0
		case constant.String:
			return constant.StringVal(k.Value) != ""
		}
		return false
	}
	field := func(v ssa.Value) bool {
		p := flow.PathOf(v)
		_, given := p.Root.(*ssa.Parameter)
		return given && p.Sel != ""
	}
	return mode(bin.X) && field(bin.Y) || mode(bin.Y) && field(bin.X)
}

// otherMode reports whether o is an acquisition that hangs on the mode of an object, in a function that others call
// without a lock of the class held.
func (e *engine) otherMode(o *Occurrence, held Class) bool {
	if o.Acquire == nil || !o.Acquire.ByMode {
		return false
	}
	call, ok := o.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := flow.StaticCallee(call.Common())
	if fn == nil {
		return false
	}
	has := func(holds []Hold) bool {
		return slices.ContainsFunc(holds, func(h Hold) bool { return h.Class.same(held) })
	}
	return slices.ContainsFunc(e.origins.Callers(fn), func(c ssa.CallInstruction) bool {
		return c != call && !has(e.heldAt[c]) && !has(e.heldByCallers(c.Parent()))
	})
}
