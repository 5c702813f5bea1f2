package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const decided = `package src

func nested(a, b bool)  { if a { if !b { use("a !b") } } }
func after(a bool)      { if a { use("a") }; use("a?") }
func early(a bool)      { if a { return }; use("!a") }
func loop(a bool)       { if a { for { use("a") } } }
func backward(a bool)   { if !a { return }; for more() { use("range a") }; use("!range a") }
func both(a bool)       { if a { }; use("") }
func and(a, b bool)     { if a && b { use("a b") } else { use("a?") } }
func or(a, b bool)      { if a || b { use("a?") } else { use("!a !b") } }
func ignored(a bool)    { defer func() { recover() }(); if a { panic("") }; use("!a") }

func use(string) {}
func more() bool
`

func TestDecided(t *testing.T) {
	p := ssatest.Build(t, decided)
	for _, name := range []string{"nested", "after", "early", "loop", "backward", "both", "and", "or", "ignored"} {
		fn := p.Func(name)
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || flow.Callee(&call.Call) == nil || flow.Callee(&call.Call).Name() != "use" {
				continue
			}
			var got []string
			for test, truth := range flow.PathCondition(call.Block()) {
				v, is := flow.StripNot(test.Cond)
				word := "range"
				if param, ok := v.(*ssa.Parameter); ok {
					word = param.Name()
				}
				switch {
				case truth == flow.Unknown:
					word += "?"
				case (truth == flow.True) != is:
					word = "!" + word
				}
				got = append(got, word)
			}
			want := strings.Fields(strings.Trim(call.Call.Args[0].(*ssa.Const).Value.ExactString(), `"`))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

const results = `package src

import "errors"

func plain() error                 { return a }
func named() (err error)           { err = a; return }
func deferred() (err error)        { defer look(); err = a; return err }
func reads() (err error)           { defer func() { look2(err) }(); err = a; return err }
func writes() (err error)          { defer func() { err = b }(); err = a; return err }
func given() (err error)           { defer set(&err); err = a; return err }
func handed() (err error)          { set(&err); err = a; return err }
func before() (err error)          { if c { return a }; defer func() { err = b }(); return nil }
func ways() (err error)            { defer look(); if c { err = a } else { err = b }; return err }
func longer() (err error)          { defer look(); err = a; for c { look() }; return err }
func parts() (s struct{ x error }) { defer look(); s = whole; s.x = a; return s }

var a, b = errors.New("a"), errors.New("b")
var c bool
var whole struct{ x error }

func look()        {}
func look2(error)  {}
func set(*error)   {}
`

// What a return statement gives is found through memory, unless somebody else may have written there.
func TestReturned(t *testing.T) {
	p := ssatest.Build(t, results)
	for name, want := range map[string]string{
		"plain": "a", "named": "a", "deferred": "a", "reads": "a", "writes": "unsure", "given": "unsure", "handed": "unsure", "before": "a", "ways": "load", "longer": "load", "parts": "load",
	} {
		fn := p.Func(name)
		for ret := range flow.Returns(fn) {
			v, sure := flow.Returned(ret, 0)
			got := fmt.Sprint(v)
			if load, ok := v.(*ssa.UnOp); ok {
				got = "load"
				if g, ok := load.X.(*ssa.Global); ok {
					got = g.Name()
				}
			}
			if !sure {
				got = "unsure"
			}
			if got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			break // the second one of before is another
		}
	}
}

func TestNilTest(t *testing.T) {
	p := ssatest.Build(t, `package src
func f(e error) (a, b, c, d bool) { return e == nil, nil != e, !(e == nil), e == other }
var other error
`)
	for ret := range flow.Returns(p.Func("f")) {
		want := []string{"is", "is not", "", ""}
		for i, v := range ret.Results {
			got := ""
			if x, isNil, ok := flow.NilTest(v); ok {
				if got = "is"; !isNil {
					got = "is not"
				}
				if x != ssa.Value(p.Func("f").Params[0]) {
					t.Errorf("result %d is a test of %s", i, x)
				}
			}
			if got != want[i] {
				t.Errorf("result %d: %q, want %q", i, got, want[i])
			}
		}
	}
}

// A package variable is known by what it is declared with, unless anything can change it, methods and literals
// included.
func TestInitial(t *testing.T) {
	p := ssatest.Build(t, `package src

var later int

func (T) init()     { later = f() }

var kept, method, literal, taken, twice, none = f(), f(), f(), f(), f(), 0
var part = T{f()}
var read = T{f()}

type T struct{ n int }

func (T) set()      { method = 2 }
func init()         { func() { literal = 2 }() }
func give() *int    { return &taken }
func again()        { twice = 3; part.n = 3; println(read.n) }
func f() int
`)
	for name, want := range map[string]bool{"kept": true, "method": false, "literal": false, "taken": false, "twice": false, "part": false, "later": false} {
		if got := flow.Initial(p.Var(name)) != nil; got != want {
			t.Errorf("%s: known %t, want %t", name, got, want)
		}
	}
}
