package sharing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ruletest"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

func TestSummaries(t *testing.T) { ruletest.Run(t, Analyzer, "sharing/...") }

// References that lie in as many structs as people write are followed, and those behind are counted.
func TestNested(t *testing.T) {
	for n, want := range map[int]struct{ summary, notes string }{
		maxNested:     {"r0" + strings.Repeat(".V", maxNested) + " of p0", ""},
		maxNested + 1: {"", "ctrllintsharing: 1 references to what a cache holds lie too deep in others"},
	} {
		src := "package p\ntype T struct{ A int `json:\"a\"` }\ntype S0 = *T\n"
		value := "t"
		for i := range n {
			src += fmt.Sprintf("type S%d struct { V S%d }\n", i+1, i)
			value = fmt.Sprintf("S%d{%s}", i+1, value)
		}
		pass := ssatest.Pass(t, src+fmt.Sprintf("func f(t *T) S%d { return %s }\n", n, value))
		pass.Analyzer = Analyzer
		a := analyse(pass)
		for fn, s := range a.sums {
			if fn.Name() == "f" && s.String() != want.summary {
				t.Errorf("in %d structs: %q, want %q", n, s, want.summary)
			}
		}
		if notes := strings.Join(pass.ResultOf[program.Analyzer].(*program.Lazy).Notes(), "; "); notes != want.notes {
			t.Errorf("in %d structs: %q, want %q", n, notes, want.notes)
		}
	}
}
