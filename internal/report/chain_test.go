package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/report"
)

func chain(n int) report.Finding {
	f := at(3, 6, 3, 6)
	for i := range n {
		f.Related = append(f.Related, report.Related{Place: report.Place{File: "b.go", Line: i + 1, Column: 2}, Message: fmt.Sprintf("calls f%d", i)})
	}
	return f
}

// A long chain is cut in the middle, and says how much is missing.
func TestLongChain(t *testing.T) {
	text := func(f report.Finding) []string {
		var b strings.Builder
		if err := report.Text(&b, []report.Finding{f}, report.Style{}); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
	}
	if got := text(chain(41)); len(got) != 41 {
		t.Errorf("a chain of 41 places has %d lines, want all", len(got))
	}
	got := text(chain(2036))
	if len(got) != 41 || got[19] != "\tb.go:20:2: calls f19" || got[20] != "\t… 1,996 more calls …" || got[21] != "\tb.go:2017:2: calls f2016" {
		t.Errorf("a chain of 2,036 places has %d lines:\n%s", len(got), strings.Join(got, "\n"))
	}

	var b strings.Builder
	if err := report.GitHub(&b, []report.Finding{chain(2036)}, strings.Clone); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "calls f"); n != 40 || !strings.Contains(b.String(), "%0A… 1,996 more calls …%0A") {
		t.Errorf("an annotation has %d places of the chain:\n%s", n, b.String())
	}
}

// JSON has chains whole, up to the bound.
func TestChainBound(t *testing.T) {
	related := func(n int) []report.Related {
		var b strings.Builder
		if err := report.JSON(&b, []report.Finding{chain(n)}); err != nil {
			t.Fatal(err)
		}
		var f report.Finding
		if err := json.Unmarshal([]byte(b.String()), &f); err != nil {
			t.Fatal(err)
		}
		return f.Related
	}
	if got := related(report.MaxRelated); len(got) != report.MaxRelated {
		t.Errorf("%d places, want %d", len(got), report.MaxRelated)
	}
	got := related(3 * report.MaxRelated)
	if mid := report.MaxRelated / 2; len(got) != report.MaxRelated+1 || got[mid].Message != "… 2,000 more calls …" || got[mid].Line != mid+1 || got[mid+1].Message != "calls f2500" {
		t.Errorf("%d places, in the middle %+v", len(got), got[len(got)/2])
	}
}
