package report_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/report"
)

func TestGrouped(t *testing.T) {
	at := func(file string, line int, category, cause string) report.Finding {
		return report.Finding{Category: category, Cause: cause, Package: file, Place: report.Place{File: file, Line: line}}
	}
	got := report.Grouped([]report.Finding{
		at("a.go", 1, "x/y", "p/q.Add"), at("a.go", 2, "x/y", "p/q.Add"), at("b.go", 2, "x/y", "p/q.Add"), at("b.go", 3, "x/z", "p/q.Add"),
		at("c.go", 4, "x/y", ""), at("c.go", 5, "x/y", ""), at("d.go", 6, "x/y", "p/q.Add"),
	})
	if len(got) != 5 {
		t.Fatalf("%d findings, want 5: one for the callers of Add in other packages, one for another in the same, one of another category, two without a cause", len(got))
	}
	if r := got[0].Related; len(r) != 2 || r[0].File != "b.go" || r[1].Line != 6 || r[0].Message != "the same for this caller of q.Add" {
		t.Errorf("the first has the places %v, want b.go:2 and d.go:6", r)
	}
	for _, f := range got[1:] {
		if len(f.Related) > 0 {
			t.Errorf("%s:%d has the places %v, want none", f.File, f.Line, f.Related)
		}
	}
}
