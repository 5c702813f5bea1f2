package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func small() []row {
	return []row{{dag, 0, 1000}, {chain, 0, 1000}, {scc, 10, 1000}, {scc, 100, 1000}, {scc, 333, 1000}}
}

// TestPlanted checks that the analysis finds the bugs that were planted, and nothing else.
func TestPlanted(t *testing.T) {
	l := newLoader()
	for _, r := range small() {
		p := generate(r.shape, r.edges, r.component)
		pass, err := l.load(p)
		if err != nil {
			t.Fatal(err)
		}
		c, err := analyse(pass)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		lines := strings.Split(p.src, "\n")
		for i, line := range lines {
			for mark, sub := range map[string]string{relockMark: "lockheld/relock", blockingMark: "lockheld/blocking"} {
				if strings.HasSuffix(line, mark) {
					want = append(want, at(i+1, sub, lines))
				}
			}
		}
		for _, d := range c.findings {
			got = append(got, at(pass.Fset.Position(d.Pos).Line, d.Category, lines))
		}
		slices.Sort(got)
		slices.Sort(want)
		got = slices.Compact(got) // a lock can be taken again in several ways at one call
		if len(want) != 2*plants || !slices.Equal(got, want) {
			t.Errorf("%s: findings\n\t%s\nwant\n\t%s", r, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}

// TestGrowth checks that the work grows no faster than n log n, up to a constant: four times the calls may make at
// most twice the work that n log n gives; n² would make it 3.3 times. Work is the number of allocations, which the machine and its
// load do not change. A loop that allocates nothing goes unseen here; the times that series prints show it.
func TestGrowth(t *testing.T) {
	const edges, factor = 1000, 4
	l := newLoader()
	mallocs := func(r row) (n, work float64) {
		p := generate(r.shape, r.edges, r.component)
		pass, err := l.load(p)
		if err != nil {
			t.Fatal(err)
		}
		c, err := analyse(pass)
		if err != nil {
			t.Fatal(err)
		}
		return float64(p.edges), float64(c.mallocs)
	}
	for _, r := range small() {
		r.edges = edges
		n1, work1 := mallocs(r)
		r.edges *= factor
		if r.component == edges/degree {
			r.component *= factor // one component, whatever the size
		}
		n2, work2 := mallocs(r)
		growth := work2 / work1 / (n2 * math.Log(n2) / (n1 * math.Log(n1)))
		t.Logf("%s: %.0f calls: %.0f allocations; %.0f calls: %.0f; %.2f of n log n", r, n1, work1, n2, work2, growth)
		if growth > 2 {
			t.Errorf("%s: the work grows %.2f times as fast as n log n", r, growth)
		}
	}
}

// BenchmarkSeries is for profiles: what series measures, one package at a time.
func BenchmarkSeries(b *testing.B) {
	l := newLoader()
	for _, r := range rows() {
		b.Run(fmt.Sprintf("%s/%d", r, r.edges), func(b *testing.B) {
			pass, err := l.load(generate(r.shape, r.edges, r.component))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := analyse(pass); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// at shows a finding by its place in the source.
func at(line int, category string, lines []string) string {
	return fmt.Sprintf("%d: %s: %s", line, category, strings.TrimSpace(lines[line-1]))
}
