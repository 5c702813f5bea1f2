package flow_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// A value is made of what it is computed from, also where that goes through a variable, a part of one, or the arguments of a call.
func TestMadeOf(t *testing.T) {
	p := ssatest.Build(t, `package src
type T struct { a, b string }
func itself(x, y string)  { use(x) }
func added(x, y string)   { use("a" + x) }
func called(x, y string)  { use(text(y, x)) }
func many(x, y string)    { use(all(y, x)) }
func kept(x, y string)    { v := x; later(func() { v = y }); use(v) }
func part(x, y string)    { v := T{a: x}; use(v.a) }
func beside(x, y string)  { v := T{b: x}; later2(&v); use(v.a) }
func chosen(x, y string)  { v := y; if more() { v = x }; use(v) }
func turned(x, y string)  { v := ""; for more() { v += x }; use(v) }
func other(x, y string)   { use("a" + y) }
func test(x, y string)    { v := "a"; if x == "" { v = "b" }; use(v) }
func use(string)
func text(a, b string) string
func all(...string) string
func later(func())
func later2(*T)
func more() bool
`)
	for name, want := range map[string]bool{
		"itself": true, "added": true, "called": true, "many": true, "kept": true, "part": true, "beside": true, "chosen": true, "turned": true, "other": false, "test": false,
	} {
		fn := p.Func(name)
		for _, c := range ssatest.Calls(fn, "use") {
			if got := flow.MadeOf(c.Args[0], func(v ssa.Value) bool { return v == ssa.Value(fn.Params[0]) }); got != want {
				t.Errorf("%s: %t, want %t", name, got, want)
			}
		}
	}
}
