package flow

import "golang.org/x/tools/go/ssa"

// Argument reports whether addr is a slot of the arguments of a variadic call.
func Argument(addr ssa.Value) bool {
	ix, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	alloc, ok := ix.X.(*ssa.Alloc)
	return ok && alloc.Comment == "varargs"
}
