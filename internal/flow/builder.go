package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// What x/tools' builder of SSA calls the things that it makes. It promises none of these names; TestBuilder holds the
// builder in go.mod to them.

// Argument reports whether addr is a slot of the arguments of a variadic call.
func Argument(addr ssa.Value) bool {
	ix, ok := addr.(*ssa.IndexAddr)
	return ok && WrittenOut(ix.X) == "varargs"
}

// WrittenOut is "slicelit" for the elements of a slice that is written out, "varargs" for the arguments of a variadic
// call, and "" for other values.
func WrittenOut(v ssa.Value) string {
	if arr, ok := v.(*ssa.Alloc); ok && (arr.Comment == "slicelit" || arr.Comment == "varargs") {
		return arr.Comment
	}
	return ""
}

// Joins reports whether phi is the value of a condition with && or ||.
func Joins(phi *ssa.Phi) bool {
	return strings.HasPrefix(phi.Comment, "&&") || strings.HasPrefix(phi.Comment, "||")
}

// RangeHeader returns the header of the range over a slice or an array in which v is the index of the element at
// hand; nil for any other value.
func RangeHeader(v ssa.Value) *ssa.BasicBlock {
	next, ok := v.(*ssa.BinOp)
	if !ok || next.Op != token.ADD {
		return nil
	}
	phi, ok := next.X.(*ssa.Phi)
	if !ok || phi.Comment != "rangeindex" {
		return nil
	}
	return phi.Block()
}

// OfIf reports whether b is where an if statement goes: one of its two sides, or what comes behind them.
func OfIf(b *ssa.BasicBlock) bool { return strings.HasPrefix(b.Comment, "if.") }

// OfCondition reports whether b evaluates a later part of a condition with && or ||.
func OfCondition(b *ssa.BasicBlock) bool { return strings.HasPrefix(b.Comment, "cond.") }

// TestsLoop reports whether b asks whether a loop goes on.
func TestsLoop(b *ssa.BasicBlock) bool { return strings.HasSuffix(b.Comment, ".loop") }

// OfEndless reports whether b, the header of a loop, is that of one without a condition: its body comes first.
func OfEndless(b *ssa.BasicBlock) bool { return b.Comment == "for.body" }

// variable returns the name of the source for v, a variable or what one is at a join, "" where it has none.
func variable(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Alloc:
		if !strings.ContainsAny(v.Comment, " .") && v.Comment != "complit" && v.Comment != "new" {
			return v.Comment
		}
	case *ssa.Phi:
		if !strings.ContainsAny(v.Comment, "&|. ") {
			return v.Comment
		}
	}
	return ""
}
