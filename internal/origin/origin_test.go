package origin_test

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

type program struct {
	pkg *ssapkg.Package
	*origin.Index
	cuts *[]string // what was said to be cut short
}

// importing puts a package clause in front of src, unless it has one, and the imports behind it.
func importing(src string) string {
	clause, rest, ok := strings.Cut(src, "\n")
	if !ok || !strings.HasPrefix(clause, "package ") {
		clause, rest = "package src", src
	}
	for _, pkg := range []string{"flag", "net/rpc", "os", "os/signal", "reflect", "runtime", "sort", "sync", "time"} {
		if regexp.MustCompile(`\b` + path.Base(pkg) + `\.[A-Z]`).MatchString(src) {
			clause += fmt.Sprintf("\nimport %q", pkg)
		}
	}
	return clause + "\n" + rest
}

// build indexes the package whose only file is src.
func build(t testing.TB, src string) program {
	t.Helper()
	p := ssapkg.Of(ssatest.Pass(t, src))
	var cuts []string
	return program{p, origin.Build(p, func(what string, _ any) { cuts = append(cuts, what) }), &cuts}
}

// fn is the function or method of the package named so, or the function literal "f$1".
func (p program) fn(t testing.TB, name string) *ssa.Function {
	t.Helper()
	for _, f := range p.pkg.Funcs {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

// dynamic is the one call of a function value or interface method in the function named so.
func (p program) dynamic(t testing.TB, name string) ssa.CallInstruction {
	t.Helper()
	var found []ssa.CallInstruction
	for _, b := range p.fn(t, name).Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			switch c.Common().Value.(type) {
			case *ssa.Builtin, *ssa.Function:
			default:
				found = append(found, c)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d dynamic calls in %s, want 1", len(found), name)
	}
	return found[0]
}

// channel is what the one send, receive, select case, close, or method of a wait group in the function named so is
// about.
func (p program) channel(t testing.TB, name string) ssa.Value {
	t.Helper()
	var found []ssa.Value
	for _, b := range p.fn(t, name).Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Send:
				found = append(found, in.Chan)
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					found = append(found, in.X)
				}
			case *ssa.Select:
				for _, st := range in.States {
					found = append(found, st.Chan)
				}
			case *ssa.Call:
				call := in.Common()
				b, builtin := call.Value.(*ssa.Builtin)
				if builtin && b.Name() == "close" {
					found = append(found, call.Args[0])
				}
				if f := call.StaticCallee(); f != nil && f.Pkg != nil && f.Pkg.Pkg.Path() == "sync" {
					found = append(found, call.Args[0])
				}
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d operations on channels and wait groups in %s, want 1", len(found), name)
	}
	return found[0]
}

// spell is the sorted names of functions, and a question mark where there may be others.
func spell(fns []*ssa.Function, unknown bool) string {
	var out []string
	for _, f := range fns {
		name := f.Name()
		if r := f.Signature.Recv(); r != nil {
			name = strings.TrimPrefix(types.TypeString(r.Type(), func(*types.Package) string { return "" }), "*") + "." + name
		}
		out = append(out, name)
	}
	slices.Sort(out)
	if unknown {
		out = append(out, "?")
	}
	return strings.Join(out, " ")
}

func functions[T any](of []T, fn func(T) *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, x := range of {
		out = append(out, fn(x))
	}
	return out
}

// owner is what most cases begin with: a field that holds a function, and functions to put there.
const owner = `
type owner struct { cb func(); n int }
type other struct { cb func() }
func a() {}
func b() {}
func c() {}
func d() {}
func (*other) m() {}
func (other) v() {}
func q(x *owner) { x.cb() }
`

// What the function value that q calls may be, and which of these the call may run.
func TestFuncs(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"never set", owner, ""},
		{"field", owner + `func set(x *owner) { x.cb = a }`, "a"},
		{"field, in two places", owner + `func set(x, y *owner) { x.cb = a; y.cb = b }`, "a b"},
		{"field of another type", owner + `func set(x *other) { x.cb = a }`, ""},
		{"nil and a function", owner + `func set(x *owner) { x.cb = nil; x.cb = a }`, "a"},
		{"literal", owner + `func set(x *owner) { x.cb = func() { x.n++ } }`, "set$1"},
		{"literal that captures nothing", owner + `func set(x *owner) { x.cb = func() {} }`, "set$1"},
		{"method value", owner + `func set(x *owner, y *other) { x.cb = y.m }`, "other.m"},
		{"method value of a value", owner + `func set(x *owner, y other) { x.cb = y.v }`, "other.v"},
		{"chosen", owner + `func set(x *owner, y bool) { f := a; if y { f = b }; x.cb = f }`, "a b"},

		{"constructor", owner + `func make1(f func()) *owner { return &owner{cb: f} }
			func set() { make1(a) }
			func set2() { make1(b) }`, "a b"},
		{"constructor in two steps", owner + `func make1(f func()) *owner { return make2(f) }
			func make2(f func()) *owner { x := new(owner); x.cb = f; return x }
			func set() { make1(a) }`, "a"},
		{"exported constructor", owner + `func New(f func()) *owner { return &owner{cb: f} }
			func set() { New(a) }`, "a ?"},
		{"exported constructor of a program", "package main\n" + owner + `func New(f func()) *owner { return &owner{cb: f} }
			func main() { New(a) }`, "a"},
		{"constructor with a default", owner + `func make1(f func()) *owner { if f == nil { f = a }; return &owner{cb: f} }
			func set() { make1(b) }`, "a b"},
		{"setter", owner + `func (x *owner) set(f func()) { x.cb = f }
			func set(x *owner) { x.set(a) }`, "a"},
		{"setter in a go statement", owner + `func (x *owner) set(f func()) { x.cb = f }
			func set(x *owner) { go x.set(a); defer x.set(b) }`, "a b"},
		{"exported setter", owner + `func (x *owner) Set(f func()) { x.cb = f }`, "?"},
		{"setter through an interface", owner + `func (x *owner) set(f func()) { x.cb = f }
			type setter interface { set(func()) }
			var _ setter = (*owner)(nil)
			func set(s setter) { s.set(a) }`, "a"},
		{"setter through a function value", owner + `type option struct { apply func(*owner, func()) }
			func store(x *owner, f func()) { x.cb = f }
			func set(x *owner) { o := option{store}; o.apply(x, a) }`, "a"},
		{"option", owner + `type option func(*owner)
			func with(f func()) option { return func(x *owner) { x.cb = f } }
			func make1(opts ...option) *owner { x := new(owner); for _, o := range opts { o(x) }; return x }
			func set() { make1(with(a), with(b)) }`, "a b"},

		{"struct literal", owner + `func set() { _ = owner{cb: a} }
			func keep(x owner) {}`, "a"},
		{"struct literal that is passed", owner + `func set() { keep(owner{a, 1}) }
			func keep(x owner) {}`, "a"},
		{"struct copy", owner + `func set(x *other) { y := owner{cb: a}; z := y; q(&z) }`, "a"},
		{"struct in a struct", owner + `type outer struct { in owner }
			func set(x *outer) { x.in.cb = a }`, "a"},
		{"struct in a slice", owner + `func set() { for _, x := range []owner{{cb: a}, {cb: b}} { q(&x) } }`, "a b"},
		{"embedded", `type base struct { cb func() }
			type owner struct { *base }
			func a() {}
			func set(x *base) { x.cb = a }
			func q(x owner) { x.cb() }`, "a"},
		{"generic type", `type owner[T any] struct { cb func(T) }
			func a(int) {}
			func set() { _ = owner[int]{cb: a} }
			func q(x *owner[int]) { x.cb(1) }`, "a"},

		{"map", owner + `func q2(m map[string]func()) { m["a"]() }
			func set() { q2(map[string]func(){"a": a, "b": b}) }
			func q3() {}`, "a b"},
		{"map that is filled later", owner + `type registry struct { m map[string]func() }
			func (r *registry) add(f func()) { r.m["x"] = f }
			func set(r *registry) { r.add(a); r.add(b) }
			func q2(r *registry) { r.m["y"]() }`, "a b"},
		{"map in a variable", owner + `var m = map[int]func(){1: a}
			func q2() { m[1]() }`, "a"},
		{"map entry that may be missing", owner + `var m = map[int]func(){1: a}
			func q2() { if f, ok := m[1]; ok { f() } }`, "a"},
		{"map that is walked", owner + `func q2(m map[string]func()) { for _, f := range m { f() } }
			func set() { m := map[string]func(){}; q2(m); m["x"] = a }`, "a"},
		{"two maps", owner + `var m = map[int]func(){1: a}
			var m2 = map[int]func(){1: b}
			func q2() { m[1]() }`, "a"},
		{"map of maps", owner + `var m = map[int]map[int]func(){}
			func set() { m[1] = map[int]func(){}; m[1][2] = a }
			func q2() { m[1][2]() }`, "a"},
		{"slice", owner + `func q2(s []func()) { s[0]() }
			func set() { q2([]func(){a, b}) }`, "a b"},
		{"slice that grows", owner + `type list struct { fs []func() }
			func (l *list) add(f func()) { l.fs = append(l.fs, f) }
			func set(l *list) { l.add(a); l.add(b) }
			func q2(l *list) { for _, f := range l.fs { f() } }`, "a b"},
		{"slice that is appended", owner + `func q2() { var s []func(); s = append(s, fs...); s[0]() }
			var fs = []func(){a, b}`, "a b"},
		{"slice that is copied", owner + `func q2() { s := make([]func(), 2); copy(s, fs); s[0]() }
			var fs = []func(){a, b}`, "a b"},
		{"part of a slice", owner + `func q2() { s := fs[1:]; s[0]() }
			var fs = []func(){a, b}`, "a b"},
		{"slice that is set after it was passed", owner + `func q2(s []func()) { s[0]() }
			func set() { s := make([]func(), 1); q2(s); s[0] = a }`, "a"},
		{"array", owner + `func q2() { var s [2]func(); s[0] = a; s[1]() }`, "a"},
		{"pointer", owner + `func q2(p *func()) { (*p)() }
			func set() { f := a; q2(&f); f = b }`, "a b"},

		{"captured", owner + `func q2() { f := a; f = b; func() { f() }() }`, "a b"},
		{"result", owner + `func get() func() { return a }
			func q2() { f := get(); f() }`, "a"},
		{"one of two results", owner + `func get() (func(), func()) { return a, b }
			func q2() { _, f := get(); f() }`, "b"},
		{"result of an interface method", owner + `type getter interface { get() func() }
			func (*other) get() func() { return a }
			var _ getter = (*other)(nil)
			func set(g getter) { f := g.get(); q(&owner{cb: f}) }`, "a"},
		{"result of another package", owner + `func set(x *owner) { x.cb = reflect.ValueOf(a).Interface().(func()) }`, "?"},
		{"of another package", owner + `func set(x *owner) { x.cb = runtime.GC; x.cb = a }`, "GC a"},
		{"through a channel", owner + `func q2(c chan func()) { f := <-c; f() }
			func set() { c := make(chan func()); go q2(c); c <- a }`, "a"},
		{"through a select", owner + `func q2(c chan func(), d chan int) { select { case f := <-c: f(); case <-d: } }
			func set() { c := make(chan func()); go q2(c, nil); select { case c <- a: } }`, "a"},
		{"through an empty interface", owner + `func q2(x any) { x.(func())() }
			func set() { q2(a) }`, "a"},
		{"through a type switch", owner + `func q2(x any) { switch f := x.(type) { case func(): f() } }
			func set() { q2(a) }`, "a"},
		{"named type", owner + `type handler func()
			func (h handler) q2() { h() }
			func set() { handler(a).q2() }`, "a"},
		{"another number of parameters comes the same way", owner + `func one(int) {}
			func q2(x any) { x.(func())() }
			func set() { q2(a); q2(one) }`, "a"},

		{"variable", owner + `var hook = a
			func q2() { hook() }`, "a"},
		{"variable that others can set", owner + `var Hook = a
			func q2() { Hook() }`, "a ?"},
		{"exported variable of a program", "package main\n" + owner + `var Hook = a
			func q2() { Hook() }
			func main() {}`, "a"},
		{"exported field", `type owner struct { CB func() }
			func a() {}
			func set(x *owner) { x.CB = a }
			func q(x *owner) { x.CB() }`, "a ?"},
		{"exported field of a program", `package main
			type owner struct { CB func() }
			func a() {}
			func set(x *owner) { x.CB = a }
			func q(x *owner) { x.CB() }
			func main() {}`, "a"},
		{"field of another package", `func a() {}
			func q(x *flag.FlagSet) { x.Usage = a; x.Usage() }`, "a ?"},
		{"parameter that nobody gives", owner + `func q2(f func()) { f() }`, "?"},
		{"parameter", owner + `func q2(f func()) { f() }
			func set() { q2(a) }`, "a"},
		{"parameter of an exported function", owner + `func Q(f func()) { f() }
			func set() { Q(a) }`, "a ?"},
		{"parameter of an exported method", owner + `func (owner) Q(f func()) { f() }`, "?"},
		{"parameter of a literal", owner + `func q2() { func(f func()) { f() }(a) }`, "a"},

		{"calls itself", owner + `func q2(f func(), n int) { if n > 0 { q2(f, n-1) }; if n > 1 { q2(b, n) }; f() }
			func set() { q2(a, 3) }`, "a b"},
		{"call each other", owner + `func q2(f func(), n int) { if n > 0 { q3(f, n-1) }; f() }
			func q3(f func(), n int) { q2(b, n) }
			func set() { q2(a, 3) }`, "a b"},
		{"a function that takes itself", `type fix func(fix)
			func (f fix) q() { f(f) }
			func self(f fix) { f.q() }
			func set() { fix(self).q() }`, "self"},
		{"a type that holds itself", owner + `type list struct { next *list; f func() }
			func set(l *list) { l.next.next = l; l.f = a; l.f = l.next.next.f }
			func q2(l *list) { l.next.f() }`, "a"},
		{"a slice that holds itself", owner + `func q2(s []any) { s = append(s, s, a); s[0].(func())() }`, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := build(t, importing(test.src))
			// The function that asks is the last of q, q2, Q and the literal in it that there is.
			var last string
			for _, name := range []string{"q", "q2", "q2$1", "Q"} {
				if slices.ContainsFunc(p.pkg.Funcs, func(f *ssa.Function) bool { return f.Name() == name }) {
					last = name
				}
			}
			call := p.dynamic(t, last)
			fns, unknown := p.Funcs(call.Common().Value)
			got := spell(functions(fns, func(f origin.Func) *ssa.Function { return f.Fn }), unknown)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Who looks into each function for itself follows as many as a state machine has.
func TestHandlers(t *testing.T) {
	for _, test := range []struct{ states, targets, handlers, cuts int }{
		{origin.MaxTargets, origin.MaxTargets, origin.MaxTargets, 0},
		{origin.MaxTargets + 1, 0, origin.MaxTargets + 1, 1},
		{origin.MaxHandlers, 0, origin.MaxHandlers, 1},
		{origin.MaxHandlers + 1, 0, 0, 1},
	} {
		src := "type owner struct { states map[int]func() }\nfunc q(x *owner) { x.states[7]() }\n"
		for i := range test.states {
			src += fmt.Sprintf("func a%d() {}\nfunc set%[1]d(x *owner) { x.states[%[1]d] = a%[1]d }\n", i)
		}
		p := build(t, importing(src))
		call := p.dynamic(t, "q")
		targets, _ := p.Targets(call)
		cuts := len(*p.cuts)
		if got := p.Handlers(call); len(targets) != test.targets || len(got) != test.handlers || min(cuts, 1) != test.cuts {
			t.Errorf("%d states: %d targets, %d handlers, %q cut, want %d, %d and %d", test.states, len(targets), len(got), *p.cuts, test.targets, test.handlers, test.cuts)
		}
	}
}

// impls is an interface with n implementers.
func impls(n int) string {
	src := "\ntype doer interface { do() }\nfunc q(x doer) { x.do() }\n"
	for i := range n {
		src += fmt.Sprintf("type t%d struct{}\nfunc (*t%[1]d) do() {}\nvar _ doer = (*t%[1]d)(nil)\n", i+1)
	}
	return src
}

// What the call in q may run, and what it is given. "?" stands for functions that are not in sight.
func TestTargets(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"no implementer", impls(0), "?"},
		{"one implementer", impls(1), "t1.do(x)"},
		{"three implementers", impls(3), "t1.do(x) t2.do(x) t3.do(x)"},
		{"four implementers", impls(4), "?"},
		{"one of four is known to come", impls(4) + `func set() { q(&t2{}) }`, "t2.do(x)"},
		{"three of four are known to come", impls(4) + `func set() { q(&t1{}); q(new(t2)); var x doer = &t3{}; q(x) }`, "t1.do(x) t2.do(x) t3.do(x)"},
		{"four of four are known to come", impls(4) + `func set() { q(&t1{}); q(&t2{}); q(&t3{}); q(&t4{}) }`, "?"},
		{"one is known to come, and more are not", impls(3) + `func set() { q(&t2{}); q(reflect.ValueOf(1).Interface().(doer)) }`, "t1.do(x) t2.do(x) t3.do(x)"},
		{"one is known to come to an exported function", "type t1 struct{}; func (*t1) do() {}; type t2 struct{}; func (*t2) do() {}\n" +
			`type doer interface { do() }
			var _, _ doer = (*t1)(nil), (*t2)(nil)
			func Q(x doer) { x.do() }
			func set() { Q(&t1{}) }`, "t1.do(x) t2.do(x)"},
		{"nobody makes it one", `type t1 struct{}; func (*t1) do() {}
			type doer interface { do() }
			func q(x doer) { x.do() }`, "?"},
		{"a value implements", `type doer interface { do() }
			type t1 int
			func (t1) do() {}
			func q(x doer) { x.do() }
			func set() { q(t1(1)) }`, "t1.do(x)"},
		{"a value comes where a pointer would do", `type doer interface { do() }
			type t1 int
			func (t1) do() {}
			type t2 int
			func (*t2) do() {}
			func q(x doer) { x.do() }
			func set() { q(t1(1)); q(new(t1)) }`, "t1.do(x)"},
		{"in a field", `type doer interface { do() }
			type t1 int
			func (t1) do() {}
			type t2 int
			func (t2) do() {}
			type owner struct { d doer }
			func make1(d doer) *owner { return &owner{d} }
			func set() { make1(t1(1)) }
			func q(x *owner) { x.d.do() }`, "t1.do(x.d)"},
		{"in an exported field", `type doer interface { do() }
			type t1 int
			func (t1) do() {}
			type t2 int
			func (t2) do() {}
			type owner struct { D doer }
			var _ doer = t2(0)
			func set() { _ = owner{t1(1)} }
			func q(x *owner) { x.D.do() }`, "t1.do(x.D) t2.do(x.D)"},
		{"in a wider interface", `type doer interface { do() }
			type t1 int
			func (t1) do() {}
			type t2 int
			func (t2) do() {}
			func q(x any) { x.(doer).do() }
			func set() { q(t1(1)); q(1); q(nil) }`, "t1.do(x)"},
		{"through a narrower interface", `type doer interface { do(); other() }
			type narrow interface { do() }
			type t1 int
			func (t1) do() {}
			func (t1) other() {}
			type t2 int
			func (t2) do() {}
			func (t2) other() {}
			func q(x narrow) { x.do() }
			func via(x doer) { q(x) }
			func set() { via(t1(1)) }`, "t1.do(x)"},
		{"promoted", `type doer interface { do() }
			type base struct{}
			func (*base) do() {}
			type mid struct { base }
			type t1 struct { *mid }
			func q(x doer) { x.do() }
			func set() { q(t1{}) }`, "base.do(x).mid.base"},
		{"generic implementer", `type doer interface { do() }
			type t1[T any] struct{}
			func (*t1[T]) do() {}
			func q(x doer) { x.do() }
			func set() { q(&t1[int]{}) }`, "t1[T].do(x)"},
		{"interface of another package", `type t1 int
			func (t1) Error() string { return "" }
			func q(x error) { _ = x.Error() }`, "?"},
		{"interface of another package, known to hold what", `type t1 int
			func (t1) Len() int { return 0 }
			func (t1) Less(i, j int) bool { return false }
			func (t1) Swap(i, j int) {}
			func q(x sort.Interface) { _ = x.Len() }
			func set() { q(t1(1)) }`, "t1.Len(x)"},

		{"function", owner + `func set(x *owner) { x.cb = a }`, "a()"},
		{"three functions", owner + `func set(x *owner) { x.cb = a; x.cb = b; x.cb = c }`, "a() b() c()"},
		{"function that is not known", owner + `func Set(x *owner, f func()) { x.cb = a; x.cb = f }`, "a() ?"},
		{"method value", owner + `func set(x *owner, y *other) { x.cb = y.m }`, "other.m(y)"},
		{"method value of a field", owner + `type outer struct { in *other }
			func set(x *owner, y *outer) { x.cb = y.in.m }`, "other.m(y.in)"},
		{"with arguments", `type owner struct { cb func(int, string) }
			func a(int, string) {}
			func set(x *owner) { x.cb = a }
			func q(x *owner, n int) { x.cb(n, "") }`, "a(n, a string)"},
		{"deferred", `type owner struct { cb func() }
			func a() {}
			func set(x *owner) { x.cb = a }
			func q(x *owner) { defer x.cb() }`, "a()"},
		{"in a go statement", `type owner struct { cb func() }
			func a() {}
			func set(x *owner) { x.cb = a }
			func q(x *owner) { go x.cb() }`, "a()"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := build(t, importing(test.src))
			name := "q"
			if strings.Contains(test.src, "func Q(") {
				name = "Q"
			}
			targets, all := p.Targets(p.dynamic(t, name))
			var got []string
			for _, x := range targets {
				var args []string
				for _, a := range x.Args {
					args = append(args, flow.PathOf(a).String())
				}
				got = append(got, fmt.Sprintf("%s(%s)%s", spell([]*ssa.Function{x.Fn}, false), strings.Join(args, ", "), x.Sel))
			}
			slices.Sort(got)
			if !all {
				got = append(got, "?")
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The functions in which calls stand that may run f.
func TestCallers(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"nobody", `func f() {}`, ""},
		{"a call", `func f() {}; func g() { f() }`, "g"},
		{"two calls", `func f() {}; func g() { f(); f() }`, "g g"},
		{"itself", `func f() { f() }`, "f"},
		{"deferred and in a go statement", `func f() {}; func g() { defer f() }; func h() { go f() }`, "g h"},
		{"in a literal", `func f() {}; func g() { func() { f() }() }`, "g$1"},
		{"in a variable's value", `func f() int { return 1 }; var v = f()`, "init"},
		{"method", `type t int; func (t) f() {}; func g(x *t) { x.f() }`, "g"},
		{"method of an instance", `type t[T any] struct{}; func (*t[T]) f() {}; func g(x *t[int]) { x.f() }`, "g"},
		{"instance", `func f[T any](T) {}; func g() { f(1); f("") }`, "g g"},
		{"through an interface", `type t int; func (t) f() {}; type i interface{ f() }; func g(x i) { x.f() }; func h() { g(t(0)) }`, "g"},
		{"through a field", `func f() {}; type t struct { cb func() }; func set(x *t) { x.cb = f }; func g(x *t) { x.cb() }`, "g"},
		{"through a method value in a field", `type s int; func (s) f() {}; type t struct { cb func() }; func set(x *t, y s) { x.cb = y.f }; func g(x *t) { x.cb() }`, "g"},
		{"only set", `func f() {}; type t struct { cb func() }; func set(x *t) { x.cb = f }`, ""},
		{"one of four", `func f() {}; func f2() {}; func f3() {}; func f4() {}
			type t struct { cb func() }; func set(x *t) { x.cb = f; x.cb = f2; x.cb = f3; x.cb = f4 }; func g(x *t) { x.cb() }`, ""},
		{"through an argument", `func f() {}; func g(do func()) { do() }; func h() { g(f) }`, "g"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := build(t, importing(test.src))
			var in []*ssa.Function
			for _, c := range p.Callers(p.fn(t, "f")) {
				in = append(in, c.Parent())
			}
			if got := spell(in, false); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The functions that the package keeps in owner.cb, each with the object that keeps it, and what a method value binds.
func TestHoldings(t *testing.T) {
	const types1 = `
type owner struct { cb func(); in *inner }
type inner struct { cb func() }
func (*owner) m() {}
func a() {}
`
	for _, test := range []struct{ name, src, want string }{
		{"none", types1, ""},
		{"function", types1 + `func set(x *owner) { x.cb = a }`, "a in x"},
		{"literal", types1 + `func set(x *owner) { x.cb = func() { x.m() } }`, "set$1 in x"},
		{"method value", types1 + `func set(x, y *owner) { x.cb = y.m }`, "owner.m of y in x"},
		{"of its own object", types1 + `func set(x *owner) { x.cb = x.m }`, "owner.m of x in x"},
		{"two places", types1 + `func set(x, y *owner) { x.cb = a; y.cb = x.m }`, "a in x, owner.m of x in y"},
		{"field of another type", types1 + `func set(x *owner) { x.in.cb = a }`, ""},
		{"literal of the object", types1 + `func set() { x := &owner{cb: a}; x.m() }`, "a in owner"},
		{"deeper object", types1 + `type outer struct { o *owner }
			func set(x *outer) { x.o.cb = x.o.m }`, "owner.m of x.o in x.o"},
		{"setter", types1 + `func (x *owner) set(f func()) { x.cb = f }
			func use(y *owner) { y.set(y.m) }`, "owner.m of y in y"},
		{"setter of a field's object", types1 + `func (x *owner) set(f func()) { x.cb = f }
			type outer struct { o *owner }
			func use(z *outer) { z.o.set(a) }`, "a in z.o"},
		{"setter of a setter", types1 + `func (x *owner) set(f func()) { x.cb = f }
			type outer struct { o *owner }
			func (x *outer) set(f func()) { x.o.set(f) }
			func use(z *outer) { z.set(z.o.m) }`, "owner.m of z.o in z.o"},
		{"two uses of a setter", types1 + `func (x *owner) set(f func()) { x.cb = f }
			func use(y *owner) { y.set(a) }
			func use2(z *owner) { z.set(z.m) }`, "a in y, owner.m of z in z"},
		{"setter that nobody uses", types1 + `func (x *owner) set(f func()) { x.cb = f }`, ""},
		{"constructor", types1 + `func make1(f func()) *owner { x := &owner{cb: f}; return x }
			func use() { make1(a) }`, "a in ?"},
		{"what comes out of a field", types1 + `func set(x, y *owner) { x.cb = y.cb }`, ""},
		{"setter that calls itself", types1 + `func (x *owner) set(f func(), n int) { x.cb = f; x.set(f, n-1) }
			func use(y *owner) { y.set(a, 2) }`, "a in y"},
		{"object that was made elsewhere", types1 + `func get() *owner { return new(owner) }
			func use() { x := get(); x.cb = a }`, "a in get()"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := build(t, importing(test.src))
			cb := p.pkg.Type("owner").Type().Underlying().(*types.Struct).Field(0)
			var got []string
			for _, h := range p.Holdings(cb) {
				s := spell([]*ssa.Function{h.Fn}, false)
				if h.Bound {
					s += " of " + flow.PathOf(h.Closure.Bindings[0]).String()
				}
				if s += " in " + h.Holder.String(); !slices.Contains(got, s) {
					got = append(got, s)
				}
			}
			slices.Sort(got)
			if got := strings.Join(got, ", "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The channels that the operation in q may be about, by the sizes of their buffers; "?" where there may be others, and
// how code that is not in sight may have them. A p in the source has an operation on the same channel, or on another.
func TestGroups(t *testing.T) {
	const pipe = `
type pipe struct { ch chan int; in *pipe }
func make1() *pipe { return &pipe{ch: make(chan int, 1)} }
func q(x *pipe) { <-x.ch }
`
	for _, test := range []struct{ name, src, want string }{
		{"never made", `type pipe struct { ch chan int }; func q(x *pipe) { <-x.ch }`, ""},
		{"field", pipe, "1"},
		{"field that is made twice", pipe + `func again(x *pipe) { x.ch = make(chan int, 2) }`, "1 2"},
		{"field of another object", pipe + `func p(x *pipe) { x.in.ch <- 1 }`, "1 same"},
		{"field of another type", pipe + `type other struct { ch chan int }; func p(x *other) { x.ch <- 1 }`, "1 apart"},
		{"local variable", `func q() { c := make(chan int, 1); <-c }; func p() { c := make(chan int, 2); c <- 1 }`, "1 apart"},
		{"captured", `func q() { c := make(chan int, 1); go p(c); <-c }; func p(c chan int) { c <- 1 }`, "1 same"},
		{"captured by a literal", `func f() { c := make(chan int, 1); go func() { q(c) }() }; func q(c chan int) { <-c }`, "1"},
		{"captured and set again", `func f() { c := make(chan int, 1); f := func() { q(c) }; c = make(chan int, 2); f() }; func q(c chan int) { <-c }`, "1 2"},
		{"chosen", `func q(x bool) { c := make(chan int, 1); if x { c = make(chan int, 2) }; <-c }`, "1 2"},
		{"select", `func q(c chan int) { select { case <-c: } }; func f() { q(make(chan int, 1)) }`, "1"},
		{"close", pipe + `func p(x *pipe) { close(x.ch) }`, "1 same"},
		{"one direction only", pipe + `func p(c chan<- int) { c <- 1 }; func f(x *pipe) { p(x.ch) }`, "1 same"},
		{"named type", pipe + `type out chan int; func p(c out) { c <- 1 }; func f(x *pipe) { p(out(x.ch)) }`, "1 same"},

		{"getter", pipe + `func (x *pipe) get() <-chan int { return x.ch }; func p(x *pipe) { <-x.get() }`, "1 same"},
		{"getter of a getter", pipe + `func (x *pipe) get() chan int { return x.ch }; func (x *pipe) get2() chan int { return x.in.get() }
			func p(x *pipe) { x.get2() <- 1 }`, "1 same"},
		{"exported getter", pipe + `func (x *pipe) Get() <-chan int { return x.ch }`, "1 returned"},
		{"exported getter of a program", "package main\n" + pipe + `func Get() <-chan int { return make1().ch }; func main() {}`, "1"},
		{"exported method of a program", "package main\n" + pipe + `func (x *pipe) Get() <-chan int { return x.ch }; func main() {}`, "1 returned"},
		{"second result", pipe + `func (x *pipe) get() (int, chan int) { return 1, x.ch }; func p(x *pipe) { _, c := x.get(); c <- 1 }`, "1 same"},
		{"getter through an interface", pipe + `func (x *pipe) get() <-chan int { return x.ch }; type getter interface { get() <-chan int }; var _ getter = (*pipe)(nil)
			func p(x getter) { <-x.get() }`, "1 same"},
		{"getter in a field", pipe + `type user struct { get func() chan int }; func (x *pipe) get() chan int { return x.ch }
			func f(x *pipe) { p(&user{x.get}) }; func p(x *user) { x.get() <- 1 }`, "1 same"},
		{"getter of a literal", pipe + `func p(x *pipe) { get := func() chan int { return x.ch }; get() <- 1 }`, "1 same"},

		{"parameter", `func q(c chan int) { <-c }; func f() { q(make(chan int, 1)); q(make(chan int, 2)) }`, "1 2"},
		{"parameter that is passed on", `func q(c chan int) { <-c }; func f2(c chan int) { q(c) }; func f() { go f2(make(chan int, 1)) }`, "1"},
		{"parameter of an exported function", `func Q(c chan int) { q(c) }; func q(c chan int) { <-c }; func f() { q(make(chan int, 1)) }`, "1 ? passed"},
		{"parameter of an exported method", `type t int; func (t) Q(c chan int) { q(c) }; func q(c chan int) { <-c }`, "? passed"},
		{"variadic parameter", `func f(cs ...chan int) { for _, c := range cs { q(c) } }; func q(c chan int) { <-c }
			func g() { f(make(chan int, 1), make(chan int, 2)) }`, "1 2"},
		{"deferred", pipe + `func f(x *pipe) { defer p(x.ch) }; func p(c chan int) { close(c) }`, "1 same"},

		{"struct literal by value", `type pipe struct { ch chan int }; func f() { q(pipe{make(chan int, 1)}) }; func q(x pipe) { <-x.ch }`, "1"},
		{"struct copy", pipe + `func f(x *pipe) { y := *x; p(y) }; func p(y pipe) { y.ch <- 1 }`, "1 same"},
		{"struct that is returned", pipe + `func get(x *pipe) pipe { return *x }; func p(x *pipe) { get(x).ch <- 1 }`, "1 same"},
		{"copied from field to field", pipe + `type other struct { out chan int }; func f(x *pipe) *other { return &other{out: x.ch} }; func p(y *other) { y.out <- 1 }`, "1 same"},
		{"struct in a struct", pipe + `type outer struct { pipe; n int }; func p(x *outer) { x.ch <- 1 }`, "1 same"},
		{"struct in a map", pipe + `func p(m map[string]pipe) { m["x"].ch <- 1 }`, "1 same"},
		{"generic struct", `type pipe[T any] struct { ch chan T }; func make1[T any]() *pipe[T] { return &pipe[T]{make(chan T, 1)} }
			func q[T any](x *pipe[T]) { <-x.ch }; func p(x *pipe[int]) { x.ch <- 1 }`, "1 same"},

		{"channel of channels", `func ask(cc chan chan int) { q(<-cc) }; func q(c chan int) { <-c }; func f() { cc := make(chan chan int, 9); cc <- make(chan int, 1); ask(cc); serve(cc) }
			func serve(cc chan chan int) { p(<-cc) }; func p(c chan int) { c <- 1 }`, "1 same"},
		{"request with an answer", `type request struct { answer chan int }; func q(r request) { <-r.answer }
			func f(in chan request) { r := request{answer: make(chan int, 1)}; in <- r; q(r) }
			func serve(in chan request) { for r := range in { p(r) } }; func p(r request) { r.answer <- 1 }`, "1 same"},
		{"answer in a select", `func f(cc chan chan int) { c := make(chan int, 1); select { case cc <- c: q(c) } }; func q(c chan int) { <-c }
			func serve(cc chan chan int) { select { case c := <-cc: p(c) } }; func p(c chan int) { c <- 1 }
			func start() { cc := make(chan chan int, 9); go serve(cc); f(cc) }`, "1 same"},
		{"map of channels", `type hub struct { m map[string]chan int }; func (h *hub) add() { h.m["x"] = make(chan int, 1) }
			func q(h *hub) { <-h.m["x"] }; func p(h *hub) { for _, c := range h.m { c <- 1 } }`, "1 same"},
		{"map that may miss it", `type hub struct { m map[string]chan int }; func (h *hub) add() { h.m["x"] = make(chan int, 1) }
			func q(h *hub) { <-h.m["x"] }; func p(h *hub) { if c, ok := h.m["y"]; ok { c <- 1 } }`, "1 same"},
		{"two maps", `func q() { m := map[int]chan int{1: make(chan int, 1)}; <-m[1] }; func p() { m := map[int]chan int{1: make(chan int, 2)}; m[1] <- 1 }`, "1 apart"},
		{"slice of channels", `func q(s []chan int) { <-s[0] }; func p(s []chan int) { for _, c := range s { c <- 1 } }
			func f() { var s []chan int; s = append(s, make(chan int, 1)); q(s); p(s) }`, "1 same"},
		{"map of slices", `type hub struct { m map[string][]chan int }; func (h *hub) add(c chan int) { h.m["x"] = append(h.m["x"], c) }
			func q(h *hub) { c := make(chan int, 1); h.add(c); <-c }; func p(h *hub) { for _, s := range h.m { for _, c := range s { c <- 1 } } }`, "1 same"},

		{"package variable", `var ch = make(chan int, 1); func q() { <-ch }; func p() { ch <- 1 }`, "1 same"},
		{"exported package variable", `var Ch = make(chan int, 1); func q() { <-Ch }`, "1 ? passed"},
		{"exported package variable of a program", "package main\nvar Ch = make(chan int, 1); func q() { <-Ch }; func main() {}", "1"},
		{"exported field", `type pipe struct { Ch chan int }; func f(x *pipe) { x.Ch = make(chan int, 1) }; func q(x *pipe) { <-x.Ch }`, "1 returned"},
		{"exported field that is not made here", `type pipe struct { Ch chan int }; func q(x *pipe) { <-x.Ch }`, "? returned"},
		{"exported field of a program", "package main\n" + `type pipe struct { Ch chan int }; func f(x *pipe) { x.Ch = make(chan int, 1) }; func q(x *pipe) { <-x.Ch }; func main() {}`, "1"},
		{"field of another package", `func q(x *time.Timer) { <-x.C }`, "? passed"},
		{"passed to another package", `func q() { c := make(chan os.Signal, 1); signal.Notify(c); <-c }`, "1 sent"},
		{"passed in a go statement", `func q() { c := make(chan os.Signal, 1); go signal.Notify(c); <-c }`, "1 sent"},
		{"got from another package", `func q() { <-time.After(1) }`, "? passed"},
		{"put into an interface", pipe + `func f(x *pipe) any { return x.ch }`, "1 passed"},
		{"passed to a function that is not known", pipe + `func F(x *pipe, f func(chan int)) { f(x.ch) }`, "1 passed"},
		{"passed to an interface that is not known", pipe + `func F(x *pipe, f interface{ Take(chan int) }) { f.Take(x.ch) }`, "1 passed"},
		{"returned by an exported function that makes it", `func Q() chan int { c := make(chan int, 1); go q(c); return c }; func q(c chan int) { <-c }`, "1 returned"},
		{"returned by an exported function and passed", `func Q() chan os.Signal { c := make(chan os.Signal, 1); signal.Notify(c); go q(c); return c }; func q(c chan os.Signal) { <-c }`, "1 returned sent"},
		{"compared", pipe + `func f(x, y *pipe) bool { return x.ch == y.ch }`, "1"},

		{"wait group", `type t struct { wg sync.WaitGroup }; func q(x *t) { x.wg.Wait() }; func p(x *t) { x.wg.Done() }`, "same"},
		{"pointer to a wait group", `func f() { var wg sync.WaitGroup; go p(&wg); q(&wg) }; func q(wg *sync.WaitGroup) { wg.Wait() }; func p(wg *sync.WaitGroup) { wg.Done() }`, "same"},
		{"two wait groups", `type t struct { a, b sync.WaitGroup }; func q(x *t) { x.a.Wait() }; func p(x *t) { x.b.Done() }`, "apart"},
		{"wait group of an exported field", `type T struct { WG sync.WaitGroup }; func q(x *T) { x.WG.Wait() }`, "? returned"},
		{"wait group of an exported parameter", `func Q(wg *sync.WaitGroup) { q(wg) }; func q(wg *sync.WaitGroup) { wg.Wait() }`, "? passed"},
		{"wait group behind a getter", `type t struct { wg *sync.WaitGroup }; func (x *t) get() *sync.WaitGroup { return x.wg }
			func q(x *t) { x.get().Wait() }; func p(x *t) { x.wg.Done() }`, "same"},
		{"mutex behind a pointer", `type t struct { mu *sync.Mutex }; type u struct { mu *sync.Mutex }; func f(m *sync.Mutex) (*t, *u) { return &t{m}, &u{m} }
			func q(x *t) { x.mu.Lock() }; func p(x *u) { x.mu.Lock() }`, "same"},

		{"calls itself", `func q(c chan int) { f(c); <-c }; func f(c chan int) { f(c); q(c); f(make(chan int, 1)) }`, "1"},
		{"a channel of itself", `type loop chan loop; func q(c loop) { c <- c }; func f() { c := make(loop, 1); q(c); p(get(c)) }; func p(c loop) { c <- nil }; func get(c loop) loop { return <-c }`, "1 same"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := build(t, importing(test.src))
			g := p.GroupOf(p.channel(t, "q"))
			if !g.Known() {
				t.Fatal("the channel is not followed")
			}
			var got []string
			for _, m := range g.Makes() {
				if s := m.Size.(*ssa.Const).Value.String(); !slices.Contains(got, s) {
					got = append(got, s)
				}
			}
			slices.Sort(got)
			if g.Unknown() {
				got = append(got, "?")
			}
			if g.Escape()&origin.Returned != 0 {
				got = append(got, "returned")
			}
			if g.Escape()&origin.Passed != 0 {
				got = append(got, "passed")
			}
			if g.Escape()&origin.Received != 0 {
				got = append(got, "received")
			}
			if g.Escape()&origin.Sent != 0 {
				got = append(got, "sent")
			}
			for _, f := range p.pkg.Funcs {
				switch {
				case f.Name() == "p" && p.GroupOf(p.channel(t, "p")) == g:
					got = append(got, "same")
				case f.Name() == "p":
					got = append(got, "apart")
				}
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// What is neither a channel nor an object of package sync has no group.
func TestNoGroup(t *testing.T) {
	p := build(t, `package src

func q(f func(), n int, s []int) {}
`)
	for _, v := range p.fn(t, "q").Params {
		if p.GroupOf(v).Known() {
			t.Errorf("%s has a group", v.Name())
		}
	}
}

// chain is a program in which what set gives comes to q through n parameters.
func chain(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package src\n\nfunc a() {}\nfunc set() { f%d(a) }\nfunc q(f func()) { f() }\nfunc f0(f func()) { q(f) }\n", n)
	for i := range n {
		fmt.Fprintf(&b, "func f%d(f func()) { f%d(f) }\n", i+1, i)
	}
	return b.String()
}

// Past so many steps back nobody can say what comes: more than is found may.
func TestLongWay(t *testing.T) {
	for n, want := range map[int]string{10: "a", 1500: "a", 2500: "?"} {
		p := build(t, chain(n))
		fns, unknown := p.Funcs(p.dynamic(t, "q").Common().Value)
		if got := spell(functions(fns, func(f origin.Func) *ssa.Function { return f.Fn }), unknown); got != want {
			t.Errorf("through %d functions: got %q, want %q", n, got, want)
		}
		if cut := slices.Contains(*p.cuts, "values come from more places than are looked at"); cut != (want == "?") {
			t.Errorf("through %d functions: it is said to be cut short: %v", n, cut)
		}
	}
}

// Everything that calls everything, and stores it where all read, comes to an end, and is nothing to follow.
func TestTangle(t *testing.T) {
	const n = 150
	var b strings.Builder
	b.WriteString("package src\n\ntype node struct { next *node; f func(*node, func()); g func(); c chan *node; m map[string]*node; i any }\ntype doer interface { do(doer, func()) doer }\n")
	for i := range n {
		fmt.Fprintf(&b, "type t%d struct { d doer; f func() }\n", i)
		fmt.Fprintf(&b, "func (t *t%d) do(d doer, f func()) doer { t.d = d; t.f = f; t.f(); return t.d.do(t, t.f) }\n", i)
		fmt.Fprintf(&b, "func f%d(x *node, g func()) { x.f = f%d; x.g = g; x.f(x.next, func() { x.g() }); x.c <- x; y := <-x.c; y.m[\"\"] = x; y.i = x.f; x.i = y.i; x.i = &t%d{}; x.i.(doer).do(&t%d{f: g}, y.g) }\n", i, (i+1)%n, i, (i*7)%n)
	}
	p := build(t, b.String())
	calls := 0
	for _, block := range p.fn(t, "f0").Blocks {
		for _, in := range block.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			calls++
			if targets, _ := p.Targets(c); len(targets) > 0 {
				t.Errorf("%s may run any of %d functions, and %d are followed", c, n, len(targets))
			}
			if fns, _ := p.Funcs(c.Common().Value); !c.Common().IsInvoke() && len(fns) != n {
				t.Errorf("%s may run %d functions, want %d", c, len(fns), n)
			}
		}
	}
	if calls != 2 {
		t.Errorf("%d calls in f0, want 2", calls)
	}
}

// A call that is resolved lets values flow that resolve further calls, as often as that takes. The functions stand in
// the order in which each round resolves one of them.
func TestRounds(t *testing.T) {
	for n, want := range map[int]string{2: "leaf", 4: "leaf", 20: "leaf"} {
		var b strings.Builder
		b.WriteString("type fn func(fn)\nfunc leaf(fn) {}\nfunc r1(f fn) { f(nil) }\nfunc r2(f fn) { f(leaf) }\n")
		for i := 3; i <= n; i++ {
			fmt.Fprintf(&b, "func r%d(f fn) { f(r%d) }\n", i, i-2)
		}
		fmt.Fprintf(&b, "func top() { r%d(r%d) }\n", n, n-1)
		p := build(t, importing(b.String()))
		targets, all := p.Targets(p.dynamic(t, "r1"))
		if got := spell(functions(targets, func(t origin.Target) *ssa.Function { return t.Fn }), !all); got != want {
			t.Errorf("%d calls: got %q, want %q", n, got, want)
		}
	}
}

// A call that may run more functions than are followed is said to be cut short, of a value and of an interface.
func TestManyTargets(t *testing.T) {
	for n := range 6 {
		var b strings.Builder
		b.WriteString("type doer interface { do() }\nvar fs []func()\nfunc q() { fs[0]() }\nfunc r(d doer) { d.do() }\n")
		for i := range n {
			fmt.Fprintf(&b, "type t%d struct{}\nvar _ doer = t%[1]d{}\nfunc (t%d) do() {}\nfunc g%d() { fs = append(fs, func() { _ = %d }) }\n", i, i, i, i)
		}
		p := build(t, importing(b.String()))
		want := n
		if n > 3 {
			want = 0
		}
		for _, name := range []string{"q", "r"} {
			if targets, _ := p.Targets(p.dynamic(t, name)); len(targets) != want {
				t.Errorf("%s may run any of %d functions, and %d are followed", name, n, len(targets))
			}
		}
		if cut := slices.Contains(*p.cuts, "calls may run more functions than are followed"); cut != (n > 3) {
			t.Errorf("%d functions: it is said to be cut short: %v", n, cut)
		}
	}
}
