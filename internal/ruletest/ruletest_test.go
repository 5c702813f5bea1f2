package ruletest

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// recorder collects what the harness complains about.
type recorder struct{ errors []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// named is the fact that a function was seen.
type named struct{ Name string }

func (*named) AFact()           {}
func (n *named) String() string { return "seen as " + n.Name }

// numbered is the fact of how many functions a package has.
type numbered struct{ Funcs int }

func (*numbered) AFact()           {}
func (n *numbered) String() string { return fmt.Sprint(n.Funcs, " functions") }

// funcs reports every function whose name starts with Bad, is sure of those with Sure and not with Unsure in it, and
// refers to the declarations that the others' receivers, if any, name. It exports a fact for each function, and
// panics in Boom.
var funcs = &analysis.Analyzer{
	Name:       "funcs",
	Doc:        "report functions",
	FactTypes:  []analysis.Fact{(*named)(nil), (*numbered)(nil)},
	ResultType: reflect.TypeFor[*rule.Verdicts](),
	Run: rule.Wrap("funcs", &rule.Verdicts{}, func(pass *analysis.Pass) (any, error) {
		verdicts, n := &rule.Verdicts{}, 0
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				n++
				if f.Name.Name == "Boom" {
					panic("boom")
				}
				pass.ExportObjectFact(pass.TypesInfo.Defs[f.Name], &named{f.Name.Name})
				if !strings.HasPrefix(f.Name.Name, "Bad") {
					continue
				}
				found := rule.Finding{Pos: f.Name.Pos(), Sub: "name", Site: "name", Message: f.Name.Name + " is bad"}
				if f.Recv != nil {
					use := f.Recv.List[0].Type.(*ast.Ident)
					found.Related = []analysis.RelatedInformation{
						{Pos: pass.TypesInfo.Uses[use].Pos(), Message: use.Name + " is declared here"},
						{Pos: f.Name.Pos(), Message: "by somebody"},
					}
				}
				switch {
				case strings.Contains(f.Name.Name, "Unsure"):
					verdicts.Note(found, rule.Possible)
				case strings.Contains(f.Name.Name, "Sure"):
					verdicts.Note(found, rule.Certain)
				}
				rule.Report(pass, found)
			}
		}
		pass.ExportPackageFact(&numbered{n})
		return verdicts, nil
	}),
}

func TestHarness(t *testing.T) {
	const (
		found    = `p/p.go:3: unexpected: name "Bad is bad"`
		sure     = `p/p.go:3: unexpected: name/certain "BadSure is bad"`
		method   = "type T int\n\nfunc (T) Bad() {} // want "
		declared = `"T is declared here"`
		somebody = ` @5 "by somebody"`
		methods  = `p/p.go:5: unexpected: name "Bad is bad" @3 "T is declared here" @5 "by somebody"`
	)
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"all as wanted", "func Bad() {} // want name \"Bad is bad\"\n// want +1 name `Bad2 is bad`\nfunc Bad2() {}\nfunc Good() {} // ok: not bad\n", nil},
		{"another comment behind", "func Bad() {} // want name \"Bad is bad\" // as it is\n", nil},
		{"behind a comment", "func Bad() {} // as it is // want name \"Bad is bad\"\n", nil},
		{"missing", "func Good() {} // want name \"Bad is bad\"\n", []string{`p/p.go:3: not found: name "Bad is bad"`}},
		{"extra", "func Bad() {}\n", []string{found}},
		{"other text", "func Bad() {} // want name \"Bad is worse\"\n", []string{`p/p.go:3: not found: name "Bad is worse"`, found}},
		{"text without its beginning", "func Bad() {} // want name \"is bad\"\n", []string{`p/p.go:3: not found: name "is bad"`, found}},
		{"text without its end", "func Bad() {} // want name \"Bad is\"\n", []string{`p/p.go:3: not found: name "Bad is"`, found}},
		{"text as a pattern", "func Bad() {} // want name \"Bad .*\"\n", []string{`p/p.go:3: not found: name "Bad .*"`, found}},
		{"wanted twice", "func Bad() {} // want name \"Bad is bad\" name \"Bad is bad\"\n", []string{`p/p.go:3: not found: name "Bad is bad"`}},
		{"other sub-rule", "func Bad() {} // want names \"Bad is bad\"\n", []string{`p/p.go:3: not found: names "Bad is bad"`, found}},

		{"sure", "func BadSure() {} // want name/certain \"BadSure is bad\"\n", nil},
		{"not sure", "func BadUnsure() {} // want name/possible \"BadUnsure is bad\"\n", nil},
		{"less sure than wanted", "func BadUnsure() {} // want name/certain \"BadUnsure is bad\"\n", []string{`p/p.go:3: not found: name/certain "BadUnsure is bad"`, `p/p.go:3: unexpected: name/possible "BadUnsure is bad"`}},
		{"sure, which nobody wanted", "func BadSure() {} // want name \"BadSure is bad\"\n", []string{`p/p.go:3: not found: name "BadSure is bad"`, sure}},
		{"no confidence", "func Bad() {} // want name/possible \"Bad is bad\"\n", []string{`p/p.go:3: not found: name/possible "Bad is bad"`, found}},

		{"related", method + "name \"Bad is bad\" @3 " + declared + somebody + "\n", nil},
		{"related on another line", method + "name \"Bad is bad\" @4 " + declared + somebody + "\n", []string{`p/p.go:5: not found: name "Bad is bad" @4 "T`, methods}},
		{"related in another file", method + "name \"Bad is bad\" @q.go:3 " + declared + somebody + "\n", []string{`p/p.go:5: not found: name "Bad is bad" @q.go:3 "T`, methods}},
		{"related with another message", method + "name \"Bad is bad\" @3 \"T\"" + somebody + "\n", []string{`p/p.go:5: not found: name "Bad is bad" @3 "T" @5`, methods}},
		{"related missing", method + "name \"Bad is bad\" @3 " + declared + "\n", []string{`p/p.go:5: not found: name "Bad is bad" @3 "T is declared here"`, methods}},
		{"related in another order", method + "name \"Bad is bad\"" + somebody + " @3 " + declared + "\n", []string{`p/p.go:5: not found: name "Bad is bad" @5 "by somebody" @3`, methods}},
		{"related that is not there", "func Bad() {} // want name \"Bad is bad\" @3 \"here\"\n", []string{`p/p.go:3: not found: name "Bad is bad" @3 "here"`, found}},
		{"in the file of another one", "func (U) Bad() {} // want name \"Bad is bad\" @q.go:3 \"U is declared here\" @3 \"by somebody\"\n", nil},

		{"fact", "func F() {} // want F:\"seen as F\"\n", nil},
		{"fact of a package", "func F() {}\n// want -3 package:\"1 functions\"\n", nil},
		{"fact and finding", "func Bad() {} // want Bad:\"seen as Bad\" name \"Bad is bad\"\n", nil},
		{"fact missing", "func F() {} // want F:\"seen as G\"\n", []string{`p/p.go:3: not found: F:"seen as G"`, `p/p.go:3: unexpected: F:"seen as F"`}},
		{"part of a fact", "func F() {} // want F:\"seen\"\n", []string{`p/p.go:3: not found: F:"seen"`, `p/p.go:3: unexpected: F:"seen as F"`}},
		{"fact of nobody", "func F() {} // want G:\"seen as G\"\n", []string{`p/p.go:3: not found: G:"seen as G"`}},

		{"panic", "func Boom() {}\n", []string{"p/p.go:1: funcs could not analyse package example.com/m/p: boom"}},
		{"type error", "var x int = \"\"\n", []string{"testdata does not load:"}},
		{"no sub-rule", "// want \"Bad is bad\"\n", []string{"p/p.go:3: want comment: a message has no sub-rule in front of it"}},
		{"no text", "// want nothing\n", []string{`"nothing" is followed by no quoted text`}},
		{"nothing", "// want // nothing\n", []string{"p/p.go:3: want comment: it asks for nothing"}},
		{"no confidence of that name", "// want name/sure \"Bad is bad\"\n", []string{`"name/sure" is neither`}},
		{"place of nothing", "// want @3 \"here\"\n", []string{"@3 belongs to no finding"}},
		{"place of a fact", "func F() {} // want F:\"seen as F\" @3 \"here\"\n", []string{"@3 belongs to no finding"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := module(t, "package p\n\n"+test.source)
			var r recorder
			run(&r, dir, funcs, false, "p/...")
			if !slices.EqualFunc(r.errors, test.want, strings.Contains) {
				t.Errorf("got  %q\nwant %q", r.errors, test.want)
			}
		})
	}
}

// What the comments should say is written into them, and then they say it.
func TestUpdateWants(t *testing.T) {
	const before = `package p // want package:"?"

type T int

func Bad() {} // want "^Bad.*"
func (T) BadSure() {} //nolint:all // a method
// want +1 name "Bad3 was bad"
func Bad3() {}
func F() {} // want F:"?" // as it is
func Good() {} // want name "gone" // but this stays

// want other:"?" +

const c = 1
`
	const after = `package p // want package:"5 functions"

type T int

func Bad()         {} // want name "Bad is bad"
func (T) BadSure() {} //nolint:all // a method // want name/certain "BadSure is bad" @3 "T is declared here" @6 "by somebody"
// want +1 name "Bad3 is bad"
func Bad3() {}
func F()    {} // want F:"seen as F" // as it is
func Good() {} // but this stays

//

const c = 1
`
	dir := module(t, before)
	var r recorder
	run(&r, dir, funcs, true, "p/...")
	got, err := os.ReadFile(filepath.Join(dir, "p", "p.go"))
	if err != nil || r.errors != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(after) {
		t.Errorf("got %v, errors %q:\n%s", err, r.errors, got)
	}
	run(&r, dir, funcs, false, "p/...")
	if r.errors != nil {
		t.Errorf("once written, they differ: %q", r.errors)
	}
}

// A line that formatting adds makes all messages wrong that name a line behind it.
func TestUpdateMovesLines(t *testing.T) {
	long := strings.Repeat("x", 60)
	dir := module(t, "package p\n\nfunc Bad"+long+"() string { return \""+long+"\" }\n")
	var r recorder
	run(&r, dir, funcs, true, "p/...")
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "formatting has moved lines") {
		t.Errorf("got %q, want an error about the lines", r.errors)
	}
}

func TestUpdateFailure(t *testing.T) {
	dir := module(t, "package p\n\nfunc Boom() {} // want name \"Bad is bad\"\n")
	var r recorder
	run(&r, dir, funcs, true, "p/...")
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "boom") {
		t.Errorf("got %q, want the panic", r.errors)
	}
}

func TestNoPackages(t *testing.T) {
	dir := filetest.Module(t, nil)
	var r recorder
	run(&r, dir, funcs, false, "p/...")
	if len(r.errors) != 1 {
		t.Errorf("got %q, want one error", r.errors)
	}
}

// module is the folder of a module with a package p that has this source in p.go, and a type U in q.go.
func module(t *testing.T, source string) string {
	t.Helper()
	return filetest.Module(t, map[string]string{"p/p.go": source, "p/q.go": "package p\n\ntype U int\n"})
}
