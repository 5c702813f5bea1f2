package finalizerorder

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const worldPrelude = `package src

type Time struct{}

func (*Time) IsZero() bool { return true }

type Object struct {
	DeletionTimestamp *Time
	Name              string
}

func cond() bool
func get() error
func here()
`

// comesHere reports whether f(o) may come to its call of here while o is being deleted.
func comesHere(t *testing.T, src string) bool {
	t.Helper()
	pass := ssatest.Pass(t, worldPrelude+src)
	pkg := program.Of(pass)
	fn := pkg.Func("f")
	a := newAnalysis(pass, pkg)
	w := a.deletingWorld(fn, []flow.Path{{Root: fn.Params[0]}})
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() == pkg.Func("here") {
				return w.Reaches(b)
			}
		}
	}
	t.Fatal("f does not call here")
	return false
}

func TestDeletingWorld(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      bool
	}{
		{"no check", `func f(o *Object) { here() }`, true},
		{"a check", `func f(o *Object) { if o.DeletionTimestamp != nil { return }; here() }`, false},
		{"a check, the other side", `func f(o *Object) { if o.DeletionTimestamp == nil { return }; here() }`, true},
		{"a check by IsZero", `func f(o *Object) { if o.DeletionTimestamp.IsZero() { here() } }`, false},
		{"a check of another object", `func f(o, p *Object) { if p.DeletionTimestamp != nil { return }; here() }`, true},
		{"another check", `func f(o *Object) { if o.Name == "" { return }; here() }`, true},
		{"this and another one", `func f(o *Object) { if o.DeletionTimestamp != nil && cond() { return }; here() }`, true},
		{"this or another one", `func f(o *Object) { if o.DeletionTimestamp != nil || cond() { return }; here() }`, false},
		{"a flag of both", `func f(o *Object) { b := o.DeletionTimestamp != nil || cond(); if b { return }; here() }`, false},

		// What helpers say.
		{"a helper", `func gone(o *Object) bool { return o.DeletionTimestamp != nil }; func f(o *Object) { if gone(o) { return }; here() }`, false},
		{"a helper of another object", `func gone(o *Object) bool { return o.DeletionTimestamp != nil }; func f(o, p *Object) { if gone(p) { return }; here() }`, true},
		{"a helper that says it on all ways", `func gone(o *Object) bool { if o.DeletionTimestamp == nil { return false }; if cond() { return true }; return true }; func f(o *Object) { if gone(o) { return }; here() }`, false},
		{"a helper whose first answer is another one", `func gone(o *Object) bool { if cond() { return false }; return o.DeletionTimestamp != nil }; func f(o *Object) { if gone(o) { return }; here() }`, true},
		{"a helper whose last answer is another one", `func gone(o *Object) bool { if cond() { return o.DeletionTimestamp != nil }; return false }; func f(o *Object) { if gone(o) { return }; here() }`, true},
		{"a helper with an answer that is not known", `func gone(o *Object) bool { if o.DeletionTimestamp != nil { return cond() }; return false }; func f(o *Object) { if gone(o) { return }; here() }`, true},
		{"a helper that fails", `type E struct{}; func (*E) Error() string { return "" }; func live(o *Object) error { if o.DeletionTimestamp != nil { return &E{} }; return nil }; func f(o *Object) { if err := live(o); err != nil { return }; here() }`, false},
		{"a helper that may fail", `func live(o *Object) error { if o.DeletionTimestamp != nil { return get() }; return nil }; func f(o *Object) { if err := live(o); err != nil { return }; here() }`, true},
		{"a helper that calls itself", `func gone(o *Object) bool { if cond() { return gone(o) }; return true }; func f(o *Object) { if gone(o) { return }; here() }`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := comesHere(t, test.src); got != test.want {
				t.Errorf("%s: got %v, want %v", test.src, got, test.want)
			}
		})
	}
}

// There are no limits to how far a check may be away.
func TestDeletingWorldFar(t *testing.T) {
	for _, n := range []int{5, 6, 100} {
		src := ssatest.Chain(n, "(o *Object) bool", "o", "return o.DeletionTimestamp != nil") + "func f(o *Object) { if f1(o) { return }; here() }"
		if comesHere(t, src) {
			t.Errorf("%d calls: the check is not seen", n)
		}
	}
	for _, n := range []int{4, 6, 40} {
		src := "func gone(o *Object) bool { return o.DeletionTimestamp != nil }\nfunc f(o *Object) { b := " + strings.Repeat("!", n) + "gone(o); if b { return }; here() }"
		if comesHere(t, src) {
			t.Errorf("%d negations: the check is not seen", n)
		}
	}
}
