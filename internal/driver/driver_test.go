package driver

import (
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
)

// isBad is the fact that a function's name starts with Bad.
type isBad struct{}

func (*isBad) AFact() {}

// bad reports the calls of functions whose name starts with Bad; those of other packages it knows from facts.
var bad = &analysis.Analyzer{
	Name:      "bad",
	Doc:       "report calls of bad functions",
	FactTypes: []analysis.Fact{(*isBad)(nil)},
	Run: rule.Wrap("bad", nil, func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if strings.HasPrefix(n.Name.Name, "Bad") {
						pass.ExportObjectFact(pass.TypesInfo.Defs[n.Name], &isBad{})
					}
					if n.Name.Name == "Boom" {
						panic("boom")
					}
				case *ast.Ident:
					obj := pass.TypesInfo.Uses[n]
					if obj == nil || obj.Pkg() == nil {
						return true
					}
					if pass.ImportObjectFact(obj, new(isBad)) || obj.Pkg() == pass.Pkg && strings.HasPrefix(n.Name, "Bad") {
						rule.Report(pass, rule.Finding{
							Pos: n.Pos(), End: n.End(), Sub: "call", Site: "call", Message: n.Name + " is called",
							Related: []analysis.RelatedInformation{{Pos: obj.Pos(), Message: "declared here"}},
						})
					}
				}
				return true
			})
		}
		return nil, nil
	}),
}

// outcome is a result in short: the text of the findings, and the failures.
func outcome(r Result) []string {
	var b strings.Builder
	if err := report.Text(&b, r.Findings, report.Style{}); err != nil {
		return []string{err.Error()}
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	for _, f := range r.Failures {
		lines = append(lines, "failure: "+f.String())
	}
	return lines
}

func outcomeOf(t *testing.T, o Options) []string {
	t.Helper()
	return outcome(Run([]*analysis.Analyzer{bad}, o))
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

const badDecl = "package b\n\nfunc Bad() {}\n"

func TestFindingsAcrossPackages(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"b/b.go": badDecl,
		"a/a.go": "package a\n\nimport \"example.com/m/b\"\n\ntype T[K any] struct{}\n\nfunc (*T[K]) M() {\n\tfunc() { b.Bad() }()\n}\n\nvar _ = b.Bad\n",
	})
	r := Run([]*analysis.Analyzer{bad}, Options{Dir: dir})
	expect(t, outcome(r),
		"a/a.go:8:13: Bad is called (bad/call)", "\tb/b.go:3:6: declared here",
		"a/a.go:11:11: Bad is called (bad/call)", "\tb/b.go:3:6: declared here")
	var b strings.Builder
	if err := report.JSON(&b, r.Findings); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(b.String(), "\n")
	want := `{"rule":"bad","category":"bad/call","site":"call","file":"a/a.go","line":8,"column":13,"endLine":8,"endColumn":16,"package":"example.com/m/a","function":"(*T).M",` +
		`"message":"Bad is called","code":"func() { b.Bad() }()","severity":"error","url":"` + rule.URLBase + `bad/call.md","related":[{"file":"b/b.go","line":3,"column":6,"message":"declared here"}]}`
	if first != want {
		t.Errorf("got  %s\nwant %s", first, want)
	}
}

func TestFunction(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a.go": "package m\n\nfunc Bad() {}\n\ntype T struct{}\n\nfunc (T) V()  { Bad() }\nfunc (*T) P() { Bad() }\nfunc F()      { Bad() }\n\nvar V = Bad\n",
	})
	var got []string
	for _, f := range Run([]*analysis.Analyzer{bad}, Options{Dir: dir}).Findings {
		got = append(got, f.Function)
	}
	if want := []string{"T.V", "(*T).P", "F", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The package and its test variant are analysed one by one, and a finding in both is one finding.
func TestTests(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"b/b.go":      badDecl + "\nfunc F() { Bad() }\n",
		"b/b_test.go": "package b\n\nfunc g() { Bad() }\n",
	})
	expect(t, outcomeOf(t, Options{Dir: dir}), "b/b.go:5:12: ", "\t")
	rule.Active.Tests = true
	defer func() { rule.Active.Tests = false }()
	expect(t, outcomeOf(t, Options{Dir: dir, Tests: true}), "b/b.go:5:12: ", "\t", "b/b_test.go:3:12: ", "\t")
}

func TestOnlyTestFiles(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"b/b_test.go": "package b\n\nfunc Bad() { Bad() }\n", "a/a.go": "package a\n"})
	expect(t, outcomeOf(t, Options{Dir: dir}))
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./b"}}))
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./b/..."}}))
	rule.Active.Tests = true
	defer func() { rule.Active.Tests = false }()
	expect(t, outcomeOf(t, Options{Dir: dir, Tests: true}), "b/b_test.go:3:14: ", "\t")
}

// What only the tests of other packages import is for tests: it says nothing of its own tests, nor of a command, and
// not where a package imports it, too.
func TestImportedByTests(t *testing.T) {
	source := func(pkg string) string { return "package " + pkg + "\n\nfunc Bad() { Bad() }\n" }
	dir := filetest.Module(t, map[string]string{
		"mock/mock.go": source("mock"), "mock/mock_test.go": "package mock_test\n\nimport _ \"example.com/m/mock\"\n",
		"both/both.go": source("both"), "alone/alone.go": source("alone"), "alone/alone_test.go": "package alone_test\n\nimport _ \"example.com/m/alone\"\n",
		"cmd/main.go": "package main\n\nimport _ \"example.com/m/both\"\n\nfunc main() {}\n",
		"a/a.go":      "package a\n", "a/a_test.go": "package a\n\nimport (\n\t_ \"example.com/m/both\"\n\t_ \"example.com/m/mock\"\n)\n",
	})
	r := Run([]*analysis.Analyzer{bad}, Options{Dir: dir})
	var in []string
	for _, f := range r.Findings {
		in = append(in, f.Package)
	}
	if want := []string{"example.com/m/alone", "example.com/m/both"}; !slices.Equal(in, want) {
		t.Errorf("findings in %q, want %q", in, want)
	}
	if want := "1 finding is excluded in packages that only tests import (-tests reports them)"; !slices.Contains(r.Remarks, want) {
		t.Errorf("remarks %q, want %q", r.Remarks, want)
	}
	if n := len(Run([]*analysis.Analyzer{bad}, Options{Dir: dir, Tests: true}).Findings); n != 3 {
		t.Errorf("%d findings with -tests, want 3", n)
	}
}

func TestGenerated(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"b.go": "// Code generated by hand. DO NOT EDIT.\n\npackage b\n\nfunc Bad() { Bad() }\n"})
	expect(t, outcomeOf(t, Options{Dir: dir}))
	rule.Active.Generated = true
	defer func() { rule.Active.Generated = false }()
	expect(t, outcomeOf(t, Options{Dir: dir}), "b.go:5:14: ", "\t")
}

func TestTags(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"a.go": "package b\n", "b.go": "//go:build extra\n\npackage b\n\nfunc Bad() { Bad() }\n"})
	expect(t, outcomeOf(t, Options{Dir: dir}))
	expect(t, outcomeOf(t, Options{Dir: dir, Tags: "extra"}), "b.go:5:14: ", "\t")
}

func TestTypeError(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"broken/x.go":   "package broken\n\nvar X int = \"\"\n",
		"importer/x.go": "package importer\n\nimport \"example.com/m/broken\"\n\nvar X = broken.X\n",
		"fine/x.go":     "package fine\n\nfunc Bad() { Bad() }\n",
		"syntax/x.go":   "package syntax\n\nvar x y z\n",
		"missing/x.go":  "package missing\n\nimport _ \"example.com/m/nowhere\"\n",
	})
	expect(t, outcomeOf(t, Options{Dir: dir}), "fine/x.go:3:14: ", "\t",
		`failure: example.com/m/broken: broken/x.go:3:13: cannot use "" (untyped string constant) as int value`,
		"failure: example.com/m/broken: 1 package that imports it was analysed without it",
		"failure: example.com/m/nowhere: missing/x.go:3:10: no required module provides package example.com/m/nowhere",
		"failure: example.com/m/nowhere: 1 package that imports it was analysed without it",
		"failure: example.com/m/syntax: syntax/x.go:3:9: ",
	)
}

// A checkout whose assets were not built has all its code: both the package that embeds them and its importers are
// analysed.
func TestMissingEmbed(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"web/web.go": "package web\n\nimport _ \"embed\"\n\n//go:embed index.html\nvar Index string\n\nfunc Bad() { Bad() }\n",
		"app/app.go": "package app\n\nimport \"example.com/m/web\"\n\nfunc F() { web.Bad() }\n",
	})
	expect(t, outcomeOf(t, Options{Dir: dir}),
		"app/app.go:5:16: ", "\t", "web/web.go:8:14: ", "\t")
	// The package that cannot be built need not be asked for.
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./app"}}), "app/app.go:5:16: ", "\t")
}

func TestPanic(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"a/a.go": "package a\n\nfunc Boom() {}\n", "b/b.go": badDecl + "\nfunc F() { Bad() }\n"})
	expect(t, outcomeOf(t, Options{Dir: dir}), "b/b.go:5:12: ", "\t",
		"failure: example.com/m/a: bad could not analyse package example.com/m/a: boom (at driver/driver_test.go:")
}

func TestPatterns(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"b/b.go": badDecl, "empty/readme": ""})
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./nowhere/..."}}), "failure: pattern ./nowhere/...: ")
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./b/...", "./nowhere/..."}}), "failure: pattern ./nowhere/...: ")
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./b", "./b/..."}}))
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./empty/..."}}), "failure: pattern ./empty/... matches no packages")
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./b", "./empty/..."}}), "failure: pattern ./empty/... matches no packages")
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./nowhere"}}), "failure: ")
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./empty"}}), "failure: ")
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"example.com/other"}}), "failure: ")
}

func TestNoModule(t *testing.T) {
	t.Setenv("GO111MODULE", "")
	got := outcomeOf(t, Options{Dir: t.TempDir()})
	if len(got) != 1 || !strings.Contains(got[0], "go.mod") && !strings.Contains(got[0], "main module") {
		t.Errorf("got %q", got)
	}
	expect(t, outcomeOf(t, Options{Dir: filepath.Join(t.TempDir(), "nowhere")}), "failure: stat ")

	// A folder with Go files of which no module is known: the loader gives no package and no error.
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "pkg"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pkg", "a.go"), []byte("package pkg\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	expect(t, outcomeOf(t, Options{Dir: dir, Patterns: []string{"./pkg"}}), "failure: go.mod file not found")
}

func TestCgo(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"b.go": "package b\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc Bad() int { return int(C.one()) }\n\nfunc F() int { return Bad() }\n",
	})
	expect(t, outcomeOf(t, Options{Dir: dir}), "b.go:8:23: Bad is called", "\tb.go:6:6: declared here")
}

// What is wrong outside of all that a key is made of is not kept: a C compiler that is not there, the header of another
// module.
func TestMendedCgo(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a.go":       "package m\n\nimport \"example.com/dep\"\n\nvar N = [3]int([dep.N]int{})\n\nfunc Bad() { Bad() }\n",
		"dep/go.mod": "module example.com/dep\n\ngo 1.26\n",
		"dep/dep.go": "package dep\n\n// #include \"dep.h\"\nimport \"C\"\n\nconst N = C.N\n",
	})
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ./dep\n")
	kept, err := store.Open(store.Options{Dir: filepath.Join(t.TempDir(), "cache")})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	for _, step := range []struct{ header, cc, failure string }{
		{"", "", "example.com/dep: dep/dep.go:3:11: fatal error: dep.h"},
		{"#define N 3\n", "CC=" + filepath.Join(dir, "nowhere"), "example.com/dep: cgo: C compiler"},
		{"#define N 3\n", "", ""},
		{"#define N 4\n", "", "cannot convert"},
		{"#define N 3\n", "", ""},
	} {
		if step.header != "" {
			write("dep/dep.h", step.header)
		}
		r := Run([]*analysis.Analyzer{bad}, Options{Dir: dir, Build: []string{"CGO_ENABLED=1", step.cc}, Store: kept})
		switch {
		case step.failure == "" && (len(r.Failures) > 0 || len(r.Findings) != 1):
			t.Errorf("%q %q: %v", step.header, step.cc, outcome(r))
		case step.failure != "" && (len(r.Failures) == 0 || !strings.Contains(r.Failures[0].String(), step.failure)):
			t.Errorf("%q %q: %v, want a failure: %s", step.header, step.cc, outcome(r), step.failure)
		}
	}
}

func TestPhase(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"a/a.go": "package a\n\nfunc F() {}\n", "b/b.go": "package b\n\nimport \"example.com/m/a\"\n\nfunc G() { a.F() }\n"})
	var begun []string
	var last func() string
	Run([]*analysis.Analyzer{bad}, Options{Dir: dir, Phase: func(what func() string) {
		begun, last = append(begun, what()), what
	}})
	expect(t, begun, "asking go list for the packages (which downloads modules that are missing)",
		"0 of 2 packages analysed; 0 of at most 2 imported ones read")
	if got, want := last(), "2 of 2 packages analysed; 1 of at most 2 imported ones read"; got != want {
		t.Errorf("in the end it is %q, want %q", got, want)
	}
}

// Rules leave dependencies alone, the standard library among them, unless they are named.
func TestDependencies(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	see := &analysis.Analyzer{
		Name: "see", Doc: "note the packages",
		Run: rule.Wrap("see", nil, func(pass *analysis.Pass) (any, error) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, pass.Pkg.Path())
			return nil, nil
		}),
	}
	dir := filetest.Module(t, map[string]string{"a/a.go": "package a\n\nimport (\n\t_ \"container/heap\"\n\t_ \"container/list\"\n)\n"})
	for _, test := range []struct {
		patterns []string
		stored   bool
		want     string
	}{{[]string{"./..."}, true, "example.com/m/a"}, {[]string{"./...", "container/list"}, false, "container/list example.com/m/a"}} {
		seen = nil
		s, err := store.Open(store.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // nothing is stored that another run would take for its own
			if r := Run([]*analysis.Analyzer{see}, Options{Dir: dir, Patterns: test.patterns, Store: s}); len(r.Failures) > 0 {
				t.Error(r.Failures)
			}
			slices.Sort(seen)
			if got := strings.Join(seen, " "); got != test.want {
				t.Errorf("%s: got %s, want %s", test.patterns, got, test.want)
			}
			if !test.stored {
				seen = nil
			}
		}
	}
}

// manifest is the result of an analyzer that reads a file beside the program.
type manifest struct{}

func (*manifest) Reads(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "..", "*.yaml"))
}

// What analyzers read beyond a package decides about the results of programs, even if another analyzer requires them.
func TestReader(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	reads := &analysis.Analyzer{
		Name: "reads", Doc: "read a file", ResultType: reflect.TypeFor[*manifest](),
		Run: func(*analysis.Pass) (any, error) { return new(manifest), nil },
	}
	see := &analysis.Analyzer{
		Name: "see", Doc: "note the packages", Requires: []*analysis.Analyzer{reads},
		Run: func(pass *analysis.Pass) (any, error) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, pass.Pkg.Path())
			return nil, nil
		},
	}
	dir := filetest.Module(t, map[string]string{"m/go.mod": "module example.com/n\n", "m/a/a.go": "package a\n", "m/main.go": "package main\n\nimport _ \"example.com/n/a\"\n\nfunc main() {}\n"})
	s, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ name, text, want string }{
		{"role.yaml", "a", "example.com/n example.com/n/a"},
		{"role.yaml", "a", ""},
		{"role.yaml", "b", "example.com/n"},
		{"other.yaml", "", "example.com/n"},
		{"other.txt", "", ""},
	} {
		if err := os.WriteFile(filepath.Join(dir, step.name), []byte(step.text), 0o666); err != nil {
			t.Fatal(err)
		}
		seen = nil
		if r := Run([]*analysis.Analyzer{see}, Options{Dir: filepath.Join(dir, "m"), Store: s}); len(r.Failures) > 0 {
			t.Error(r.Failures)
		}
		slices.Sort(seen)
		if got := strings.Join(seen, " "); got != step.want {
			t.Errorf("with %q in %s, %q were analysed, want %q", step.text, step.name, got, step.want)
		}
	}
}
