package controllers

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const functions = `package src

type t struct{}

func (t) m() {}
func one()   {}
func two()   {}
func take(f func()) {}

func maker() func()      { return one }
func either(b bool) func() { if b { return one }; return two }
func ping(b bool) func() { if b { return one }; return pong(b) }
func pong(b bool) func() { return ping(!b) }

func named()           { take(one) }
func literal()         { take(func() {}) }
func method()          { take(t{}.m) }
func variable()        { f := two; take(f) }
func made()            { take(maker()) }
func chosen(b bool)    { take(either(b)) }
func round(b bool)     { take(ping(b)) }
func given(f func())   { take(f) }
`

func TestFunctions(t *testing.T) {
	p := program.Of(ssatest.Pass(t, functions))
	for name, want := range map[string][]string{
		"named": {"one"}, "literal": {"literal"}, "method": {"t.m"}, "variable": {"two"}, "made": {"one"}, "chosen": {"one", "two"}, "round": {"one"}, "given": nil,
	} {
		var got []string
		for _, fn := range Functions(p, ssatest.Calls(p.Func(name), "take")[0].Args[0]) {
			got = append(got, flow.FuncName(fn))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

const lists = `package src

func take(list []int) {}

func written()        { take([]int{1, 2}) }
func none()           { take(nil) }
func appended()       { l := []int{1}; l = append(l, 2); take(l) }
func perhaps(b bool)  { l := []int{1}; if b { l = append(l, 2) }; take(l) }
func looped(n int)    { l := []int{1}; for range n { l = append(l, 2) }; take(l) }
func given(l []int)   { take(append(l, 1)) }
`

func TestElements(t *testing.T) {
	pkg := ssatest.Build(t, lists)
	for name, want := range map[string]int{"written": 2, "none": 0, "appended": 2, "perhaps": 1, "looped": -1, "given": -1} {
		list, ok := Elements(ssatest.Calls(pkg.Func(name), "take")[0].Args[0])
		if got := len(list); !ok && want != -1 || ok && got != want {
			t.Errorf("%s: %d elements, %t, want %d", name, got, ok, want)
		}
	}
}

// Lists that many conditions add to are taken apart in a moment.
func TestElementsCost(t *testing.T) {
	const n = 64
	pkg := ssatest.Build(t, "package src\nfunc take([]int)\nfunc f(b []bool) { l := []int{1}\n"+strings.Repeat("if b[0] { l = append(l, 2) }\n", n)+"take(l) }")
	list, ok := Elements(ssatest.Calls(pkg.Func("f"), "take")[0].Args[0])
	if !ok || len(list) != 1 {
		t.Errorf("%d elements, %t, want 1", len(list), ok)
	}
}

// The only function of a value is known where nothing else can come there.
func TestFunction(t *testing.T) {
	p := program.Of(ssatest.Pass(t, `package src

func take(f func())  {}
func one()           {}
func unseen() func()

func made() func()                     { return one }
func perhaps(b bool) func()            { if b { return nil }; return one }
func mixed(b bool, f func()) func()    { if b { return one }; return f }
func passed(b bool) func()             { if b { return one }; return unseen() }
func several(b bool) func()            { if b { return one }; return several2 }
func several2()                        {}

func f() { take(one); take(made()); take(perhaps(true)); take(mixed(true, nil)); take(passed(true)); take(several(true)); take(unseen()) }
`))
	want := []string{"one", "one", "one", "", "", "", ""}
	for i, call := range ssatest.Calls(p.Func("f"), "take") {
		got := ""
		if fn := Function(p, call.Args[0]); fn != nil {
			got = flow.FuncName(fn)
		}
		if got != want[i] {
			t.Errorf("call %d: %q, want %q", i, got, want[i])
		}
	}
}

// Variables that hold each other hold no conversion.
func TestRunnableFuncCircle(t *testing.T) {
	pkg := ssatest.Build(t, `package src
func f() {
	var a, b func()
	a = b
	b = a
	take(a)
	take(func() { a(); b() })
}
func take(func())
`)
	if conv := RunnableFunc(ssatest.Calls(pkg.Func("f"), "take")[0].Args[0]); conv != nil {
		t.Error(conv)
	}
}
