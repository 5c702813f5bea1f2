package expectttl

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/ssapkg"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// What a handler runs is followed through six calls.
func TestReached(t *testing.T) {
	for n, want := range map[int]bool{0: true, 1: true, 6: true, 7: false} {
		var b strings.Builder
		b.WriteString("package src\n")
		for i := range n {
			fmt.Fprintf(&b, "func f%d(c chan int) { f%d(c) }\n", i, i+1)
		}
		fmt.Fprintf(&b, "func f%d(c chan int) { c <- 1 }\n", n)
		pass := ssatest.Pass(t, b.String())
		pkg := ssapkg.Of(pass)
		got := false
		newCallGraph(pass, pkg).reached(pkg.Func("f0"), func(in ssa.Instruction) {
			_, send := in.(*ssa.Send)
			got = got || send
		})
		if got != want {
			t.Errorf("%d calls: got %v, want %v", n, got, want)
		}
	}
}
