package program_test

import (
	"slices"
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
		fns, _ := p.FunctionsIn(ssatest.Calls(p.Func(name), "take")[0].Args[0])
		for _, fn := range fns {
			got = append(got, flow.FuncName(fn))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
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
		if fns, all := p.FunctionsIn(call.Args[0]); all && len(fns) == 1 {
			got = flow.FuncName(fns[0])
		}
		if got != want[i] {
			t.Errorf("call %d: %q, want %q", i, got, want[i])
		}
	}
}
