package program

import "math"

// Answers are those to a question that a function asks of the functions that it calls, as "does it keep what it is
// given", and so on to any depth. K is the function, and what of it is asked. Each answer is remembered that does not
// hang on who asked first: on a cycle of calls, one that is being asked already gets the answer given for that case,
// and what was found with the help of that is forgotten once the one at the head of the cycle is known.
type Answers[K comparable, T any] struct {
	known  map[K]T
	asking map[K]int // those that are being asked, by how many were before
	guess  map[K]int // known answers that took one of those for granted: the lowest of them
	lowest int       // the lowest of those that the question under way has taken for granted
}

// Ask gives the answer to k, and finds it with answer where it is not known. Cut is what is said of k while it is being
// asked itself.
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
	for other, low := range a.guess { // what took k for granted, and is not asked for any more
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
