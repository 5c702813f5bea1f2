package expectttl

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// What a handler runs is followed through six calls.
func TestReached(t *testing.T) {
	for n, want := range map[int]bool{0: true, 1: true, 6: true, 7: false} {
		pass := ssatest.Pass(t, "package src\n"+ssatest.Chain(n+1, "(c chan int)", "c", "c <- 1"))
		pkg := program.Of(pass)
		got := false
		newCallGraph(pass, pkg).reached(pkg.Func("f1"), func(in ssa.Instruction) {
			_, send := in.(*ssa.Send)
			got = got || send
		})
		if got != want {
			t.Errorf("%d calls: got %v, want %v", n, got, want)
		}
	}
}
