package program

import "golang.org/x/tools/go/ssa"

// Components are the functions of fns and those that they lead to, callees before their callers, and those that lead to
// each other in one component: the strongly connected components of the graph that callees spans (Tarjan, 1972).
func Components(fns []*ssa.Function, callees func(*ssa.Function) []*ssa.Function) [][]*ssa.Function {
	index, low := map[*ssa.Function]int{}, map[*ssa.Function]int{}
	on := map[*ssa.Function]bool{}
	var stack []*ssa.Function
	var out [][]*ssa.Function
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		index[fn] = len(index) + 1
		low[fn] = index[fn]
		stack, on[fn] = append(stack, fn), true
		for _, callee := range callees(fn) {
			if index[callee] == 0 {
				visit(callee)
				low[fn] = min(low[fn], low[callee])
			} else if on[callee] {
				low[fn] = min(low[fn], index[callee])
			}
		}
		if low[fn] != index[fn] {
			return
		}
		i := len(stack) - 1
		for stack[i] != fn {
			i--
		}
		out = append(out, append([]*ssa.Function(nil), stack[i:]...))
		stack = stack[:i]
		for _, f := range out[len(out)-1] {
			on[f] = false
		}
	}
	for _, fn := range fns {
		if index[fn] == 0 {
			visit(fn)
		}
	}
	return out
}
