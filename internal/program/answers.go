package program

import "math"

// Answers memoises a recursive question about functions: K is the function, and what is asked. The result does not
// depend on the order of questions: on a cycle, a question under way has the answer cut, and results that depend on
// that are forgotten once the head of the cycle is known.
type Answers[K comparable, T any] struct {
	known  map[K]T
	asking map[K]int // the questions under way, by depth
	guess  map[K]int // known answers that depend on one of those: the lowest depth
	lowest int       // the lowest depth that the current question depends on
}

// Ask returns the answer to k, computed by answer if unknown; cut while it is being computed.
func (a *Answers[K, T]) Ask(k K, cut T, answer func() T) T {
	if a.known == nil {
		a.known, a.asking, a.guess, a.lowest = map[K]T{}, map[K]int{}, map[K]int{}, math.MaxInt
	}
	if i, ok := a.asking[k]; ok {
		a.lowest = min(a.lowest, i)
		return cut
	}
	if t, ok := a.known[k]; ok {
		if i, ok := a.guess[k]; ok {
			a.lowest = min(a.lowest, i)
		}
		return t
	}
	i, outer := len(a.asking), a.lowest
	a.asking[k], a.lowest = i, math.MaxInt
	t := answer()
	delete(a.asking, k)
	took := a.lowest
	for other, low := range a.guess { // what depends on k, and is not under way
		if low >= i {
			delete(a.guess, other)
			delete(a.known, other)
		}
	}
	a.known[k] = t
	if took < i {
		a.guess[k] = took
		a.lowest = min(outer, took)
	} else {
		a.lowest = outer
	}
	return t
}
