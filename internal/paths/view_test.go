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
		{`func f(a, b bool) bool { return a }`, "[yes]"},
		{`func f(a, b bool) bool { return !a }`, "[no]"},
		{`func f(a, b bool) bool { return b }`, "[either]"},
		{`func f(a, b bool) bool { return a && b }`, "[either]"},
		{`func f(a, b bool) bool { return a || b }`, "[yes]"},
		{`func f(a, b bool) bool { c := b; if a { c = false }; return c }`, "[no]"},
		{`func f(a, b bool) bool { if b { return true }; return true }`, "[yes]"},
		{`func f(a, b bool) bool { if b { return false }; return true }`, "[either]"},
		{`func f(a, b bool) bool { if !a { return false }; return true }`, "[yes]"},
		{`func f(a, b bool) bool { if b { return b }; return true }`, "[yes]"},
		{`func f(a, b bool) bool { x := false; for cond() { x = a }; return x }`, "[either]"},
		{`func f(a, b bool) error { if a { return errBad }; return nil }`, "[no]"},
		{`func f(a, b bool) error { if a { return errLast }; return nil }`, "[either]"},
		{`func f(a, b bool) error { if a { return nil }; return errBad }`, "[yes]"},
		{`func f(a, b bool) error { return get() }`, "[either]"},
		{`func f(a, b bool) error { if err := get(); err != nil { return err }; return nil }`, "[either]"},
		{`func f(a, b bool) error { err := get(); if err == nil { err = errBad }; return err }`, "[no]"},
		{`func f(a, b bool) (bool, error) { if b { return false, errBad }; return true, nil }`, "[yes either]"},
		{`func f(a, b bool) (bool, error) { if a { return false, errBad }; return true, nil }`, "[either no]"},
		{`func f(a, b bool) { panic("") }`, "[]"},
		{`func f(a, b bool) (ok bool) { defer func() { ok = b }(); return true }`, "[either]"},
		{`func f(a, b bool) (ok bool) { defer set(); if b { ok = true }; return }`, "[either]"},
		{`func f(a, b bool) (err error) { defer set(); if b { err = errBad }; return }`, "[either]"},
		{`type bad struct{ s string }; func (bad) Error() string { return "" }; func f(a, b bool) error { return bad{text()} }; func text() string`, "[no]"},
		{`type bad string; func (bad) Error() string { return "" }; func f(a, b bool) error { return bad("text") }`, "[no]"},
		{`type bad bool; func (bad) Error() string { return "" }; func f(a, b bool) error { return bad(true) }`, "[no]"},
		{`type bad struct{}; func (*bad) Error() string { return "" }; func f(a, b bool) error { var e *bad; return e }`, "[no]"},
		{`type bad struct{}; func (*bad) Error() string { return "" }; func f(a, b bool) error { if e := find(); e == nil { return e }; return errBad }; func find() *bad`, "[no]"},
		{`type bad struct{}; func (*bad) Error() string { return "" }; func f(a, b bool) error { var err error; if e := find(); e != nil { err = e }; return err }; func find() *bad`, "[either]"},
		{`func f(a, b bool) error { defer func() { recover() }(); set(); return errBad }`, "[either]"},
		{`func f(a, b bool) error { defer quiet(); set(); return errBad }; func quiet() { _ = recover() }`, "[either]"},
		{`func f(a, b bool) error { defer set(); return errBad }`, "[no]"},
		{`func g(a bool) bool { return !a }; func f(a, b bool) bool { return g(a) }`, "[no]"},
		{`func g(a bool) bool { return !a }; func f(a, b bool) bool { return g(b) }`, "[either]"},
		{`func f(a, b bool) bool { if b { return f(a, false) }; return true }`, "[yes]"},
	} {
		prog := program.Of(ssatest.Pass(t, viewPrelude+test.src))
		fn, calls := prog.Func("f"), paths.NewCalls(prog)
		assume := func(v ssa.Value) flow.Truth {
			if v == fn.Params[0] {
				return flow.Yes
			}
			return flow.Either
		}
		view := paths.See(fn, assume, func(v *paths.View, call *ssa.Call) []flow.Truth { return calls.Results(call, v.Of) })
		if got := fmt.Sprint(view.Results()); got != test.want {
			t.Errorf("%s: %s, want %s", test.src, got, test.want)
		}
	}
}

// TestWraps looks at what wraps an error by its name: where there is a body, that says what it gives.
func TestWraps(t *testing.T) {
	const f = `; func f() error { return WithNote(errBad) }`
	for src, want := range map[string]string{
		`func WithNote(err error) error`: "[no]",
		`func WithNote(err error) error { if errLast == err { return nil }; return err }`: "[either]",
	} {
		prog := program.Of(ssatest.Pass(t, strings.Replace(viewPrelude, "package src", "package errors", 1)+src+f))
		calls := paths.NewCalls(prog)
		view := paths.See(prog.Func("f"), func(ssa.Value) flow.Truth { return flow.Either }, func(v *paths.View, call *ssa.Call) []flow.Truth { return calls.Results(call, v.Of) })
		if got := fmt.Sprint(view.Results()); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// TestChain looks at a value that each test in a row may replace: what it is hangs on the one before in two ways, and that is asked once.
func TestChain(t *testing.T) {
	asked := func(tests int) (n int) {
		prog := program.Of(ssatest.Pass(t, viewPrelude+"func f() error { x := get(); "+strings.Repeat("if x == nil { x = get() }; ", tests)+"return x }"))
		view := paths.See(prog.Func("f"), func(ssa.Value) flow.Truth { n++; return flow.Either }, nil)
		if got := fmt.Sprint(view.Results()); got != "[either]" {
			t.Errorf("%d tests: %s, want [either]", tests, got)
		}
		return n
	}
	if few, many := asked(5), asked(10); many > 3*few {
		t.Errorf("%d questions for twice as many tests as take %d", many, few)
	}
}
