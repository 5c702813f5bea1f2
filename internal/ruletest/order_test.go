package ruletest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// naive says something about each function that depends on the order named by its first word: whether it is the first
// one of its file (list), of the text (place), or of the files (file), or has its first case (cases) or branch
// (branch) first. Of others it says the same in all orders. It keeps facts of what it says of functions with Fact in
// their names.
var naive = &analysis.Analyzer{
	Name:      "naive",
	Doc:       "depend on the order",
	FactTypes: []analysis.Fact{(*named)(nil)},
	Run: rule.Wrap("naive", nil, func(pass *analysis.Pass) (any, error) {
		for i, file := range pass.Files {
			list, place := true, file.FileEnd
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok {
					place = min(place, f.Pos())
				}
			}
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				first := false
				switch kind := f.Name.Name; {
				case strings.HasPrefix(kind, "list"):
					first = list
				case strings.HasPrefix(kind, "place"):
					first = place == f.Pos()
				case strings.HasPrefix(kind, "file"):
					first = i == 0
				case strings.HasPrefix(kind, "cases"):
					ast.Inspect(f, func(n ast.Node) bool {
						if body := casesOf(n); body != nil {
							first = body.List[0].Pos() == body.Pos()+3 // behind the brace, a new line and a tab
						}
						return true
					})
				}
				if strings.HasPrefix(f.Name.Name, "branch") {
					if n := f.Body.List[0].(*ast.IfStmt); n.Else != nil {
						first = n.Body.Pos() < n.Else.Pos()
					}
				}
				list = false
				text := fmt.Sprint(f.Name.Name, " is first: ", first)
				if strings.Contains(f.Name.Name, "Fact") {
					pass.ExportObjectFact(pass.TypesInfo.Defs[f.Name], &named{text})
				} else {
					rule.Report(pass, rule.Finding{Pos: f.Name.Pos(), Sub: "first", Site: "first", Message: text})
				}
			}
		}
		return nil, nil
	}),
}

func TestOrder(t *testing.T) {
	const moves = " in %s depends on the order of the source"
	cases := func(name, statement, first string) string {
		return "func " + name + "(x any, n int, c chan int) {\n\t" + statement + " {\n\tcase " + first + "\n\t\tprintln()\n\t}\n}\n"
	}
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"nothing differs", "func f() {}\nfunc g() {}\n", nil},
		{"place in the list", "func list() {}\nfunc g() {}\n", []string{"p: naive/first" + fmt.Sprintf(moves, "list")}},
		{"place in the text", "func place() {}\nfunc g() {}\n", []string{"p: naive/first" + fmt.Sprintf(moves, "place")}},
		{"place among methods", "type T int\n\nfunc (*T) list() {}\nfunc (T) g() {}\n", []string{"p: naive/first" + fmt.Sprintf(moves, "(*T).list")}},
		{"file", "func file() {}\n", []string{"p: naive/first" + fmt.Sprintf(moves, "file")}},
		{"fact", "func listFact() {}\nfunc g() {}\n", []string{"p: ruletest.named" + fmt.Sprintf(moves, "listFact")}},
		{"one function", "func list() {}\nfunc place() {}\nvar _ = 1\n", []string{fmt.Sprintf(moves, "list"), fmt.Sprintf(moves, "place")}},

		{"switch over constants", cases("cases", "switch n", "0:\n\tcase 1, 2:\n\tdefault:"), []string{fmt.Sprintf(moves, "cases")}},
		{"switch over types", cases("cases", "switch x.(type)", "int:\n\tcase string, nil:"), []string{fmt.Sprintf(moves, "cases")}},
		{"select", cases("cases", "select", "<-c:\n\tcase c <- 1:"), []string{fmt.Sprintf(moves, "cases")}},
		{"switch without a value", cases("cases", "switch", "n > 0:\n\tcase n > 1:"), nil},
		{"switch over values", cases("cases", "switch n", "n:\n\tcase 1:"), nil},
		{"switch over interfaces", cases("cases", "switch x.(type)", "error:\n\tcase int:"), nil},
		{"case that falls through", cases("cases", "switch n", "0:\n\t\tfallthrough\n\tcase 1:"), nil},

		{"else", "func branch(x any) {\n\tif x == nil {\n\t} else {\n\t}\n}\n", []string{fmt.Sprintf(moves, "branch")}},
		{"else of the opposite", "func branch(x any) {\n\tif x != nil {\n\t} else {\n\t}\n}\n", []string{fmt.Sprintf(moves, "branch")}},
		{"else of a negation", "func branch(b bool) {\n\tif !b {\n\t} else {\n\t}\n}\n", []string{fmt.Sprintf(moves, "branch")}},
		{"else of a variable", "func branch(b bool) {\n\tif b {\n\t} else {\n\t}\n}\n", nil},
		{"else of a comparison with no opposite", "func branch(n float64) {\n\tif n < 1 {\n\t} else {\n\t}\n}\n", nil},
		{"another if behind else", "func branch(n int) {\n\tif n == 1 {\n\t} else if n < 2 {\n\t}\n}\n", nil},
		{"no else", "func branch(n int) {\n\tif n == 1 {\n\t}\n}\n", nil},

		{"line directives", "//line q.go:1\nfunc f() {}\n", []string{"line directives cannot be varied"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := module(t, "package p\n\n"+test.source)
			var r recorder
			run(&r, dir, naive, true, "p/...")
			run(&r, dir, naive, false, "p/...")
			if !slices.EqualFunc(r.errors, test.want, strings.Contains) {
				t.Errorf("got  %q\nwant %q", r.errors, test.want)
			}
		})
	}
}

// counts exports how many packages were analysed before, in a run of three and that of link.Modules.
func counts() *analysis.Analyzer {
	n := 0
	return &analysis.Analyzer{Name: "counts", Doc: "count packages", FactTypes: []analysis.Fact{(*numbered)(nil)}, Run: func(pass *analysis.Pass) (any, error) {
		pass.ExportPackageFact(&numbered{n % 4})
		n++
		return nil, nil
	}}
}

func TestOrderOfPackages(t *testing.T) {
	for _, test := range []struct {
		name, imports string
		differ        int
	}{
		{"one behind the other", "import _ \"example.com/m/%s\"\n", 0},
		{"beside each other", "// no import of %s\n", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := module(t, "package p\n")
			filetest.Write(t, dir, map[string]string{
				"q/q.go": "package q\n" + fmt.Sprintf(test.imports, "p"), "r/r.go": "package r\n" + fmt.Sprintf(test.imports, "q"),
			})
			var r recorder
			run(&r, dir, counts(), false, "./...")
			if len(r.errors) != test.differ {
				t.Errorf("got %q, want %d errors", r.errors, test.differ)
			}
		})
	}
}

// Declarations move with their comments, and keep their lines and columns; imports, variables and init stay in order.
func TestRearrange(t *testing.T) {
	const source = `// Package p is.
package p

import "fmt"

// A is first.
func A() {} // behind A

var b = fmt.Sprint() // behind b

type (
	// T is.
	T int
)

func init() {}

func init() { /* twice */ }
func C() {}; func D() {}
const e = 1`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text, err := orders()[0].rearrange(fset, file, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	moved, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	places := func(f *ast.File) (names []string) {
		for _, decl := range f.Decls {
			name := "type"
			switch d := decl.(type) {
			case *ast.FuncDecl:
				name = d.Name.Name
			case *ast.GenDecl:
				name = d.Tok.String()
			}
			p := fset.Position(decl.Pos())
			names = append(names, fmt.Sprintf("%s %s:%d:%d", name, p.Filename, p.Line, p.Column))
		}
		return names
	}
	want := []string{
		"import p.go:4:1", "const p.go:20:1", "var p.go:9:1", "C p.go:19:1", "D p.go:19:14",
		"init p.go:16:1", "init p.go:18:1", "type p.go:11:1", "A p.go:7:1",
	}
	if got := places(moved); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q in\n%s", got, want, text)
	}
	comments := func(f *ast.File) (all []string) {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if !strings.HasPrefix(c.Text, "//line ") {
					p := fset.Position(c.Pos())
					all = append(all, fmt.Sprintf("%d:%d %s", p.Line, p.Column, c.Text))
				}
			}
		}
		slices.Sort(all)
		return all
	}
	if got, want := comments(moved), comments(file); !slices.Equal(got, want) {
		t.Errorf("got the comments %q\nwant %q", got, want)
	}
	for _, decl := range moved.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == "A" && f.Doc.Text() != "A is first.\n" {
			t.Errorf("A has the comment %q", f.Doc.Text())
		}
	}
}

// Each call gives the same orders, and each of them is another one.
func TestOrders(t *testing.T) {
	var seen []string
	for i, o := range orders() {
		p := fmt.Sprint(o.perm(9))
		if again := fmt.Sprint(orders()[i].perm(9)); again != p || slices.Contains(seen, p) {
			t.Errorf("%s: %s, then %s, after %s", o.name, p, again, seen)
		}
		seen = append(seen, p)
	}
	if len(seen) != 6 {
		t.Errorf("%d orders", len(seen))
	}
}
