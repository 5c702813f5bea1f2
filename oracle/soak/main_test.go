package main

import (
	"strings"
	"testing"
)

// A soak counts what it compares, executes a part, and says where another one can go on; the number of workers makes no
// difference.
func TestSoak(t *testing.T) {
	var outputs []string
	for _, workers := range []int{1, 3} {
		s := soak{runs: 10, workers: workers}
		var out strings.Builder
		if err := s.run(t.Context(), 700, 30, &out); err != nil {
			t.Fatal(err)
		}
		if s.compared != 30 || s.open != 0 || s.real != 3*4 || s.states == 0 || len(s.verdicts) == 0 {
			t.Errorf("%d workers: %d compared, %d open, %d runs, %d states\n%s", workers, s.compared, s.open, s.real, s.states, out.String())
		}
		text := out.String()
		outputs = append(outputs, text[strings.Index(text, "not compared:"):])
	}
	wide := soak{runs: 10, workers: 2, wide: true}
	var out strings.Builder
	if err := wide.run(t.Context(), 700, 20, &out); err != nil {
		t.Fatal(err)
	}
	if wide.compared != 20 || wide.open != 0 || wide.real != 2*4 || wide.states == 0 {
		t.Errorf("wide programs: %d compared, %d open, %d runs, %d states\n%s", wide.compared, wide.open, wide.real, wide.states, out.String())
	}
	if tail := func(s string) string { return s[strings.Index(s, "findings:"):] }; tail(outputs[0]) != tail(outputs[1]) {
		t.Errorf("one worker and three do not agree:\n%s\n%s", outputs[0], outputs[1])
	}
}

// What is not known is open, and printed as a program.
func TestOpen(t *testing.T) {
	s := soak{workers: 1}
	var out strings.Builder
	known := 0
	for seed := uint64(2003540); known == 0 && seed < 2004000; seed += 50 { // one is at 2003556
		results, stop := compareAll(t.Context(), seed, 2, s.generator(), nil)
		s.left, s.verdicts, s.demands, s.blind = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
		s.known, s.shown = map[string]int{}, map[string]int{}
		for range 50 {
			r := <-results
			if r.err != nil {
				t.Fatal(r.err)
			}
			s.add(r, &out)
		}
		stop()
		known = s.open
	}
	if s.open == 0 || !strings.Contains(out.String(), "as small as it gets:\n// Package program") {
		t.Errorf("%d open:\n%s", s.open, out.String())
	}
}
