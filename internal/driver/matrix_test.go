package driver

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/matrix"
	"github.com/ctrllint/ctrllint/internal/report"
)

func runAll(t *testing.T, o Options, builds string) []string {
	t.Helper()
	var b matrix.Builds
	if err := b.Set(builds); err != nil {
		t.Fatal(err)
	}
	return outcome(RunAll([]*analysis.Analyzer{bad}, o, b))
}

func TestMatrix(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a.go":         "package m\n\nfunc Bad() { Bad() }\n",
		"b_linux.go":   "package m\n\nfunc B() { Bad() }\n",
		"b_windows.go": "package m\n\nfunc B() { Bad() }\n",
		"c.go":         "//go:build !windows\n\npackage m\n\nfunc C() { Bad() }\n",
		"d.go":         "//go:build e2e\n\npackage m\n\nvar D int = \"\"\n",
		"e/e.go":       "//go:build cgo\n\npackage e\n\nfunc Bad() { Bad() }\n",
	})
	expect(t, runAll(t, Options{Dir: dir}, ""), "a.go:3:14: Bad is called (bad/call)", "\t", "b_linux.go:3:12: Bad is called (bad/call)", "\t", "c.go:5:12: Bad is called (bad/call)", "\t",
		"e/e.go:5:14: ", "\t")
	expect(t, runAll(t, Options{Dir: dir}, "linux/amd64+cgo=off,windows/amd64,linux/amd64+tags=e2e+cgo=on"),
		"a.go:3:14: Bad is called (bad/call) [linux/amd64+cgo=off, windows/amd64]", "\t",
		"b_linux.go:3:12: Bad is called (bad/call) [linux/amd64+cgo=off]", "\t",
		"b_windows.go:3:12: Bad is called (bad/call) [windows/amd64]", "\t",
		"c.go:5:12: Bad is called (bad/call) [linux/amd64+cgo=off]", "\t",
		"e/e.go:5:14: Bad is called (bad/call) [linux/amd64+tags=e2e+cgo=on]", "\t",
		`failure: example.com/m: d.go:5:13: cannot use "" (untyped string constant) as int value in variable declaration [linux/amd64+tags=e2e+cgo=on]`)
	expect(t, runAll(t, Options{Dir: dir, Tags: "e2e", Patterns: []string{"."}}, "linux/amd64,windows/amd64"),
		`failure: example.com/m: d.go:5:13: cannot use "" (untyped string constant) as int value in variable declaration [linux/amd64, windows/amd64]`)
}

// Findings of all builds name none, in JSON either.
func TestMatrixSame(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"a.go": "package m\n\nfunc Bad() { Bad() }\n", "b.go": "//go:build x\n\npackage m\n\nfunc B() { Bad() }\n"})
	builds := matrix.Builds{{Name: "host"}, {Name: "tags=x", Tags: []string{"x"}}}
	r := RunAll([]*analysis.Analyzer{bad}, Options{Dir: dir}, builds)
	expect(t, outcome(r), "a.go:3:14: Bad is called (bad/call)", "\t", "b.go:5:12: Bad is called (bad/call) [tags=x]", "\t")
	var b strings.Builder
	if err := report.JSON(&b, r.Findings); err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(b.String(), "\n")
	if strings.Contains(first, "builds") || !strings.Contains(second, `"builds":["tags=x"]`) || strings.HasSuffix(outcome(r)[0], "]") {
		t.Errorf("got %s", b.String())
	}
}

func TestMatrixUnknownPlatform(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"a.go": "package m\n\nfunc Bad() { Bad() }\n"})
	expect(t, runAll(t, Options{Dir: dir}, "host,plan10/amd64"), "a.go:3:14: Bad is called (bad/call) [host]", "\t",
		"failure: unsupported GOOS/GOARCH pair plan10/amd64 (go tool dist list names those there are) [plan10/amd64]")
}

// At the root of a workspace, ./... are the packages of all its modules.
func TestWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "")
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"go.work":      "go 1.26\n\nuse (\n\t./a\n\t./b\n\t./empty\n)\n",
		"a/go.mod":     "module example.com/a\n\ngo 1.26\n",
		"a/a.go":       "package a\n\nfunc Bad() {}\n",
		"b/go.mod":     "module example.com/b\n\ngo 1.26\n",
		"b/b/b.go":     "package b\n\nimport \"example.com/a\"\n\nfunc F() { a.Bad() }\n",
		"c/go.mod":     "module example.com/c\n\ngo 1.26\n",
		"c/c.go":       "package c\n\nfunc Bad() { Bad() }\n",
		"empty/go.mod": "module example.com/empty\n\ngo 1.26\n",
	})
	analyzers := []*analysis.Analyzer{bad}
	finding := []string{"b/b/b.go:5:14: Bad is called (bad/call)", "\ta/a.go:3:6: "}
	for _, patterns := range [][]string{nil, {"./..."}, {"./a/...", "./b/..."}, {"./b/..."}} {
		r := Run(analyzers, Options{Dir: dir, Patterns: patterns})
		expect(t, outcome(r), finding...)
		if left := strings.Join(r.Left, " "); patterns == nil && left != "c" || len(patterns) == 2 && left != "" {
			t.Errorf("%q: left out: %s", patterns, left)
		}
	}
	expect(t, outcome(Run(analyzers, Options{Dir: dir, Patterns: []string{"./...", "./empty/..."}})),
		append(finding, "failure: pattern ./empty/... matches no packages")...)
	expect(t, outcome(Run(analyzers, Options{Dir: dir, Patterns: []string{"./c/..."}})),
		"failure: pattern ./c/...: its module is not in go.work: go work use adds it, GOWORK=off ignores go.work")
	t.Setenv("GOWORK", "off")
	expect(t, outcome(Run(analyzers, Options{Dir: filepath.Join(dir, "c")})), "c.go:3:14: ", "\t")
}
