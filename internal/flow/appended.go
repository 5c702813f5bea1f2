package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Appended returns the values that the slice v must hold, if it is built by appending in this function; not ok if it
// may hold others.
func Appended(v ssa.Value) (list []ssa.Value, ok bool) {
	return appended(v, map[*ssa.Phi]*[]ssa.Value{})
}

// appended is Appended; known are the phis that were asked for: nil if they may hold others, and while they are being
// analysed.
func appended(v ssa.Value, known map[*ssa.Phi]*[]ssa.Value) (list []ssa.Value, ok bool) {
	switch x := v.(type) {
	case *ssa.Const:
		return nil, x.Value == nil
	case *ssa.Slice:
		list = Elements(x)
		return list, list != nil
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(x.Call.Args) != 2 {
			return nil, false
		}
		first, ok := appended(x.Call.Args[0], known)
		if !ok {
			return nil, false
		}
		second, ok := appended(x.Call.Args[1], known)
		return append(first[:len(first):len(first)], second...), ok
	case *ssa.Phi: // the intersection over all edges
		if was, ok := known[x]; ok {
			if was == nil {
				return nil, false // a loop
			}
			return *was, true
		}
		known[x] = nil
		for i, e := range x.Edges {
			other, ok := appended(e, known)
			if !ok {
				return nil, false
			}
			if i == 0 {
				list = slices.Clone(other)
				continue
			}
			list = slices.DeleteFunc(list, func(v ssa.Value) bool { return !slices.Contains(other, v) })
		}
		known[x] = &list
		return list, true
	}
	return nil, false
}
