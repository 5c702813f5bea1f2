package program

// Always answers a question that holds at a place if it holds at all places above it, such as the calls of a function:
// does something stand in front of it on every way there? K is the place. Each place is looked at once.
type Always[K comparable] struct{ known map[K]bool }

// Holds reports whether it holds at k. Look says of one place whether that is decided there, and how, or else which
// places are above it. On a cycle it holds where it does on all ways into the cycle.
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
			return true // unless another way says no
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
	for k := range seen { // nothing above any of them says no
		a.known[k] = true
	}
	return true
}
