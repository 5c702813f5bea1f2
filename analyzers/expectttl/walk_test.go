package expectttl

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const walkPrelude = `package src

type T struct{ err error }

var x, y, z bool

func start() error
func cond() bool
func get() error
func A()
func B()
func C()
`

// walked are the functions among A, B and C that the feasible ways from the call of start on come to, where start has
// failed; "cut" stands for a walk that was given up.
func walked(t *testing.T, src string) string {
	t.Helper()
	pkg := ssatest.Build(t, walkPrelude+src)
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
	w := &walker{
		at: func(in ssa.Instruction, _ facts) bool {
			if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() != nil {
				if name := c.Call.StaticCallee().Name(); len(name) == 1 && !slices.Contains(come, name) {
					come = append(come, name)
				}
			}
			return false
		},
		returns: func(*ssa.Return, facts) {},
	}
	w.from(from, facts{from: no})
	if w.cut {
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
