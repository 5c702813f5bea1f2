package main

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

func TestLevelBy(t *testing.T) {
	of := func(right, weak, wrong int) counts {
		return counts{verdict.Right: right, verdict.Weak: weak, verdict.Wrong: wrong}
	}
	for _, test := range []struct {
		name         string
		ground       string
		tuned, first counts
		want         rule.Level
	}{
		{"never spoke", "", of(0, 0, 0), of(0, 0, 0), rule.Nursery},
		{"one wrong in ten", "", of(0, 0, 0), of(1, 8, 1), rule.Default},
		{"one wrong in nine", "", of(0, 0, 0), of(1, 7, 1), rule.Nursery},
		{"never right", "", of(0, 3, 0), of(0, 9, 0), rule.Nursery},
		{"right on modules, weak when fresh", "", of(1, 0, 0), of(0, 9, 0), rule.Default},
		{"right on modules, unread when fresh", "", of(4, 0, 0), of(0, 0, 0), rule.Nursery},
		{"five right on modules", "", of(5, 3, 0), of(0, 0, 9), rule.Default},
		{"five right on modules, and one wrong", "", of(5, 0, 1), of(0, 0, 9), rule.Nursery},
		{"a seed", "seed", of(0, 0, 0), of(0, 0, 9), rule.Default},
		{"about comments", "comment", of(0, 0, 0), of(0, 0, 0), rule.Default},
		{"opt-in", "opt-in", of(9, 0, 0), of(9, 0, 0), rule.OptIn},
	} {
		if got := levelBy(test.ground, &evidence{tuned: test.tuned, first: test.first}); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
