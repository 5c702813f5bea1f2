// Package ruletest checks a rule against the example programs of the testdata module.
//
// It reads the `// want` comments of x/tools' analysistest, but loads dependencies as export data: the examples import
// the real Kubernetes modules, and type-checking those from source for each rule would take minutes. The packages are
// loaded the way the standalone driver loads them.
package ruletest

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

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
	pkgs, err := load(dir, patterns)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, &checker.Options{SanityCheck: true})
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("%s: %v", act.Package.PkgPath, act.Err)
			continue
		}
		check(t, dir, act)
	}
}

func load(dir string, patterns []string) ([]*packages.Package, error) {
	return loadOverlay(dir, nil, patterns)
}

// loadOverlay is load with the contents of overlay in the place of the files that it names.
func loadOverlay(dir string, overlay map[string][]byte, patterns []string) ([]*packages.Package, error) {
	var relative []string
	for _, p := range patterns {
		relative = append(relative, "./"+strings.TrimPrefix(p, "./"))
	}
	pkgs, err := packages.Load(&packages.Config{
		// NeedDeps would load every dependency from source.
		Mode: packages.LoadSyntax | packages.NeedModule | packages.NeedTypesSizes,
		Dir:  dir, Overlay: overlay,
		Env: append(os.Environ(), "GOWORK=off"),
	}, relative...)
	if err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%s: no packages", strings.Join(patterns, " "))
	}
	var failed []string
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			failed = append(failed, p.PkgPath+": "+e.Error())
		}
	})
	if failed != nil {
		return nil, fmt.Errorf("testdata does not load:\n%s", strings.Join(failed, "\n"))
	}
	return pkgs, nil
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

func check(t reporter, dir string, act *checker.Action) {
	t.Helper()
	fset := act.Package.Fset
	at := func(pos token.Pos) lineKey {
		p := fset.Position(pos)
		name := p.Filename
		if rel, err := filepath.Rel(dir, name); err == nil {
			name = filepath.ToSlash(rel)
		}
		return lineKey{name, p.Line}
	}

	want := make(map[lineKey][]expectation)
	for _, file := range act.Package.Syntax {
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

	for _, d := range act.Diagnostics {
		k := at(d.Pos)
		if d.Category == rule.InternalError {
			t.Errorf("%s:%d: %s", k.file, k.line, d.Message)
		} else if !take(k, "", d.Message) {
			t.Errorf("%s:%d: unexpected finding: %s", k.file, k.line, d.Message)
		}
	}
	for _, f := range act.AllObjectFacts() {
		if f.Object.Pkg() == act.Package.Types {
			take(at(f.Object.Pos()), f.Object.Name(), fmt.Sprint(f.Fact))
		}
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
