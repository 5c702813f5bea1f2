package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// MadeOf reports whether v is computed from a value for which is holds: by an operation, a call, or a variable that it is stored in, or a part of which is.
func MadeOf(v ssa.Value, is func(ssa.Value) bool) bool {
	found := false
	Sources(v, func(x ssa.Value) bool {
		found = found || is(x)
		return !found
	})
	return found
}

// Sources gives v, and what it is computed from, to visit: the operands, and of a variable what its function stores in it and in its parts. It goes no further
// from a value for which visit is false.
func Sources(v ssa.Value, visit func(ssa.Value) bool) {
	seen := map[ssa.Value]bool{}
	var walk func(v ssa.Value)
	walk = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if !visit(v) {
			return
		}
		if alloc, ok := v.(*ssa.Alloc); ok {
			for _, stored := range StoredIn(alloc) {
				walk(stored)
			}
			return
		}
		in, ok := v.(ssa.Instruction)
		if !ok {
			return
		}
		for _, op := range in.Operands(nil) {
			if *op != nil {
				walk(*op)
			}
		}
	}
	walk(v)
}

// StoredIn is what the function stores at addr, and in parts of what is there.
func StoredIn(addr ssa.Value) (out []ssa.Value) {
	if addr.Referrers() == nil {
		return nil
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr && !slices.Contains(out, r.Val) {
				out = append(out, r.Val)
			}
		case *ssa.FieldAddr:
			out = append(out, StoredIn(r)...)
		case *ssa.IndexAddr:
			if r.X == addr {
				out = append(out, StoredIn(r)...)
			}
		}
	}
	return out
}
