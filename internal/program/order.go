package program

// Components returns the strongly connected components (Tarjan, 1972) of the graph that callees spans from fns, callees
// first.
func Components[N comparable](fns []N, callees func(N) []N) [][]N {
	index, low := map[N]int{}, map[N]int{}
	on := map[N]bool{}
	var stack []N
	var out [][]N
	var visit func(fn N)
	visit = func(fn N) {
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
		out = append(out, append([]N(nil), stack[i:]...))
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
