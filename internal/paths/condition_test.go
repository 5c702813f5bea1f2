package paths_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const guarded = `package src

func on(b bool)        { if b { act() } }
func off(b bool)       { if !b { act() } }
func zero(n int)       { if n == 0 { act() } }
func none(e error)     { if e == nil { act() } }
func some(e error)     { if e != nil { act() } }
func one(x any)        { if x == 1 { act() } }
func both(a, b bool)   { if a { if !b { act() } } }
func other(a, b int)   { if a == b { act() } }
func filled(s []string) { if len(s) > 0 { act() } }
func early(s []string) { if len(s) == 0 { return }; act() }
func least(s []string) { if 1 <= len(s) { act() } }
func void(s []string)  { if len(s) == 0 { act() } }
func two(s []string)   { if len(s) > 1 { act() } }
func later(ready bool, s []string) {
	var rest bool
	if ready {
		if len(s) == 0 { ready = false } else { rest = true }
	}
	if rest { act() }
}
func either(ready bool, s []string) {
	var rest bool
	if ready { rest = true } else if len(s) > 0 { rest = true }
	if rest { act() }
}
func all(ready bool, s []string) { rest := ready && len(s) != 0; if rest { act() } }
func turns(s []string) {
	var rest bool
	for range 3 {
		if rest { act() }
		if len(s) != 0 { rest = true }
	}
}
func act()

type bad struct{}

func (*bad) Error() string { return "" }
`

// TestGuards says for which arguments act is called, and what a caller's arguments make of that: its own guard, yes,
// no or either.
func TestGuards(t *testing.T) {
	for _, test := range []struct{ caller, guard, want string }{
		{"func f() { on(true) }", "p0 == true", "true"},
		{"func f() { on(false) }", "p0 == true", "false"},
		{"func f(b bool) { on(b) }", "p0 == true", "p0 == true"},
		{"func f(n int, b bool) { on(b) }", "p0 == true", "p1 == true"},
		{"func f(n int) { on(n > 1) }", "p0 == true", "unknown"},
		{"func f() { off(true) }", "p0 == false", "false"},
		{"func f() { zero(0) }", "p0 == 0", "true"},
		{"func f() { zero(1) }", "p0 == 0", "false"},
		{"func f() { none(nil) }", "p0 == nil", "true"},
		{"func f() { some(nil) }", "p0 != nil", "false"},
		{"func f() { none(&bad{}) }", "p0 == nil", "false"},
		{"func f() { some(&bad{}) }", "p0 != nil", "true"},
		{"func f(e error) { some(e) }", "p0 != nil", "p0 != nil"},
		// An interface that holds a nil pointer is not nil.
		{"func f() { none((*bad)(nil)) }", "p0 == nil", "false"},
		{"func f(b *bad) { none(b) }", "p0 == nil", "false"},
		{"func f() { one(1) }", "p0 == int(1)", "true"},
		{"func f() { one(int64(1)) }", "p0 == int(1)", "false"},
		{"func f() { one(nil) }", "p0 == int(1)", "false"},
		{"func f() { both(true, true) }", "p1 == false, p0 == true", "false"},
		{"func f() { both(true, false) }", "p1 == false, p0 == true", "true"},
		{"func f() { other(1, 1) }", "", "true"},
		{"func f() { filled(nil) }", "p0 != empty", "false"},
		{"func f() { filled([]string{}) }", "p0 != empty", "false"},
		{`func f() { filled([]string{""}) }`, "p0 != empty", "unknown"},
		{"func f(n int, s []string) { filled(s) }", "p0 != empty", "p1 != empty"},
		{"func f() { early(nil) }", "p0 != empty", "false"},
		{"func f() { least(nil) }", "p0 != empty", "false"},
		{"func f() { void(nil) }", "", "true"},
		{"func f() { two(nil) }", "p0 != empty", "false"},
		{"func f(b bool) { later(b, nil) }", "p1 != empty", "false"},
		{"func f(b bool) { either(b, nil) }", "", "true"},
		{"func f(b bool) { all(b, nil) }", "p1 != empty", "false"},
		{"func f() { turns(nil) }", "", "true"},
	} {
		p := ssatest.Build(t, guarded+test.caller)
		fn := p.Func("f")
		call := callOf(t, fn)
		callee := flow.StaticCallee(call.Common())
		guards := paths.ConditionsOf(callee).At(callOf(t, callee).Block())
		text, got := "", "true"
		for i, g := range guards {
			if i > 0 {
				text += ", "
			}
			text += g.String()
			own, truth := g.Bind(fn, call.Common().Args)
			switch {
			case truth == flow.False:
				got = "false"
			case truth == flow.Unknown:
				got = "unknown"
			case own != paths.Condition{}:
				got = own.String()
			}
		}
		if text != test.guard || got != test.want {
			t.Errorf("%s: with %q %s, want with %q %s", test.caller, text, got, test.guard, test.want)
		}
	}
}

func callOf(t *testing.T, fn *ssa.Function) ssa.CallInstruction {
	t.Helper()
	var found ssa.CallInstruction
	for c := range flow.Calls(fn) {
		found = c
	}
	if found == nil {
		t.Fatalf("%s calls nothing", fn)
	}
	return found
}
