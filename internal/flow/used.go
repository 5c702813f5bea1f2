package flow

import "golang.org/x/tools/go/ssa"

// Used reports whether any instruction reads v; what is there for debuggers does not count.
func Used(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug {
			return true
		}
	}
	return false
}
