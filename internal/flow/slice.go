package flow

import (
	"go/constant"
	"go/types"

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

// IsZero reports whether c is the zero value of a number, of a string, or of what has no constants, as a pointer.
func IsZero(c *ssa.Const) bool {
	return c.Value == nil || c.Value.Kind() == constant.String && constant.StringVal(c.Value) == "" || IsZeroInt(c)
}

// Text is the constant string that v is.
func Text(v ssa.Value) (text string, ok bool) {
	if c, isConst := Resolve(v).(*ssa.Const); isConst && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}
