// Package ruletest checks a rule against the example programs of the testdata module.
//
// It reads the `// want` comments of x/tools' analysistest, but the packages are loaded and analysed the way the standalone
// driver does it, one after the other: the examples import the real Kubernetes modules, and to type-check all of those for
// each rule would take minutes.
package ruletest

import (
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/passes"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Run applies a to the packages that patterns name below testdata ("lockheld/..."), and fails t where the diagnostics
// and the comments differ. On a line,
//
//	// want "re" `re`      asks for one diagnostic a pattern, matched against the message
//	// want name:"re"      asks for a fact of the object name declared there, matched against its String
//	// want +1 "re"        is about the next line
//
// Every diagnostic must be asked for. Facts need not be: a summary is exported for many functions, and a test names the
// ones it is about. A package that does not load, a rule that panics and a fact that cannot be encoded fail t.
func Run(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Join(root, "testdata"), a, patterns...)
}

// reporter is what run needs of a *testing.T, so that the harness can be tested itself.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

func run(t reporter, dir string, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	seen, err := analyze(dir, a, nil, patterns)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	for _, one := range seen {
		check(t, dir, one)
	}
}

// analysed is one package and what the analyzer made of it.
type analysed struct {
	*load.Source
	listed   *packages.Package
	fset     *token.FileSet
	found    []analysis.Diagnostic
	exported *passes.Exported
}

// analyze runs a over the packages that patterns name, with the contents of overlay in the place of the files that it
// names.
func analyze(dir string, a *analysis.Analyzer, overlay map[string][]byte, patterns []string) ([]*analysed, error) {
	var relative []string
	for _, p := range patterns {
		relative = append(relative, "./"+strings.TrimPrefix(p, "./"))
	}
	graph, err := load.List(load.Config{
		Context: context.Background(), Dir: dir, Overlay: overlay, Env: append(os.Environ(), "GOWORK=off"), Patterns: relative,
	})
	if err != nil {
		return nil, err
	}
	if len(graph.Roots) == 0 {
		return nil, fmt.Errorf("%s: no packages", strings.Join(patterns, " "))
	}
	runner, err := passes.New([]*analysis.Analyzer{a})
	if err != nil {
		return nil, err
	}
	var seen []*analysed
	var failed []string
	reach := graph.Reach()
	for _, p := range graph.Own {
		src := graph.Source(p)
		for _, e := range src.Errors {
			failed = append(failed, p.PkgPath+": "+e.Error())
		}
		if len(src.Errors) > 0 {
			continue
		}
		pkg := &passes.Package{
			Fset: graph.Fset, Files: src.Files, OtherFiles: p.OtherFiles, IgnoredFiles: p.IgnoredFiles,
			Types: src.Types, Info: src.Info, Sizes: graph.Sizes, Module: p.Module, ReadFile: graph.Read,
		}
		for _, i := range reach[p] {
			if t, err := graph.Types(i); err == nil {
				pkg.Imports = append(pkg.Imports, t)
			}
		}
		actions, exported := runner.Run(pkg)
		last := actions[len(actions)-1] // those that it requires come before it
		for _, act := range actions {
			if act.Err != nil {
				failed = append(failed, fmt.Sprintf("%s: %s: %v", p.PkgPath, act.Analyzer.Name, act.Err))
			}
		}
		facts, err := exported.Encode()
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: facts: %v", p.PkgPath, err))
		}
		if t, err := graph.Types(p); err == nil {
			runner.Facts.Provide(t, facts)
		}
		if slices.Contains(graph.Roots, p) {
			seen = append(seen, &analysed{src, p, graph.Fset, last.Diagnostics, exported})
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("testdata does not load:\n%s", strings.Join(failed, "\n"))
	}
	return seen, nil
}

type lineKey struct {
	file string
	line int
}

// expectation is one pattern of a want comment. Object is empty for a diagnostic.
type expectation struct {
	object  string
	pattern *regexp.Regexp
}

func check(t reporter, dir string, one *analysed) {
	t.Helper()
	at := func(pos token.Pos) lineKey {
		p := one.fset.Position(pos)
		name := p.Filename
		if rel, err := filepath.Rel(dir, name); err == nil {
			name = filepath.ToSlash(rel)
		}
		return lineKey{name, p.Line}
	}

	want := make(map[lineKey][]expectation)
	for _, file := range one.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				delta, expects, err := parseWant(c.Text)
				k := at(c.Pos())
				if err != nil {
					t.Errorf("%s:%d: %v", k.file, k.line, err)
				}
				if expects != nil {
					k.line += delta
					want[k] = append(want[k], expects...)
				}
			}
		}
	}
	// take removes the first expectation about object at k that text meets.
	take := func(k lineKey, object, text string) bool {
		for i, e := range want[k] {
			if e.object == object && e.pattern.MatchString(text) {
				want[k] = append(want[k][:i:i], want[k][i+1:]...)
				return true
			}
		}
		return false
	}

	for _, d := range one.found {
		k := at(d.Pos)
		if d.Category == rule.InternalError {
			t.Errorf("%s:%d: %s", k.file, k.line, d.Message)
		} else if !take(k, "", d.Message) {
			t.Errorf("%s:%d: unexpected finding: %s", k.file, k.line, d.Message)
		}
	}
	for _, f := range one.exported.Objects() {
		take(at(f.Object.Pos()), f.Object.Name(), fmt.Sprint(f.Fact))
	}

	var missing []string
	for k, expects := range want {
		for _, e := range expects {
			what := "finding"
			if e.object != "" {
				what = "fact of " + e.object
			}
			missing = append(missing, fmt.Sprintf("%s:%d: no %s matches %q", k.file, k.line, what, e.pattern))
		}
	}
	sort.Strings(missing)
	for _, m := range missing {
		t.Errorf("%s", m)
	}
}

// parseWant gives the expectations of a comment, none if it is no want comment. A second comment may follow on the line.
func parseWant(comment string) (delta int, expects []expectation, err error) {
	_, text, found := strings.Cut(comment, "// want ")
	if !found {
		return 0, nil, nil
	}
	text = strings.TrimSpace(text)
	if text != "" && (text[0] == '+' || text[0] == '-') {
		number, rest, _ := strings.Cut(text, " ")
		if delta, err = strconv.Atoi(number); err != nil {
			return 0, nil, fmt.Errorf("want comment: %w", err)
		}
		text = rest
	}
	for {
		text = strings.TrimSpace(text)
		if text == "" || strings.HasPrefix(text, "//") {
			break
		}
		var e expectation
		if name, rest, found := strings.Cut(text, ":"); found && token.IsIdentifier(name) {
			e.object, text = name, rest
		}
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return 0, nil, fmt.Errorf("want comment: %q is no quoted pattern", text)
		}
		text = text[len(quoted):]
		pattern, err := strconv.Unquote(quoted)
		if err != nil {
			return 0, nil, fmt.Errorf("want comment: %w", err)
		}
		if e.pattern, err = regexp.Compile(pattern); err != nil {
			return 0, nil, fmt.Errorf("want comment: %w", err)
		}
		expects = append(expects, e)
	}
	if expects == nil {
		return 0, nil, fmt.Errorf("want comment without a pattern")
	}
	return delta, expects, nil
}

// moduleRoot is the folder of the go.mod above the package under test.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod above the package under test")
		}
		dir = parent
	}
}
