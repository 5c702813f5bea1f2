package flow

import "golang.org/x/tools/go/ssa"

// UnloadedPath is the path of the package that stands for all that could not be loaded (package partial).
const UnloadedPath = "unknown.invalid"

// IsUnloaded reports whether v is a value that could not be loaded.
func IsUnloaded(v ssa.Value) bool {
	v = Unwrap(v)
	if a, ok := v.(*ssa.TypeAssert); ok {
		v = Unwrap(a.X)
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	fn := Callee(&c.Call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == UnloadedPath
}

// OnlyAsked reports whether nothing is done with v but to call its methods and to compare it.
func OnlyAsked(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
		case ssa.CallInstruction:
			if Recv(r.Common()) != v {
				return false
			}
		default:
			return false
		}
	}
	return true
}
