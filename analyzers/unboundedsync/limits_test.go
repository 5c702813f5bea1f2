package unboundedsync

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// A context is followed through any number of functions that return it.
func TestDepth(t *testing.T) {
	for n, want := range map[int]blocking.Limit{1: blocking.Never, 9: blocking.Never, 100: blocking.Never} {
		src := "package src\n\nimport \"context\"\n\nfunc wait(context.Context)\n\nfunc f() { wait(f1()) }\n" +
			ssatest.Chain(n, "() context.Context", "", "return context.Background()")
		c := newChecker(link.NewUnit[Part](ssatest.Pass(t, src)))
		call := ssatest.Calls(c.pkg.Func("f"), "wait")[0]
		if got := c.bounds.Of(call.Args[0], call.Args[0].(ssa.Instruction)).Limit; got != want {
			t.Errorf("%d calls: limit %d, want %d", n, got, want)
		}
	}
}

// A summary holds one wait for each parameter that ends it, however many there are.
func TestWaits(t *testing.T) {
	if err := rule.Active.Blocks.Set("example.com/src.wait"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rule.Active.Blocks = nil })
	for _, n := range []int{1, 9, 50} {
		var params, body strings.Builder
		for i := range n {
			fmt.Fprintf(&params, "c%d, ", i)
			fmt.Fprintf(&body, "wait(c%d)\nwait(c%d)\n", i, i)
		}
		c := newChecker(link.NewUnit[Part](ssatest.Pass(t, "package src\n\nimport \"context\"\n\nfunc wait(context.Context)\n\nfunc f("+
			strings.TrimSuffix(params.String(), ", ")+" context.Context) {\n"+body.String()+"}\n")))
		if got := len(c.summary(c.pkg.Func("f"))); got != n {
			t.Errorf("%d parameters: %d waits are kept", n, got)
		}
	}
}
