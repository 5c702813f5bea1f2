package values_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A value is made of what it is computed from, also where that goes through a variable, a part of one, or the
// arguments of a call.
func TestDependsOn(t *testing.T) {
	p := ssatest.Build(t, `package src
type T struct { a, b string }
func itself(x, y string)  { use(x) }
func added(x, y string)   { use("a" + x) }
func called(x, y string)  { use(text(y, x)) }
func many(x, y string)    { use(all(y, x)) }
func kept(x, y string)    { v := x; later(func() { v = y }); use(v) }
func part(x, y string)    { v := T{a: x}; use(v.a) }
func beside(x, y string)  { v := T{b: x}; later2(&v); use(v.a) }
func chosen(x, y string)  { v := y; if more() { v = x }; use(v) }
func turned(x, y string)  { v := ""; for more() { v += x }; use(v) }
func other(x, y string)   { use("a" + y) }
func test(x, y string)    { v := "a"; if x == "" { v = "b" }; use(v) }
func use(string)
func text(a, b string) string
func all(...string) string
func later(func())
func later2(*T)
func more() bool
`)
	for name, want := range map[string]bool{
		"itself": true, "added": true, "called": true, "many": true, "kept": true, "part": true, "beside": true, "chosen": true, "turned": true, "other": false, "test": false,
	} {
		fn := p.Func(name)
		for _, c := range ssatest.Calls(fn, "use") {
			if got := values.DependsOn(c.Args[0], func(v ssa.Value) bool { return v == ssa.Value(fn.Params[0]) }); got != want {
				t.Errorf("%s: %t, want %t", name, got, want)
			}
		}
	}
}

func TestReadsFrom(t *testing.T) {
	p := ssatest.Build(t, `package src
type part struct { on bool }
type T struct { x part; xon bool }
func f(t *T) { use(t.x.on); use(t.xon); use(!t.x.on) }
func use(bool)
`)
	owner := flow.Path{Root: p.Func("f").Params[0], Sel: ".x"}
	want := []bool{true, false, true}
	for i, c := range ssatest.Calls(p.Func("f"), "use") {
		if got := values.ReadsFrom(c.Args[0], owner); got != want[i] {
			t.Errorf("use %d: %t, want %t", i, got, want[i])
		}
	}
}

type calls struct{ fns []*ssa.Function }

func (c calls) Callee(call *ssa.CallCommon) *ssa.Function {
	if fn := flow.StaticCallee(call); fn != nil && len(fn.Blocks) > 0 {
		return fn
	}
	return nil
}

func (c calls) Callers(fn *ssa.Function) (out []ssa.CallInstruction) {
	for _, f := range c.fns {
		for call := range flow.Calls(f) {
			if c.Callee(call.Common()) == fn {
				out = append(out, call)
			}
		}
	}
	return out
}

// Origins go back through what keeps a value what it is, and, with calls, through parameters and results.
func TestOrigins(t *testing.T) {
	p := ssatest.Build(t, `package src
func itself(x, y any)         { use(x) }
func chosen(x, y any)         { v := y; if more() { v = x }; use(v) }
func turned(x, y any)         { v := y; for more() { use(v); v = x } }
func converted(x, y any)      { use(any(x.(error))) }
func checked(x, y any)        { e, _ := x.(error); use(e) }
func captured(x, y any)       { v := x; set := func() { v = y }; later(set); use(v) }
func inside(x, y any)         { later(func() { use(x) }) }
func part(x, y any)           { v := struct{ a any }{x}; later2(&v.a); use(v.a) }
func result(x, y any)         { use(second(x, y)) }
func two(x, y any)            { v, _ := both(x, y); use(v) }
func computed(x, y string)    { use(x + y) }
func second(x, y any) any     { if more() { return nil }; return y }
func both(x, y any) (any, any) { return y, x }
func use(any)
func later(func())
func later2(*any)
func more() bool
`)
	var all calls
	for fn := range flow.Functions(p) {
		all.fns = append(all.fns, fn)
	}
	for name, want := range map[string]string{
		"itself": "x", "chosen": "x y", "turned": "x y", "converted": "x", "checked": "x", "captured": "x y", "inside": "x", "part": "*",
		"result": "nil:any y", "two": "y", "computed": "x + y",
	} {
		fn := p.Func(name)
		var got []string
		for _, f := range append(flow.Literals(fn), fn) {
			for _, c := range ssatest.Calls(f, "use") {
				for v := range values.From(c.Args[0]).Origins(all) {
					text := v.Name()
					if in, ok := v.(*ssa.UnOp); ok {
						text = in.Op.String()
					} else if in, ok := v.(ssa.Instruction); ok {
						text = fmt.Sprint(in)
					}
					got = append(got, text)
				}
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Uses go on where another value is the one that is followed, and name what is done with it.
func TestUses(t *testing.T) {
	p := ssatest.Build(t, `package src
type T struct{ next *T }
func (*T) do() {}
type doer interface{ do() }
func called(x *T)    { x.do() }
func converted(x *T) { doer(x).do(); doer(x).(*T).do() }
func stored(x *T)    { v := x; if more() { v = nil }; use(v) }
func captured(x *T)  { v := x; later(func() { use(v) }); v = nil }
func variadic(x *T)  { many(x, x) }
func part(x *T)      { x.next = nil; use(x.next) }
func kept(x *T)      { global = x; m := x.do; later(m) }
func filled(x *T)    { *x = T{} }
func asked(x any)    { v, ok := x.(*T); if ok { use(v) } }
func use(*T)
func many(...*T)
func later(func())
func more() bool
var global *T
`)
	for name, want := range map[string]string{
		"called": "do", "converted": "do do", "stored": "use", "captured": "use", "variadic": "many", "part": "*ssa.FieldAddr *ssa.FieldAddr",
		"kept": "*ssa.MakeClosure *ssa.Store", "filled": "", "asked": "use",
	} {
		var got []string
		for in := range values.Uses(p.Func(name).Params[0]) {
			text := fmt.Sprintf("%T", in)
			if call, ok := in.(ssa.CallInstruction); ok {
				text = flow.Callee(call.Common()).Name()
			}
			got = append(got, text)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
