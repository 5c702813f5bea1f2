package flow_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const paths = `package src

type T struct {
	a, b  *T
	m     map[string]*T
	s     []T
	n     int
}

func (t *T) left() *T { return t.a }

var global T

func fields(t *T)           { x := t.a; use1(x.b) }
func twice(t *T)            { use1(t.a.b); use1(t.a.b) }
func getter(t *T)           { use1(t.left().b) }
func mapped(t *T, k string) { use1(t.m[k]); use1(t.m[k]) }
func indexed(t *T)          { use1(&t.s[3]) }
func pkg()                  { use1(&global) }
func captured(t *T)         { func() { use1(t.b) }() }
func reassigned(t *T, c bool) {
	x := t.a
	if c {
		x = t.b
	}
	use1(x)
}


// It is read before it is stored: a circle has no path, and a variable that is stored later has none yet.
func circle(t *T) {
	var x *T
	func() { _ = x }()
	x = t.m[""].s[x.n].a
	use1(x)
}

func early(t *T) {
	var x *T
	func() { _ = x }()
	use1(x)
	x = t.a
	use1(x)
}

// results are read again in the block that comes back from a panic.
func results(t *T) (x *T) {
	defer func() { _ = x; recover() }()
	x = t.a
	use1(x)
	return
}

// in a closure that may not have run
func elsewhere(t *T) {
	var x *T
	func() { x = t.a }()
	use1(x)
}

// A closure reads what is there when it runs.
func rewritten(t *T) {
	x := t.a
	func() { use1(x) }()
	x = t.b
}

func nested(t *T, i, j, k []int) { use1(&t.s[i[j[k[0]]]]) }

func use1(*T) {}
`

func TestPathOf(t *testing.T) {
	p := ssatest.Build(t, paths)
	for name, want := range map[string][]string{
		"fields":     {"t.a.b"},
		"twice":      {"t.a.b", "t.a.b"},
		"getter":     {"t.a.b"},
		"mapped":     {"t.m[k]", "t.m[k]"},
		"indexed":    {"t.s[3]"},
		"pkg":        {"global"},
		"reassigned": {"x"},
		"circle":     {"x"},
		"early":      {"x", "x"},
		"results":    {"t.a"},
		"elsewhere":  {"x"},
		"captured":   {"t.b"},
		"rewritten":  {"x"},
		"nested":     {"t.s[i[j[...]]]"},
	} {
		var got []flow.Path
		in := p.Func(name)
		if len(ssatest.Calls(in, "use1")) == 0 {
			in = in.AnonFuncs[0]
		}
		for _, c := range ssatest.Calls(in, "use1") {
			got = append(got, flow.PathOf(c.Args[0]))
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d calls, want %d", name, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i].String() != want[i] {
				t.Errorf("%s: path %d is %s, want %s", name, i, got[i], want[i])
			}
			if got[i] != got[0] {
				t.Errorf("%s: the same place has two paths, %s and %s", name, got[0], got[i])
			}
		}
	}
	closure := p.Func("captured").AnonFuncs[0]
	path := flow.PathOf(ssatest.Calls(closure, "use1")[0].Args[0])
	if path.Root != ssa.Value(p.Func("captured").Params[0]) || path.Sel != ".b" {
		t.Errorf("a captured parameter's path is %v, want the parameter's own", path)
	}
}

const order = `package src

func a() {}
func b() {}
func c() {}

func straight(x bool) {
	a()
	if x {
		b()
	}
	c()
}

func loop(n int) {
	for range n {
		a()
		b()
	}
	c()
}

type T[E any] struct{ e E }

func (t *T[E]) M()  {}
func (T[E]) V()     {}
func generic()      { (&T[int]{}).M(); func() { a() }() }
`

func TestOrder(t *testing.T) {
	p := ssatest.Build(t, order)
	at := func(fn, callee string) ssa.Instruction {
		var found ssa.Instruction
		for c := range flow.Calls(p.Func(fn)) {
			if o := flow.Callee(c.Common()); o != nil && o.Name() == callee {
				found = c
			}
		}
		if found == nil {
			t.Fatalf("no call of %s in %s", callee, fn)
		}
		return found
	}
	for _, tt := range []struct {
		fn, a, b                     string
		dominates, reaches, forwards bool
	}{
		{"straight", "a", "c", true, true, true},
		{"straight", "b", "c", false, true, true},
		{"straight", "c", "a", false, false, false},
		{"loop", "a", "b", true, true, true},
		{"loop", "b", "a", false, true, false},
		{"loop", "a", "c", false, true, true},
	} {
		a, b := at(tt.fn, tt.a), at(tt.fn, tt.b)
		if got := flow.Dominates(a, b); got != tt.dominates {
			t.Errorf("%s: Dominates(%s, %s) = %v", tt.fn, tt.a, tt.b, got)
		}
		if got := flow.Reaches(a, b, nil); got != tt.reaches {
			t.Errorf("%s: Reaches(%s, %s) = %v", tt.fn, tt.a, tt.b, got)
		}
		if got := flow.ReachesForward(a, b, nil); got != tt.forwards {
			t.Errorf("%s: ReachesForward(%s, %s) = %v", tt.fn, tt.a, tt.b, got)
		}
	}
	if !flow.InLoop(at("loop", "a").Block()) || flow.InLoop(at("straight", "a").Block()) {
		t.Error("InLoop is wrong")
	}
	isA := func(in ssa.Instruction) bool { return in == at("loop", "a") }
	if flow.Reaches(at("loop", "b"), at("loop", "b"), isA) {
		t.Error("b is reached again without passing a")
	}
	if got := flow.FuncName(p.Func("generic").AnonFuncs[0]); got != "generic" {
		t.Errorf("a literal's declaration is %q, want generic", got)
	}
	m := flow.StaticCallee(at("generic", "M").(ssa.CallInstruction).Common())
	if got := flow.FuncName(m); got != "(*T).M" {
		t.Errorf("a generic method is named %q, want (*T).M", got)
	}
}

// The steps of a path are fields of types, and not names.
func TestSteps(t *testing.T) {
	p := ssatest.Build(t, paths)
	tt := p.Type("T").Type().Underlying().(*types.Struct)
	field := func(name string) *types.Var {
		for f := range tt.Fields() {
			if f.Name() == name {
				return f
			}
		}
		return nil
	}
	for name, want := range map[string][]*types.Var{
		"fields": {field("a"), field("b")}, "getter": {field("a"), field("b")}, "mapped": {field("m"), nil}, "indexed": {field("s"), nil}, "pkg": nil,
	} {
		path := flow.PathOf(ssatest.Calls(p.Func(name), "use1")[0].Args[0])
		var got []*types.Var
		text := ""
		for _, s := range path.Steps() {
			got = append(got, s.Field)
			text += s.Text
		}
		if text != path.Sel {
			t.Errorf("%s: the steps of %s are %s", name, path.Sel, text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// An index that is made of itself, or of the one before it twice, has a path of bounded length.
func TestPathOfIndex(t *testing.T) {
	p := ssatest.Build(t, `package src
func circle(next []int) {
	var i int
	later(func() int {
		i = next[i]
		use(&next[i])
		return i
	})
}
func nested(m map[int]map[int]int, i int) { `+strings.Repeat("i = m[i][i]\n", 64)+`; see(m[i]) }
func use(*int)
func see(map[int]int)
func later(func() int)
`)
	for _, c := range append(ssatest.Calls(p.Func("circle").AnonFuncs[0], "use"), ssatest.Calls(p.Func("nested"), "see")...) {
		if path := flow.PathOf(c.Args[0]); !path.Known() || path.Sel == "" || len(path.Sel) > 100 {
			t.Errorf("the path has %d bytes: %.100s", len(path.Sel), path.Sel)
		}
	}
}

// Variables that hold each other hold no function that is known.
func TestFuncValueCircle(t *testing.T) {
	p := ssatest.Build(t, `package src
func f() {
	var a, b func()
	a = b
	b = a
	a()
	later(func() { a(); b() })
}
func later(func())
`)
	for c := range flow.Calls(p.Func("f")) {
		if fn := flow.StaticCallee(c.Common()); fn != nil && fn.Name() != "later" {
			t.Errorf("%s runs %s", c, fn)
		}
	}
}

// What a variable with one store holds is known behind the store alone: before it, and in the next turn of a loop, it
// is something else.
func TestResolveBefore(t *testing.T) {
	p := ssatest.Build(t, `package src
func named(c bool) (ok bool)       { defer look(); if c { ok = true }; use(ok); return }
func captured(c bool)              { var ok bool; if c { ok = true }; use(ok); later(func() bool { return ok }) }
func behind(c bool)                { var ok bool; if c { ok = true; use(ok) }; later(func() bool { return ok }) }
func turn(more func() bool)        { var ok bool; for more() { use(ok); ok = true; later(func() bool { return ok }) } }
func turned(more func() bool)      { var ok bool; for more() { ok = true; use(ok); later(func() bool { return ok }) } }
func look()
func use(bool)
func later(func() bool)
`)
	for name, want := range map[string]flow.Truth{"named": flow.Unknown, "captured": flow.Unknown, "behind": flow.True, "turn": flow.Unknown, "turned": flow.True} {
		if got := flow.ConstTruth(flow.Resolve(ssatest.Calls(p.Func(name), "use")[0].Args[0])); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A field whose name begins with that of another one is no part of it.
// A variable that deferred literals alone share is what was stored last, where that is the same on all ways.
func TestResolveDeferred(t *testing.T) {
	p := ssatest.Build(t, `package src
func last(c bool) (ok bool)      { defer func() { look(ok) }(); ok = c; look(ok); ok = true; look(c); use(ok); return }
func behindIf(c bool) (ok bool)  { defer func() { look(ok) }(); ok = c; ok = true; if c { use(ok) }; return }
func joined(c bool) (ok bool)    { defer func() { look(ok) }(); if c { ok = true } else { look(c); ok = true }; use(ok); return }
func written(c bool) (ok bool)   { defer func() { ok = false }(); ok = c; ok = true; use(ok); return }
func called(c bool) (ok bool)    { f := func() { ok = false }; defer f(); ok = c; ok = true; f(); use(ok); return }
func shared(c bool) (ok bool)    { defer func() { look(ok) }(); ok = c; ok = true; keep(&ok); use(ok); return }
func started(c bool) (ok bool)   { go func() { ok = false }(); ok = c; ok = true; use(ok); return }
func look(bool)
func use(bool)
func keep(*bool)
`)
	for name, want := range map[string]flow.Truth{
		"last": flow.True, "behindIf": flow.True, "joined": flow.Unknown, "written": flow.True, "called": flow.Unknown, "shared": flow.Unknown, "started": flow.Unknown,
	} {
		if got := flow.ConstTruth(flow.Resolve(ssatest.Calls(p.Func(name), "use")[0].Args[0])); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for ret := range flow.Returns(p.Func("written")) { // the literal has run by then
		if got := flow.ConstTruth(flow.Resolve(ret.Results[0])); got != flow.Unknown {
			t.Errorf("written gives %s", got)
		}
	}
}

// The element at a variable that a closure sees is not the same one for certain, once the variable is stored to again.
func TestPathOfVariableIndex(t *testing.T) {
	p := ssatest.Build(t, `package src
func moves(s []int) { i := read(); later(func() int { return i }); use(&s[i]); i++; use(&s[i]) }
func stays(s []int) { i := read(); later(func() int { return i }); use(&s[i]); use(&s[i]) }
func read() int
func use(*int)
func later(func() int)
`)
	for name, unknown := range map[string]bool{"moves": true, "stays": false} {
		for _, c := range ssatest.Calls(p.Func(name), "use") {
			if path := flow.PathOf(c.Args[0]); strings.Contains(path.Sel, "[*]") != unknown {
				t.Errorf("%s: %s", name, path.Sel)
			}
		}
	}
}
