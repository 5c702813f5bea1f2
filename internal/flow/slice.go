package flow

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// IsEmpty reports whether v is a slice of length 0: nil, []string{}, make([]string, 0), x[:0].
func IsEmpty(v ssa.Value) bool {
	switch v := Unwrap(v).(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice:
		return IsZeroInt(v.Len)
	case *ssa.Slice:
		if v.High != nil {
			return IsZeroInt(v.High)
		}
		p, ok := v.X.Type().Underlying().(*types.Pointer)
		if !ok {
			return false
		}
		arr, ok := p.Elem().Underlying().(*types.Array)
		return ok && arr.Len() == 0
	}
	return false
}

// IsZeroInt reports whether v is the constant 0.
func IsZeroInt(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

// IsZero reports whether v is surely the zero value of its type: a constant, or a variable of the function to which,
// and to whose parts, nothing else is stored on the way to v, and whose address goes nowhere.
func IsZero(v ssa.Value) bool { return isZero(v, nil) }

// isZero is IsZero under the assumption that the variables of under are zero: what they are stored from was read before,
// so that only other stores can make a difference.
func isZero(v ssa.Value, under []*ssa.Alloc) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value == nil || slices.Contains([]string{"0", "false", `""`}, v.Value.ExactString())
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			_, ok := e.(*ssa.Phi)
			return ok || !isZero(e, under)
		})
	case *ssa.UnOp:
		alloc, ok := v.X.(*ssa.Alloc)
		return ok && (slices.Contains(under, alloc) || staysZero(alloc, v, append(under, alloc)))
	}
	return false
}

// staysZero reports whether nothing but zeroes is stored to the variable at addr, or to a part of it, before load.
func staysZero(addr ssa.Value, load ssa.Instruction, under []*ssa.Alloc) bool {
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.Store:
			if u.Addr != addr || !isZero(u.Val, under) && Reaches(u, load, nil) {
				return false
			}
		case *ssa.FieldAddr:
			if !staysZero(u, load, under) {
				return false
			}
		case *ssa.UnOp:
		default:
			return false
		}
	}
	return true
}

// Text returns the constant string that v is.
func Text(v ssa.Value) (text string, ok bool) {
	if c, isConst := Resolve(v).(*ssa.Const); isConst && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}
