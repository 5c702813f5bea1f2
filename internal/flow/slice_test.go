package flow_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// A variable that is stored to itself, as a named result that is returned is, holds what else is stored to it.
func TestIsZero(t *testing.T) {
	pkg := ssatest.Build(t, `package src
type T struct{ n int }
func take(T)
func use(...int)
func made() T
func itself(on bool)  { var x T; if on { x = x; use(x.n) }; take(x) }
func circle()         { var x, y T; for range 3 { x = y; y = x; use(x.n, y.n) }; take(x) }
func other(on bool)   { var x, y T; for range 3 { x = y; y = x; if on { y.n = 1 } }; take(x) }
func called(on bool)  { var x T; if on { x = made() }; x = x; take(x) }
func later(on bool)   { var x T; take(x); x.n = 1 }
`)
	for name, want := range map[string]bool{"itself": true, "circle": true, "other": false, "called": false, "later": true} {
		if got := flow.IsZero(ssatest.Calls(pkg.Func(name), "take")[0].Args[0]); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
