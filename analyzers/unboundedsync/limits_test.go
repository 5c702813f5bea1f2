package unboundedsync

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// A context is followed through eight functions that return it.
func TestDepth(t *testing.T) {
	for n, want := range map[int]blocking.Limit{1: blocking.Never, 8: blocking.Never, 9: blocking.Unknown} {
		src := "package src\n\nimport \"context\"\n\nfunc wait(context.Context)\n\nfunc f() { wait(f1()) }\n" +
			ssatest.Chain(n, "() context.Context", "", "return context.Background()")
		c := newChecker(ssatest.Pass(t, src))
		call := ssatest.Calls(c.pkg.Func("f"), "wait")[0]
		if got := c.endOf(call.Args[0], call.Args[0].(ssa.Instruction)).Limit; got != want {
			t.Errorf("%d calls: limit %d, want %d", n, got, want)
		}
	}
}

// A summary holds eight waits.
func TestWaits(t *testing.T) {
	if err := rule.Active.Blocks.Set("example.com/src.wait"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rule.Active.Blocks = nil })
	for n, want := range map[int]int{1: 1, 8: 8, 9: 8} {
		c := newChecker(ssatest.Pass(t, "package src\n\nimport \"context\"\n\nfunc wait(context.Context)\n\nfunc f(ctx context.Context) {\n"+
			strings.Repeat("wait(ctx)\n", n)+"}\n"))
		if got := len(c.summary(c.pkg.Func("f"))); got != want {
			t.Errorf("%d waits: %d are kept, want %d", n, got, want)
		}
	}
}
