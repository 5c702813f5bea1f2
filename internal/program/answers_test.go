package program_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctrllint/ctrllint/internal/program"
)

// Whether a node of a graph leads to a marked one is answered the same in whatever order the nodes ask, and as a search
// says that knows of no other one.
func TestAnswers(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(8)
		next := make([][]int, n)
		for range r.IntN(3 * n) {
			i := r.IntN(n)
			next[i] = append(next[i], r.IntN(n))
		}
		marked := r.IntN(n)
		var a program.Answers[int, bool]
		var leads func(i int) bool
		leads = func(i int) bool {
			return a.Ask(i, false, func() bool { return i == marked || slices.ContainsFunc(next[i], leads) })
		}
		for _, i := range r.Perm(n) {
			seen := map[int]bool{i: true}
			for work := []int{i}; len(work) > 0; {
				j := work[len(work)-1]
				work = work[:len(work)-1]
				for _, k := range next[j] {
					if !seen[k] {
						seen[k] = true
						work = append(work, k)
					}
				}
			}
			if got := leads(i); got != seen[marked] {
				t.Fatalf("seed %d: node %d of %v leads to %d: %t, want %t (%v)", seed, i, next, marked, got, seen[marked], slices.Sorted(maps.Keys(seen)))
			}
		}
	}
}

// Each node is asked a few times at most, on cycles, too.
func TestAnswersCost(t *testing.T) {
	const n = 200
	var a program.Answers[int, bool]
	asked := 0
	var leads func(i int) bool
	leads = func(i int) bool {
		return a.Ask(i, false, func() bool {
			asked++
			found := false
			for j := range n { // all lead to all
				found = leads(j) || found
			}
			return found
		})
	}
	for i := range n {
		leads(i)
	}
	if asked > n*n {
		t.Errorf("%d questions for %d nodes", asked, n)
	}
}
