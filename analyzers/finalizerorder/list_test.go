package finalizerorder

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// What f makes of the list that it is given.
func TestChangeOf(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      change
	}{
		{"the list", `func f(l []string) []string { return l }`, unchanged},
		{"nothing", `func f(l []string) []string { return nil }`, empties},
		{"an empty list", `func f(l []string) []string { return []string{} }`, empties},
		{"one more", `func f(l []string) []string { return append(l, "x") }`, grows},
		{"one less", `func f(l []string) []string { return append(l[:1], l[2:]...) }`, shrinks},
		{"a part", `func f(l []string) []string { return l[1:] }`, shrinks},
		{"those that pass a test", `func f(l []string) []string { var out []string; for _, x := range l { if x != "x" { out = append(out, x) } }; return out }`, shrinks},
		{"one more, on one way", `func f(l []string) []string { if len(l) == 0 { l = append(l, "x") }; return l }`, grows},
		{"one more or none", `func f(l []string) []string { if len(l) == 0 { return append(l, "x") }; return l }`, grows},
		{"a list from elsewhere", `var other func() []string; func f(l []string) []string { return other() }`, unknown},
		{"ten steps", `func f(l []string) []string { return append(l` + strings.Repeat("[:]", 9) + `, "x") }`, grows},
		{"any number of steps", `func f(l []string) []string { return append(l` + strings.Repeat("[:]", 12) + `, "x") }`, grows},
	} {
		t.Run(test.name, func(t *testing.T) {
			pass := ssatest.Pass(t, "package src\n"+test.src)
			pkg := program.Of(pass)
			a := &analyzer{pass: pass, pkg: pkg}
			for _, b := range pkg.Func("f").Blocks {
				if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
					if got := a.changeOf(ret.Results[0]); got != test.want {
						t.Errorf("%s: got %d, want %d", test.src, got, test.want)
					}
					return
				}
			}
		})
	}
}
