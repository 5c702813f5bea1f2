package lock

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// OfElement reports whether h is the lock of one element of a map or slice, or one that a function gave out, by itself
// or in the object of one key: slow work under the lock of one key is what such locks are for.
func (h Hold) OfElement() bool {
	return strings.Contains(h.Path.Sel, "[") || strings.HasSuffix(h.Path.String(), "()") || h.Class == "" ||
		returnsElement(h.Path.Root, map[*ssa.Function]bool{})
}

// returnsElement reports whether v is a result of a function that returns an element of a map or list, or a new element
// that it adds. Asked are the functions on the recursion stack.
func returnsElement(v ssa.Value, asked map[*ssa.Function]bool) bool {
	call, i := flow.ResultOf(v)
	if call == nil {
		return false
	}
	fn := flow.StaticCallee(&call.Call)
	if fn == nil || asked[fn] {
		return false
	}
	asked[fn] = true
	defer delete(asked, fn)
	found := false
	for ret := range flow.Returns(fn) {
		given, sure := flow.Returned(ret, i)
		if flow.IsNil(given) || ret.Block() == fn.Recover {
			continue
		}
		if !sure || !isElement(given, asked, map[ssa.Value]bool{}) {
			return false
		}
		found = true
	}
	return found
}

// isElement reports whether v is loaded from a map or list, or stored in a map, in its function.
func isElement(v ssa.Value, asked map[*ssa.Function]bool, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return true
	}
	seen[v] = true
	if phi, ok := v.(*ssa.Phi); ok {
		return !slices.ContainsFunc(phi.Edges,
			func(e ssa.Value) bool { return !flow.IsNil(e) && !isElement(e, asked, seen) })
	}
	return strings.Contains(flow.PathOf(v).Sel, "[") || returnsElement(v, asked) ||
		v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			put, ok := r.(*ssa.MapUpdate)
			return ok && put.Value == v
		})
}
