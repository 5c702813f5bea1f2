package startctx

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// What blocks is found through any number of calls.
func TestDepth(t *testing.T) {
	for n, want := range map[int]bool{0: true, 1: true, 5: true, 6: true, 100: true} {
		pass := ssatest.Pass(t, "package src\n"+ssatest.Chain(n+1, "(c chan int)", "c", "c <- 1"))
		c := newChecker(pass)
		if got := c.blocks(c.pkg.Func("f1"), map[*ssa.Function]bool{}) != nil; got != want {
			t.Errorf("%d calls: got %v, want %v", n, got, want)
		}
	}
}
