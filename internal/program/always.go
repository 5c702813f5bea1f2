package program

// Always computes whether a property holds at a place on all paths to it: a greatest fixpoint over the graph of places
// K and those above them, such as the calls of a function. Each place is visited once.
type Always[K comparable] struct{ known map[K]bool }

// Holds reports whether the property holds at k. Look decides it at one place, or returns the places above. On a
// cycle it holds if it holds on all paths into the cycle.
func (a *Always[K]) Holds(k K, look func(K) (decided, holds bool, above []K)) bool {
	if a.known == nil {
		a.known = map[K]bool{}
	}
	seen := map[K]bool{}
	var ask func(k K) bool
	ask = func(k K) bool {
		if holds, ok := a.known[k]; ok {
			return holds
		}
		if seen[k] {
			return true // unless another path refutes it
		}
		seen[k] = true
		decided, holds, above := look(k)
		if decided {
			a.known[k] = holds
			return holds
		}
		for _, up := range above {
			if !ask(up) {
				a.known[k] = false
				return false
			}
		}
		return true
	}
	if !ask(k) {
		return false
	}
	for k := range seen { // nothing above any of them refutes it
		a.known[k] = true
	}
	return true
}
