package origin_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// One importer for all cases: it type-checks what they import from source, once.
var (
	fset = token.NewFileSet()
	imp  = importer.ForCompiler(fset, "source", nil)
)

type program struct {
	pkg *ssapkg.Package
	*origin.Index
}

// build indexes src, a file without its package clause, or with one.
func build(t testing.TB, src string) program {
	t.Helper()
	if !strings.HasPrefix(src, "package ") {
		src = "package src\n\n" + src
	}
	file, err := parser.ParseFile(fset, "src.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: imp}
	pkg, err := conf.Check("example.com/src", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	lazy, err := ssapkg.Analyzer.Run(&analysis.Pass{Fset: fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info})
	if err != nil {
		t.Fatal(err)
	}
	p := lazy.(*ssapkg.Lazy).Get()
	return program{p, origin.Build(p)}
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

// channel is what the one send, receive, select case, close, or method of a wait group in the function named so is about.
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
			src := test.src
			var imports string
			for _, pkg := range []string{"flag", "reflect", "runtime"} {
				if strings.Contains(src, pkg+".") {
					imports += fmt.Sprintf("import %q\n", pkg)
				}
			}
			clause, rest, ok := strings.Cut(src, "\n")
			if !ok || !strings.HasPrefix(clause, "package ") {
				clause, rest = "package src", src
			}
			p := build(t, clause+"\n"+imports+rest)
			// The function that asks is the last of q, q2, Q and the literal in it that there is.
			var last string
			for _, f := range p.pkg.Funcs {
				if slices.Contains([]string{"q", "q2", "q2$1", "Q"}, f.Name()) {
					last = f.Name()
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
