package paths_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const viewPrelude = `package src

import "errors"

func cond() bool
func get() error

var errBad = errors.New("")
var errLast error
func set() { errLast = get() }
`

// TestResults looks at what f(a, b) gives where a is true.
func TestResults(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`func f(a, b bool) bool { return a }`, "[true]"},
		{`func f(a, b bool) bool { return !a }`, "[false]"},
		{`func f(a, b bool) bool { return b }`, "[unknown]"},
		{`func f(a, b bool) bool { return a && b }`, "[unknown]"},
		{`func f(a, b bool) bool { return a || b }`, "[true]"},
		{`func f(a, b bool) bool { c := b; if a { c = false }; return c }`, "[false]"},
		{`func f(a, b bool) bool { if b { return true }; return true }`, "[true]"},
		{`func f(a, b bool) bool { if b { return false }; return true }`, "[unknown]"},
		{`func f(a, b bool) bool { if !a { return false }; return true }`, "[true]"},
		{`func f(a, b bool) bool { if b { return b }; return true }`, "[true]"},
		{`func f(a, b bool) bool { x := false; for cond() { x = a }; return x }`, "[unknown]"},
		{`func f(a, b bool) error { if a { return errBad }; return nil }`, "[false]"},
		{`func f(a, b bool) error { if a { return errLast }; return nil }`, "[unknown]"},
		{`func f(a, b bool) error { if a { return nil }; return errBad }`, "[true]"},
		{`func f(a, b bool) error { return get() }`, "[unknown]"},
		{`func f(a, b bool) error { if err := get(); err != nil { return err }; return nil }`, "[unknown]"},
		{`func f(a, b bool) error { err := get(); if err == nil { err = errBad }; return err }`, "[false]"},
		{`func f(a, b bool) (bool, error) { if b { return false, errBad }; return true, nil }`, "[true unknown]"},
		{`func f(a, b bool) (bool, error) { if a { return false, errBad }; return true, nil }`, "[unknown false]"},
		{`func f(a, b bool) { panic("") }`, "[]"},
		{`func f(a, b bool) (ok bool) { defer func() { ok = b }(); return true }`, "[unknown]"},
		{`func f(a, b bool) (ok bool) { defer set(); if b { ok = true }; return }`, "[unknown]"},
		{`func f(a, b bool) (err error) { defer set(); if b { err = errBad }; return }`, "[unknown]"},
		{`type bad struct{ s string }; func (bad) Error() string { return "" }; func f(a, b bool) error { return bad{text()} }; func text() string`, "[false]"},
		{`type bad string; func (bad) Error() string { return "" }; func f(a, b bool) error { return bad("text") }`, "[false]"},
		{`type bad bool; func (bad) Error() string { return "" }; func f(a, b bool) error { return bad(true) }`, "[false]"},
		{`type bad struct{}; func (*bad) Error() string { return "" }; func f(a, b bool) error { var e *bad; return e }`, "[false]"},
		{`type bad struct{}; func (*bad) Error() string { return "" }; func f(a, b bool) error { if e := find(); e == nil { return e }; return errBad }; func find() *bad`, "[false]"},
		{`type bad struct{}; func (*bad) Error() string { return "" }; func f(a, b bool) error { var err error; if e := find(); e != nil { err = e }; return err }; func find() *bad`, "[unknown]"},
		{`func f(a, b bool) error { defer func() { recover() }(); set(); return errBad }`, "[unknown]"},
		{`func f(a, b bool) error { defer quiet(); set(); return errBad }; func quiet() { _ = recover() }`, "[unknown]"},
		{`func f(a, b bool) error { defer set(); return errBad }`, "[false]"},
		{`func g(a bool) bool { return !a }; func f(a, b bool) bool { return g(a) }`, "[false]"},
		{`func g(a bool) bool { return !a }; func f(a, b bool) bool { return g(b) }`, "[unknown]"},
		{`func f(a, b bool) bool { if b { return f(a, false) }; return true }`, "[true]"},
	} {
		prog := program.Of(ssatest.Pass(t, viewPrelude+test.src))
		fn, calls := prog.Func("f"), paths.NewCalls(prog)
		assume := func(v ssa.Value) flow.Truth {
			if v == fn.Params[0] {
				return flow.True
			}
			return flow.Unknown
		}
		view := paths.Reachable(fn, assume, func(v *paths.Feasible, call *ssa.Call) []flow.Truth { return calls.Results(call, v.Value) })
		if got := fmt.Sprint(view.Results()); got != test.want {
			t.Errorf("%s: %s, want %s", test.src, got, test.want)
		}
	}
}

// TestWraps looks at what wraps an error by its name: where there is a body, that says what it gives.
func TestWraps(t *testing.T) {
	const f = `; func f() error { return WithNote(errBad) }`
	for src, want := range map[string]string{
		`func WithNote(err error) error`: "[false]",
		`func WithNote(err error) error { if errLast == err { return nil }; return err }`: "[unknown]",
	} {
		prog := program.Of(ssatest.Pass(t, strings.Replace(viewPrelude, "package src", "package errors", 1)+src+f))
		calls := paths.NewCalls(prog)
		view := paths.Reachable(prog.Func("f"), func(ssa.Value) flow.Truth { return flow.Unknown }, func(v *paths.Feasible, call *ssa.Call) []flow.Truth { return calls.Results(call, v.Value) })
		if got := fmt.Sprint(view.Results()); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// TestChain looks at a value that each test in a row may replace: what it is hangs on the one before in two ways, and
// that is asked once.
func TestChain(t *testing.T) {
	asked := func(tests int) (n int) {
		prog := program.Of(ssatest.Pass(t, viewPrelude+"func f() error { x := get(); "+strings.Repeat("if x == nil { x = get() }; ", tests)+"return x }"))
		view := paths.Reachable(prog.Func("f"), func(ssa.Value) flow.Truth { n++; return flow.Unknown }, nil)
		if got := fmt.Sprint(view.Results()); got != "[unknown]" {
			t.Errorf("%d tests: %s, want [either]", tests, got)
		}
		return n
	}
	if few, many := asked(5), asked(10); many > 3*few {
		t.Errorf("%d questions for twice as many tests as take %d", many, few)
	}
}
