package finalizerorder

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const walkPrelude = `package src

type log struct{}

func (log) Error(error, string)
func (log) Info(string, ...any)

type T struct{ err error }

var (
	l log
	x bool
)

func try() error
func get() error
func two() (int, error)
func give(int) error
func cond() bool
func goal()
func see(error)
func setFailed(error)
func wrap(error) error
func isNotFound(error) bool
func isConflict(error) bool
`

// comes reports whether f comes from a call of try, which has failed, to one of goal, without anybody seeing to the
// error.
func comes(t *testing.T, src string) bool {
	t.Helper()
	pass := ssatest.Pass(t, walkPrelude+src)
	prog := program.Of(pass)
	pkg := prog.Package
	var start *ssa.Call
	calls := func(in ssa.Instruction, name string) bool {
		c, ok := in.(*ssa.Call)
		return ok && c.Call.StaticCallee() == pkg.Func(name)
	}
	for _, b := range pkg.Func("f").Blocks {
		for _, in := range b.Instrs {
			if calls(in, "try") {
				start = in.(*ssa.Call)
			}
		}
	}
	if start == nil {
		t.Fatal("f does not call try")
	}
	w := walk{
		goal: func(in ssa.Instruction) bool { return calls(in, "goal") },
		stop: func(ssa.Instruction) bool { return false },
	}
	return w.from(newAnalysis(pass, prog), start, start, flow.False)
}

func TestWalk(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      bool
	}{
		{"dropped", `func f() { try(); goal() }`, true},
		{"looked at", `func f() { if err := try(); err != nil { return }; goal() }`, false},
		{"looked at the wrong way", `func f() { if err := try(); err == nil { return }; goal() }`, true},
		{"before", `func f() { goal(); try() }`, false},
		{"logged", `func f() { if err := try(); err != nil { l.Error(err, "x") }; goal() }`, true},
		// It may be what keeps the finalizer: names do not say.
		{"handed to a setter", `func f() { if err := try(); err != nil { setFailed(err) }; goal() }`, false},
		{"handed to somebody", `func f() { if err := try(); err != nil { see(err) }; goal() }`, false},
		{"wrapped, and then looked at", `func f() { err := wrap(try()); if err != nil { return }; goal() }`, false},
		{"wrapped, and then dropped", `func f() { _ = wrap(try()); goal() }`, true},
		{"not found", `func f() { if err := try(); isNotFound(err) { return }; goal() }`, true},
		{"found to be something else", `func f() { if err := try(); !isNotFound(err) { return }; goal() }`, false},
		{"a question of its kind", `func f() { if err := try(); isConflict(err) { return }; goal() }`, false},
		{"sent away", `func f(c chan error) { c <- try(); goal() }`, false},
		{"kept in an object", `func f(s *T) { s.err = try(); goal() }`, false},
		{"on a list that is looked at", `func f() { var l []error; l = append(l, try()); if len(l) > 0 { return }; goal() }`, false},
		{"on a list with others", `type list []error; func f() { l := list{}; if err := try(); err != nil && !isNotFound(err) { l = append(l, err) }; x, err := two(); if err == nil { if err := give(x); err != nil && !isNotFound(err) { l = append(l, err) } }; if err := get(); err != nil && !isNotFound(err) { l = append(l, err) }; if len(l) == 0 { goal(); return } }`, false},
		{"on a list that is looked at too late", `func f() { var l []error; l = append(l, try()); goal(); if len(l) > 0 { return } }`, true},

		// What a variable holds when another value has taken the place of the error.
		{"a variable with another error", `func f() func() error { err := try(); err = get(); if err != nil { return nil }; goal(); return func() error { return err } }`, true},
		{"a variable with the error still", `func f() func() error { err := try(); if err != nil { return nil }; goal(); return func() error { return err } }`, false},
		{"a phi with the error of the turn before", `func f() { var last error; for i := 0; i < 3; i++ { if last != nil { return }; if i > 1 { goal() }; last = try() } }`, false},
		{"a phi that has another value in the next turn", `func f() { err := try(); for { if err == nil { goal(); return }; err = get() } }`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := comes(t, test.src); got != test.want {
				t.Errorf("%s: got %v, want %v", test.src, got, test.want)
			}
		})
	}
}
