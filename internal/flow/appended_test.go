package flow_test

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const lists = `package src

func take(list []int) {}

func written()        { take([]int{1, 2}) }
func none()           { take(nil) }
func appended()       { l := []int{1}; l = append(l, 2); take(l) }
func perhaps(b bool)  { l := []int{1}; if b { l = append(l, 2) }; take(l) }
func looped(n int)    { l := []int{1}; for range n { l = append(l, 2) }; take(l) }
func given(l []int)   { take(append(l, 1)) }
`

func TestAppended(t *testing.T) {
	pkg := ssatest.Build(t, lists)
	for name, want := range map[string]int{"written": 2, "none": 0, "appended": 2, "perhaps": 1, "looped": -1, "given": -1} {
		list, ok := flow.Appended(ssatest.Calls(pkg.Func(name), "take")[0].Args[0])
		if got := len(list); !ok && want != -1 || ok && got != want {
			t.Errorf("%s: %d elements, %t, want %d", name, got, ok, want)
		}
	}
}

// Lists that many conditions add to are taken apart in a moment.
func TestAppendedCost(t *testing.T) {
	const n = 64
	pkg := ssatest.Build(t, "package src\nfunc take([]int)\nfunc f(b []bool) { l := []int{1}\n"+strings.Repeat("if b[0] { l = append(l, 2) }\n", n)+"take(l) }")
	list, ok := flow.Appended(ssatest.Calls(pkg.Func("f"), "take")[0].Args[0])
	if !ok || len(list) != 1 {
		t.Errorf("%d elements, %t, want 1", len(list), ok)
	}
}
