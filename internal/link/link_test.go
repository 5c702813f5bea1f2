package link

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestPlaces(t *testing.T) {
	fset := token.NewFileSet()
	name := filepath.Join("/m", "p", "p.go")
	file, err := parser.ParseFile(fset, name, "package p\n\nfunc F() {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	pass := &analysis.Pass{Fset: fset, Pkg: types.NewPackage("example.com/m/p", "p"), Files: []*ast.File{file}}
	at := AtOf(pass, file.Decls[0].Pos())
	if at != "example.com/m/p/p.go:3:1" || at.String() != "p.go:3" || at.Package() != "example.com/m/p" {
		t.Errorf("%q, %s, %s", string(at), at, at.Package())
	}
	if AtOf(pass, token.NoPos) != "" {
		t.Error("no position is a place")
	}
	dirs := Dirs{pass.Pkg.Path(): Dir(pass)}
	for _, at := range []At{at, "example.com/m/p/other.go:120:44", "example.com/m/p/p.go:1:1"} {
		p := fset.Position(dirs.Pos(pass, at))
		if got := At("example.com/m/p/" + filepath.Base(p.Filename)); p.Filename != filepath.Join("/m", "p", filepath.Base(p.Filename)) || At(p.String()) != At(filepath.Join("/m", "p", filepath.Base(p.Filename)))+at[len(got):] {
			t.Errorf("%s is at %v", string(at), p)
		}
	}
	for _, at := range []At{"", "example.com/m/q/q.go:1:1", "example.com/m/p/p.go:0:1", "example.com/m/p/p.go"} {
		if pos := dirs.Pos(pass, at); pos.IsValid() {
			t.Errorf("%q is at %v", string(at), fset.Position(pos))
		}
	}
}

func TestDispatcher(t *testing.T) {
	a := &Types{}
	a.Convert(Conversion{Type: "*p.A", Iface: "p.I"})
	a.Convert(Conversion{Type: "*p.A", Iface: "p.I"})
	a.Convert(Conversion{Type: "*p.B", Iface: "any"})
	a.Methods = []Concrete{{"*p.A", []Method{{"Do", "(*p.A).Do"}}}, {"*p.B", []Method{{"Do", "(*p.B).Do"}, {"Undo", "(*p.B).Undo"}}}}
	b := &Types{Interfaces: []Interface{{"p.I", []string{"Do"}}, {"p.J", []string{"Undo"}}}, Asserts: []Assertion{{"any", "p.J"}}}
	b.Convert(Conversion{Type: "*p.C", Iface: "any"})                  // its methods are not known
	b.Convert(Conversion{Type: "*p.B", Iface: "p.I", In: "p.NewFake"}) // for tests, which are no part of the program
	b.Convert(Conversion{Type: "*p.B", Iface: "p.J", In: "p.New"})
	d := NewDispatcher([]*Types{a, b}, func(fn string) bool { return fn == "p.New" })
	names := func(iface string) (out []string) {
		for _, c := range d.Flowing(iface) {
			out = append(out, c.Type)
		}
		return out
	}
	if got := names("p.I"); !slices.Equal(got, []string{"*p.A"}) {
		t.Errorf("to I come %v", got)
	}
	if got := names("p.J"); !slices.Equal(got, []string{"*p.B"}) {
		t.Errorf("to J come %v: what is asserted from the empty interface, and has its methods", got)
	}
	if d.Method("*p.B", "Undo") != "(*p.B).Undo" || d.Method("*p.A", "Undo") != "" || d.Method("*p.C", "Do") != "" {
		t.Error("methods are wrong")
	}
	if !d.Called("(*p.B).Undo") || !d.Called("(*p.A).Do") || d.Called("(*p.B).Do") {
		t.Error("what interfaces call is wrong")
	}
	if !d.Interface("p.I") || d.Interface("p.K") {
		t.Error("interfaces are wrong")
	}
}
