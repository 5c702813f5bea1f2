package sharing

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// store notes that a value that is sh is put into memory: a variable, a field of a struct that this function has
// made, or a field of what a call gives. Values that are stored elsewhere are not followed.
func (t *tracer) store(in *ssa.Store, sh share, here *step) {
	root, sel := place(in.Addr)
	switch root.(type) {
	case *ssa.Alloc, *ssa.Call:
	case *ssa.Extract:
		if call, _ := flow.ResultOf(root); call == nil {
			return
		}
	default:
		return
	}
	if flow.Argument(in.Addr) {
		t.add(root, sh.inside(sel, in.Val), here)
		return
	}
	switch {
	case !sh.at && sh.within == "" && !sh.ref && sel == "":
		sh.via = max(sh.via, copyKind(in.Val))
	case sh.at && sel != "" && sel != "[]":
		sh.via = InAlias
	}
	t.add(root, sh.inside(sel, in.Val), here)
}

// copyKind distinguishes the copy of an element, which the variable of a range statement is, from other copies of
// structs.
func copyKind(v ssa.Value) Kind {
	switch x := v.(type) {
	case *ssa.Extract:
		if _, ok := x.Tuple.(*ssa.Next); ok {
			return InElement
		}
	case *ssa.UnOp:
		if _, ok := x.X.(*ssa.IndexAddr); ok {
			return InElement
		}
	}
	return InCopy
}

// place returns the variable, or the other value, in whose memory addr lies, and where. Of a variable that a literal
// shares with the function around it, it is that of the outermost one.
func place(addr ssa.Value) (root ssa.Value, sel string) {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr, sel = x.X, "."+fieldName(x.X.Type(), x.Field)+sel
		case *ssa.IndexAddr:
			addr, sel = x.X, "[]"+sel
		case *ssa.FreeVar:
			b := flow.Binding(x)
			if b == nil {
				return x, sel
			}
			addr = b
		default:
			return addr, sel
		}
	}
}
