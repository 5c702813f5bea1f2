package values

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Made reports whether v is an instruction that makes a new object.
func Made(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeChan, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeSlice:
		return true
	}
	return false
}

// Fresh reports whether v is an object that was made for it: by its function, or by one that calls has and that
// returns only new ones.
func Fresh(v ssa.Value, calls Calls) bool {
	for origin := range From(v).Origins(calls) {
		if !Made(origin) {
			return false
		}
	}
	return true
}

// Escapes reports whether code other than the function of v, and the literals in it, may have the object v: it is
// returned, sent, an argument, or stored elsewhere than in local variables. The methods of v are taken to keep
// nothing, and what lies in v is not v.
func Escapes(v ssa.Value) bool {
	for in, v := range Uses(v) {
		switch in := in.(type) {
		case *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Range, *ssa.UnOp, *ssa.BinOp, *ssa.MakeClosure:
		case *ssa.MapUpdate:
			if in.Map != v {
				return true
			}
		case *ssa.Send:
			if in.Chan != v {
				return true
			}
		case *ssa.Select:
			if slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.SendOnly && s.Send == v }) {
				return true
			}
		default:
			if MethodCall(in, v) == nil {
				return true
			}
		}
	}
	return false
}
