package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/analyzers/finalizerorder"
	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	resolved "github.com/ctrllint/ctrllint/internal/program"
)

// TestForms checks that no shape of code costs all rules together more than its size: four times the size may make 1.3
// times as many allocations, and bytes, as that gives. Those that are listed as steep have to be, which shows that the sizes
// are large enough to tell.
func TestForms(t *testing.T) {
	const n, factor, slack = 100, 4, 1.3
	l := newLoader()
	for _, f := range forms() {
		var costs [2]cost
		for i, n := range []int{n, factor * n} {
			pass, err := l.load(f.write(n))
			if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			if costs[i], err = measured(pass, analyzers.All()...); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
		}
		bytes := float64(costs[1].bytes) / float64(costs[0].bytes)
		mallocs := float64(costs[1].mallocs) / float64(costs[0].mallocs)
		switch grows := max(bytes, mallocs) > factor*slack; {
		case grows && steep[f.name] == "":
			t.Errorf("%s: %d times the size makes %.1f times the allocations and %.1f times the bytes", f.name, factor, mallocs, bytes)
		case !grows && steep[f.name] != "":
			t.Errorf("%s is listed as steep, and is not", f.name)
		}
	}
}

// TestLimits checks that what is cut short is counted, and that nothing is before there is need.
func TestLimits(t *testing.T) {
	l := newLoader()
	analysed := func(name string, n int) string {
		i := slices.IndexFunc(forms(), func(f form) bool { return f.name == name })
		pass, err := l.load(forms()[i].write(n))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := measured(pass, lockheld.Analyzer, finalizerorder.Analyzer); err != nil {
			t.Fatal(err)
		}
		return strings.Join(pass.ResultOf[resolved.Analyzer].(*resolved.Lazy).Notes(), "; ")
	}
	for _, test := range []struct {
		form        string
		below, over int
		note        string
	}{
		{"straight/together", 120, 140, "too many locks"},
		{"loops/phis", 5, 70, "too many tests"},
		{"channel/both", 250, 260, "too many places"},
		{"kube/finalizers, one function", 10, 100, "more steps"},
	} {
		if notes := analysed(test.form, test.below); strings.Contains(notes, test.note) {
			t.Errorf("%s: %d are too many: %s", test.form, test.below, notes)
		}
		if notes := analysed(test.form, test.over); !strings.Contains(notes, test.note) {
			t.Errorf("%s: %d are not too many: %s", test.form, test.over, notes)
		}
	}
}
