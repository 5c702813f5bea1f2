package program_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const calls = `package src

type I interface{ m() }
type J interface{ k() }
type E struct{}
type D struct{}

func (E) k() {}
func (D) k() {}
type A struct{}
type B struct{ A }
type C struct{}

func (A) m()    { one() }
func (*B) n()   { two() }
func (C) m(int) {} // another one of that name

func direct()           { one(); two() }
func deferred()         { defer one() }
func spawned()          { go one() }
func literal()          { func() { one() }() }
func variable()         { f := one; f() }
func method(a A)        { a.m() }
func promoted(b B)      { b.m() }
func value(b *B)        { f := b.n; f() }
func instance()         { generic[int](1) }
func mentioned()        { hand(one) }
func dispatched(i I)    { i.m() }
func makes()            { dispatched(A{}) }
func sides(j J)         { j.k() }
func chooses(b bool)    { if b { sides(E{}) } else { sides(D{}) } }
func builtin(s []int)   { _ = len(s) }
func outside(f func())  { f() }

func generic[T any](t T) { one() }
func hand(f func())      {}
func one()               {}
func two()               {}

func ping(n int)  { if n > 0 { pong(n - 1) } }
func pong(n int)  { ping(n); one() }
`

func build(t *testing.T) (*program.Program, func(name string) *ssa.Function) {
	t.Helper()
	p := program.Of(ssatest.Pass(t, calls))
	return p, func(name string) *ssa.Function {
		i := slices.IndexFunc(p.Funcs, func(fn *ssa.Function) bool { return flow.FuncName(fn) == name })
		if i < 0 {
			t.Fatalf("there is no function %s", name)
		}
		return p.Funcs[i]
	}
}

func names(fns []*ssa.Function) []string {
	out := []string{}
	for _, fn := range fns {
		out = append(out, flow.FuncName(fn))
	}
	return out
}

func TestCallees(t *testing.T) {
	p, fn := build(t)
	for _, test := range []struct {
		in   string
		want []string
		all  bool
	}{
		{"deferred", []string{"one"}, true},
		{"spawned", []string{"one"}, true},
		{"variable", []string{"one"}, true},
		{"method", []string{"A.m"}, true},
		{"promoted", []string{"A.m"}, true},
		{"value", []string{"(*B).n"}, true},
		{"instance", []string{"generic"}, true},
		{"dispatched", []string{"A.m"}, true},
		{"builtin", []string{}, true},
		{"outside", []string{}, false},
	} {
		for c := range flow.Calls(fn(test.in)) {
			if got, all := p.Callees(c); !slices.Equal(names(got), test.want) || all != test.all {
				t.Errorf("%s: %q, all of them: %t, want %q, %t", test.in, names(got), all, test.want, test.all)
			}
		}
	}
	var callers []string
	for _, c := range p.Callers(fn("two")) {
		callers = append(callers, flow.FuncName(c.Parent()))
	}
	if want := []string{"(*B).n", "direct"}; !slices.Equal(callers, want) {
		t.Errorf("two is called in %q, want %q", callers, want)
	}
}

func TestReach(t *testing.T) {
	p, fn := build(t)
	for _, test := range []struct {
		edges program.Edge
		from  string
		want  []string
	}{
		{program.Calls, "direct", []string{"direct", "one", "two"}},
		{program.Calls, "deferred", []string{"deferred", "one"}},
		{program.Calls, "spawned", []string{"spawned"}},
		{program.Spawns, "spawned", []string{"spawned", "one"}},
		{program.Spawns, "direct", []string{"direct"}},
		{program.Calls, "literal", []string{"literal", "literal", "one"}},
		{program.Calls, "mentioned", []string{"mentioned", "hand"}},
		{program.Mentions, "mentioned", []string{"mentioned", "hand", "one"}},
		{program.Calls, "makes", []string{"makes", "dispatched", "A.m", "one"}}, // A is the only type that is put into I
		{program.Calls, "chooses", []string{"chooses", "sides"}},
		{program.Calls | program.Dispatches, "chooses", []string{"chooses", "sides", "D.k", "E.k"}},
		{program.Calls | program.Dispatches, "makes", []string{"makes", "dispatched", "A.m", "one"}},
		{program.Calls | program.Implementations, "dispatched", []string{"dispatched", "A.m", "one"}},
		{program.Calls, "ping", []string{"ping", "pong", "one"}},
	} {
		if got := names(slices.Collect(p.Reach(test.edges, fn(test.from)))); !slices.Equal(got, test.want) {
			t.Errorf("%s over %b: %q, want %q", test.from, test.edges, got, test.want)
		}
	}
	for got := range p.Reach(program.Calls, nil, fn("direct")) {
		if got != fn("direct") {
			t.Errorf("%s comes first", flow.FuncName(got))
		}
		break
	}
}

// Callees come before their callers, and those that call each other come together.
func TestComponents(t *testing.T) {
	p, fn := build(t)
	next := func(f *ssa.Function) []*ssa.Function { return p.Next(program.Calls, f) }
	var got [][]string
	for _, c := range program.Components([]*ssa.Function{fn("ping"), fn("direct")}, next) {
		ns := names(c)
		slices.Sort(ns)
		got = append(got, ns)
	}
	want := [][]string{{"one"}, {"ping", "pong"}, {"two"}, {"direct"}}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestImplementers(t *testing.T) {
	p, fn := build(t)
	for c := range flow.Calls(fn("dispatched")) {
		if got, want := names(p.Implementers(c.Common())), []string{"A.m"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A method may come from an embedded type that does not implement the interface by itself.
func TestPromotedImplementers(t *testing.T) {
	p := program.Of(ssatest.Pass(t, `package src

type I interface{ m(); n() }
type base struct{}
type deep struct{ *base }
type whole struct{ deep }
type other struct{ I }

func (*base) m() {}
func (whole) n() {}

func dispatched(i I) { i.m(); i.n() }
`))
	want := [][]string{{"(*base).m"}, {"whole.n"}}
	for c := range flow.Calls(p.Func("dispatched")) {
		if got := names(p.Implementers(c.Common())); !slices.Equal(got, want[0]) {
			t.Errorf("%s: %q, want %q", c, got, want[0])
		}
		want = want[1:]
	}
}

// There is no depth beyond which nothing is reached.
func TestDepth(t *testing.T) {
	p := program.Of(ssatest.Pass(t, "package src\n"+ssatest.Chain(500, "(c chan int)", "c", "c <- 1")))
	if n := len(slices.Collect(p.Reach(program.Calls, p.Func("f1")))); n != 500 {
		t.Errorf("%d functions are reached of 500", n)
	}
}

// Who leads to a function, by which edges, and which functions are values.
func TestLeadingTo(t *testing.T) {
	p := program.Of(ssatest.Pass(t, `package src
func target()   {}
func calls()    { target() }
func above()    { calls() }
func spawns()   { go target() }
func literal()  { func() { target() }() }
func mentions() { take(target) }
func take(f func()) {}
`))
	for edges, want := range map[program.Edge]string{
		program.Calls:                  "above calls target literal$1 literal",
		program.Calls | program.Spawns: "above calls target literal$1 literal spawns",
		program.Mentions:               "above calls target literal$1 literal spawns mentions",
	} {
		got := p.LeadingTo(edges, p.Func("target"))
		if len(got) != len(strings.Fields(want)) {
			t.Errorf("edges %b: %v, want %s", edges, got, want)
		}
		for fn := range got {
			if !slices.Contains(strings.Fields(want), fn.Name()) {
				t.Errorf("edges %b: %s leads to target", edges, fn)
			}
		}
	}
	if !p.IsValue(p.Func("target")) || p.IsValue(p.Func("calls")) {
		t.Error("IsValue: target is handed on, and calls is only called")
	}
}
