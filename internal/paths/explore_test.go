package paths_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const walkPrelude = `package src

import "errors"

var _ = errors.New

type T struct{ err error }

var x, y, z bool

func start() error
func cond() bool
func get() error
func use(any)
func each(func() error) error
func A()
func B()
func C()
`

// walked are the functions among A, B and C that the feasible ways from the call of start on come to, where start has
// failed; "cut" stands for a walk that was given up.
func walked(t *testing.T, src string) string {
	t.Helper()
	pass := ssatest.Pass(t, walkPrelude+src)
	pkg := program.Of(pass).Package
	fn := pkg.Func("f")
	var from *ssa.Call
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() == pkg.Func("start") {
				from = c
			}
		}
	}
	if from == nil {
		t.Fatal("f does not call start")
	}
	var come []string
	prog := program.Of(pass)
	w := &paths.Exploration{
		Calls: paths.NewCalls(prog),
		Visit: func(in ssa.Instruction, _ *paths.State) bool {
			if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() != nil {
				if name := c.Call.StaticCallee().Name(); len(name) == 1 && !slices.Contains(come, name) {
					come = append(come, name)
				}
			}
			return false
		},
	}
	if !w.From(from, map[ssa.Value]flow.Truth{from: flow.False}) {
		come = append(come, "cut")
	}
	slices.Sort(come)
	return strings.Join(come, " ")
}

func TestWalk(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"both ways of an unknown test", `func f() { start(); if cond() { A() } else { B() } }`, "A B"},
		{"the way of the error", `func f() { if err := start(); err != nil { A() } else { B() }; C() }`, "A C"},
		{"the way of the error, tested twice", `func f() { err := start(); if err != nil { A() }; if err == nil { B() }; C() }`, "A C"},
		{"what was tested in front", `func f() { if b := cond(); b { start(); if b { A() } else { B() } } }`, "A"},
		{"what was tested in front, on the other side", `func f() { if b := cond(); !b { start(); if b { A() } else { B() } } }`, "B"},
		{"an error that is nil in front", `func f() { err := get(); if err != nil { return }; start(); if err != nil { A() } else { B() } }`, "B"},
		{"a test behind a join", `func f() { b := cond(); if b { C() }; start(); if b { A() } else { B() } }`, "A B"},
		{"a flag", `func f() { bad := false; if start() != nil { bad = true }; if bad { A() } else { B() } }`, "A"},
		{"a flag that stays", `func f() { bad := false; if start() == nil { bad = true }; if bad { A() } else { B() } }`, "B"},
		{"a flag of something else", `func f() { bad := false; start(); if cond() { bad = true }; if bad { A() } else { B() } }`, "A B"},
		{"an error that is kept", `func f() { var last error; if err := start(); err != nil { last = err }; if last != nil { A() } else { B() } }`, "A"},
		{"an error that another one takes the place of", `func f() { err := start(); if cond() { err = get() }; if err != nil { A() } else { B() } }`, "A B"},
		{"a variable that a closure shares", `func f() func() error { err := start(); if err != nil { A() } else { B() }; return func() error { return err } }`, "A"},

		// What may have been written meanwhile is not guessed at.
		{"a flag that a closure sets", `func f() { start(); bad := false; each(func() error { bad = true; return nil }); if bad { A() } else { B() } }`, "cut"},
		{"a flag that a closure may set later", `func f() { start(); bad := false; use(func() { bad = true }); C(); if bad { A() } else { B() } }`, "C cut"},
		{"a flag that is set again", `func f() { start(); bad := false; each(func() error { bad = true; return nil }); bad = false; if bad { A() } else { B() } }`, "B"},
		{"a flag that a closure reads", `func f() { start(); bad := false; each(func() error { use(bad); return nil }); if bad { A() } else { B() } }`, "B"},
		{"before the closure", `func f() { start(); bad := false; cond(); if bad { A() } else { B() }; each(func() error { bad = true; return nil }) }`, "B"},
		{"a closure that is called elsewhere", `func f() { start(); bad := false; set := func() { bad = true }; cond(); if bad { A() } else { B() }; set() }`, "B"},
		{"a closure that is called here", `func f() { start(); bad := false; set := func() { bad = true }; set(); if bad { A() } else { B() } }`, "cut"},
		{"a variable whose address is given away", `func f() { start(); bad := false; use(&bad); if bad { A() } else { B() } }`, "cut"},
		{"a goroutine that sets it", `func f() { start(); bad := false; go func() { bad = true }(); cond(); if bad { A() } else { B() } }`, "cut"},

		// What is nil is empty, and not the other way round.
		{"a slice that is not nil", `func list() []int; func f() { l := list(); if l == nil { return }; start(); if len(l) == 0 { A() } else { B() } }`, "A B"},
		{"an empty slice", `func list() []int; func f() { l := list(); start(); if len(l) == 0 { if l != nil { A() } else { B() } } }`, "A B"},
		{"a slice that is nil", `func list() []int; func f() { l := list(); start(); if l == nil { if len(l) == 0 { A() } else { B() } } }`, "A"},
		{"a slice with elements", `func list() []int; func f() { l := list(); start(); if len(l) > 0 { if l != nil { A() } else { B() } } }`, "A"},
		{"a map that fills up", `func f() { m := map[int]bool{}; start(); for cond() { m[1] = true }; if len(m) == 0 { A() } else { B() } }`, "A B"},
		{"a map that was empty", `func fresh() map[int]bool; func f() { m := fresh(); start(); if len(m) == 0 { m[1] = true; if len(m) == 0 { A() } else { B() } } }`, "A B"},
		{"a length that was kept", `func fresh() map[int]bool; func f() { m := fresh(); n := len(m); start(); if n == 0 { if n > 0 { A() } else { B() } } }`, "B"},
		{"a queue", `func f() { c := make(chan int, 3); start(); if len(c) == 0 { A() } else { B() } }`, "A B"},
		{"a number that is not 0", `func num() int; func f() { n := num(); start(); if n != 0 { if n > 0 { A() } else { B() } } }`, "A B"},
		{"a count that is not 0", `func num() uint; func f() { n := num(); start(); if n != 0 { if n > 0 { A() } else { B() } } }`, "A"},
		{"a number above 0", `func num() int; func f() { n := num(); start(); if n > 0 { if n != 0 { A() } else { B() } } }`, "A"},
		{"a number that is not above 0", `func num() int; func f() { n := num(); start(); if n <= 0 { if n != 0 { A() } else { B() } } }`, "A B"},
		{"a flag that was set since it was tested", `func f() func() bool { bad := cond(); if bad { bad = cond(); start(); if bad { A() } else { B() } }; return func() bool { return bad } }`, "A B"},
		{"a flag that a closure set since it was tested", `func f() func() bool { bad := cond(); set := func() { bad = cond() }; if bad { set(); start(); if bad { A() } else { B() } }; return func() bool { return bad } }`, "A B"},
		{"a flag that was tested in front", `func f() func() bool { bad := cond(); if bad { start(); if bad { A() } else { B() } }; return func() bool { return bad } }`, "A"},
		{"a flag that was tested in each turn", `func f() func() bool { bad := cond(); for bad { start(); if bad { A() } else { B() }; bad = cond() }; return func() bool { return bad } }`, "A"},
		{"an old value of a flag", `func f() func() bool { start(); bad := cond(); was := bad; if cond() { bad = get() == nil }; if was { if bad { A() } else { B() } }; return func() bool { return bad } }`, "A B"},
		{"a flag that is set through one of two pointers", `func f() { start(); a, b := false, false; p := &a; if cond() { p = &b }; *p = true; if a { A() } else { B() } }`, "cut"},
		{"a flag that is set through a field", `type P struct{ p *bool }; func f() { start(); a := false; h := &P{}; h.p = &a; *h.p = true; if a { A() } else { B() } }`, "cut"},
		{"a flag, and a pointer to something else", `type P struct{ p *bool; n *int }; func f(h *P) { start(); a := false; h.p = &a; *h.n = 1; if a { A() } else { B() } }`, "B"},

		// A variable and its address are two things.
		{"the address of a flag", `func is(p *bool) bool { return p != nil }; func f() { b := new(bool); *b = true; start(); if is(b) { A() } else { B() } }`, "A"},
		{"the address of no error", `func is(p *error) bool { return p != nil }; func f() { start(); var e error; e = nil; if is(&e) { A() } else { B() } }`, "A"},
		{"the address of a flag, tested here", `func f() { start(); b := new(bool); use(b); *b = true; if b != nil { A() } else { B() } }`, "A"},

		// An error that is declared with what a function gives may be none.
		{"an error that is declared", `var errNone = errors.New(""); func f() { start(); if errNone != nil { A() } else { B() } }`, "A"},
		{"an error of a type of its own", `type bad struct{}; func (*bad) Error() string { return "" }; var errNone error = &bad{}; func f() { start(); if errNone != nil { A() } else { B() } }`, "A"},
		{"an error that a helper makes", `func wrong(s string) error { return errors.New(s) }; var errNone = wrong(""); func f() { start(); if errNone != nil { A() } else { B() } }`, "A"},
		{"an error of the setup", `var errSetup = setup(); func setup() error; func f() { start(); if errSetup != nil { A() } else { B() } }`, "A B"},
		{"an error that a helper may make", `func may() error { if cond() { return errors.New("") }; return nil }; var errMay = may(); func f() { start(); if errMay != nil { A() } else { B() } }`, "A B"},
		{"an error beside a result", `var config, errConfig = load(); func load() (int, error); func f() { start(); if errConfig != nil { A() } else { B() } }`, "A B"},

		// What functions in sight give.
		{"a helper that says yes", `func on() bool { return true }; func f() { start(); if on() { A() } else { B() } }`, "A"},
		{"a helper that passes its argument on", `func id(b bool) bool { return b }; func f() { start(); if id(false) { A() } else { B() } }`, "B"},
		{"a helper that makes an error", `type bad struct{}; func (bad) Error() string { return "" }; func fail() error { return bad{} }; func f() { start(); if fail() != nil { A() } else { B() } }`, "A"},
		{"a helper that fails where it is told to", `func check(ok bool) error { if ok { return nil }; return errBad }; var errBad = errors.New(""); func f() { start(); if check(false) != nil { A() }; if check(true) != nil { B() } }`, "A"},
		{"helpers that call each other", `func even(n int) bool { if n == 0 { return true }; return odd(n-1) }; func odd(n int) bool { return !even(n) }; func f() { start(); if even(3) { A() } else { B() } }`, "A B"},

		// What a loop computes again is open in each turn.
		{"a test in the next turn", `func f() { start(); for { if cond() { A(); return }; B() } }`, "A B"},
		{"a value of the turn before", `func f() { start(); for i := 0; i < 9; i++ { b := cond(); if b { A() }; if !b { B() } } }`, "A B"},
		{"an error of the turn before", `func f() { start(); first := true; for { err := get(); if first { if err != nil { return }; first = false; continue }; if err != nil { A() } else { B() }; return } }`, "A B"},
		{"a phi of the turn before", `func f() { err := start(); for i := 0; i < 3; i++ { if err == nil { A() }; err = get(); B() } }`, "A B"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := walked(t, test.src); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.src, got, test.want)
			}
		})
	}
}

// A walk of too many steps says so.
func TestWalkLimit(t *testing.T) {
	for n, want := range map[int]string{6: "A", 14: "A cut"} {
		// Each of the tests doubles the number of ways, and of what is known on them.
		got := walked(t, "func f() { start(); A()\n"+strings.Repeat("if cond() { cond() }\n", n)+"}")
		if got != want {
			t.Errorf("%d tests: got %s, want %s", n, got, want)
		}
	}
}

// A walk from the end of a block goes on behind it.
func TestFromTheEndOfABlock(t *testing.T) {
	pass := ssatest.Pass(t, walkPrelude+"func f() { for { if x { A() } else { B() } } }")
	prog := program.Of(pass)
	first := prog.Package.Func("f").Blocks[0]
	if len(first.Instrs) != 1 {
		t.Fatalf("the function begins with %d instructions, and should with a jump alone", len(first.Instrs))
	}
	var come []string
	w := &paths.Exploration{Calls: paths.NewCalls(prog), Visit: func(in ssa.Instruction, _ *paths.State) bool {
		if c, ok := in.(*ssa.Call); ok && !slices.Contains(come, c.Call.StaticCallee().Name()) {
			come = append(come, c.Call.StaticCallee().Name())
		}
		return false
	}}
	if whole := w.From(first.Instrs[0], nil); !whole {
		t.Error("the walk was given up")
	}
	if slices.Sort(come); !slices.Equal(come, []string{"A", "B"}) {
		t.Errorf("it came to %v, and should to A and B", come)
	}
}
