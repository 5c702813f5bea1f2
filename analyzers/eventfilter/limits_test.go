package eventfilter

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// many is a function f of a map with format for each number from 0 up to n.
func many(n int, format string) string {
	var b strings.Builder
	b.WriteString("package src\n\nvar x string\n\nfunc f(m map[string]string) {\n")
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String() + "}\n"
}

// A function sets forty keys at most.
func TestKeys(t *testing.T) {
	for n, want := range map[int]int{1: 1, 40: 40, 41: 40} {
		pkg := program.Of(ssatest.Pass(t, many(n, `m["k%d"] = x`)))
		k := &keys{pkg: pkg, memo: map[*ssa.Function][]string{}}
		if got := len(k.set(pkg.Func("f"))); got != want {
			t.Errorf("%d keys: %d are kept, want %d", n, got, want)
		}
		if got := len(k.summary(pkg.Func("f"))); got != want {
			t.Errorf("%d keys: %d are in the summary, want %d", n, got, want)
		}
	}
}

// Callers are told of 24 reads at most.
func TestFactReads(t *testing.T) {
	for n, want := range map[int]int{1: 1, 24: 24, 25: 24} {
		pkg := program.Of(ssatest.Pass(t, many(n, `x = m["k%d"]`)))
		r := &reader{pkg: pkg, memo: map[*ssa.Function][]paramRead{}, objects: map[*ssa.Function][]objectRead{}}
		if got := len(r.summary(pkg.Func("f"))); got != want {
			t.Errorf("%d reads: %d are kept, want %d", n, got, want)
		}
	}
}
