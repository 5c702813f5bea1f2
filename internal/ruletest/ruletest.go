// Package ruletest checks a rule against the example programs of the testdata module.
//
// The packages are loaded and analysed the way the standalone driver does it, one after the other: the examples import
// the real Kubernetes modules, and x/tools' analysistest would type-check all of those for each rule, which takes minutes.
// What a reader of a finding sees is what the `// want` comments ask for: sub-rule, confidence, the whole message, and the
// related places. Then all of it is done again with the source in other orders, and has to come out the same.
package ruletest

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/passes"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// UpdateWants is the environment variable that makes Run write the want comments instead of comparing them.
const UpdateWants = "UPDATE_WANTS"

// Run applies a to the packages that patterns name below testdata ("lockheld/..."), and fails t where the findings and
// the comments differ. On a line,
//
//	// want relock/certain "b.mu (locked at line 16) is locked again, which deadlocks" @16 "b.mu is locked here"
//	// want F:"acquired(.mu)"
//	// want +1 metadata `the message`
//
// asks for one finding: its sub-rule, its confidence where the rule knows one, its message from end to end, and all its
// related places in their order, each with its message; for a fact of the object F declared there, or of the package
// where the name is "package", as its String has it; and for one on the next line. A related place in another file is
// @file.go:16.
//
// Every finding must be asked for. Facts need not be: a summary is exported for many functions, and a test names the
// ones it is about. An object that is asked about must have those facts and no others. All facts must be the same once
// they were encoded and decoded.
//
// Then the packages are analysed again in each of the orders that order.go describes: findings and facts must be those of
// the first run.
//
// Sub-rules that are off because too few of their findings were right are on.
//
// A package that does not load, a rule that panics and a fact that cannot be encoded fail t.
//
// Set UPDATE_WANTS=1 to have the comments written as the findings are now, and read the difference before it is committed.
func Run(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	withNursery(t)
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Join(root, "testdata"), a, os.Getenv(UpdateWants) != "", patterns...)
}

// reporter is what run needs of a *testing.T, so that the harness can be tested itself.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

func run(t reporter, dir string, a *analysis.Analyzer, update bool, patterns ...string) {
	t.Helper()
	l, err := list(dir, nil, patterns)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	seen, err := l.analyze(a, nil)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	for _, one := range seen {
		if !update {
			checkWants(t, dir, one)
		} else if err := rewriteWants(dir, one); err != nil {
			t.Errorf("%s: %v", one.listed.PkgPath, err)
		}
		for _, err := range roundTrips(one.exported) {
			t.Errorf("%s: %v", one.listed.PkgPath, err)
		}
	}
	if update || slices.ContainsFunc(seen, (*analysed).panicked) {
		return
	}
	differ, err := l.vary(a, seen)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	reportDifferences(t, differ)
}

// listed are the packages that patterns name below dir, and what they import.
type listed struct {
	dir   string
	graph *load.Graph
	reach map[*packages.Package][]*packages.Package

	sources map[*packages.Package]*load.Source // as they are, once they were analysed
}

// list lists packages, with the contents of overlay in the place of the files that it names.
func list(dir string, overlay map[string][]byte, patterns []string) (*listed, error) {
	var relative []string
	for _, p := range patterns {
		relative = append(relative, "./"+strings.TrimPrefix(p, "./"))
		// The go command, which is another process, reads the folders. They are read here, too, for `go test` to know
		// that its kept result is none if an example came in.
		below := filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(strings.TrimSuffix(p, "..."), "/")))
		if err := filepath.WalkDir(below, func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
			return nil, err
		}
	}
	graph, err := load.List(load.Config{
		Context: context.Background(), Dir: dir, Overlay: overlay, Env: append(os.Environ(), "GOWORK=off"), Patterns: relative,
		Deps: rule.Active.Deps,
	})
	if err != nil {
		return nil, err
	}
	if len(graph.Roots) == 0 {
		return nil, fmt.Errorf("%s: no packages", strings.Join(patterns, " "))
	}
	return &listed{dir, graph, graph.Reach(), make(map[*packages.Package]*load.Source)}, nil
}

// analysed is one package and what the analyzer made of it.
type analysed struct {
	*load.Source
	listed   *packages.Package
	fset     *token.FileSet
	rule     string
	found    []analysis.Diagnostic
	verdicts *rule.Verdicts // nil if the rule knows no confidence
	exported *passes.Exported
}

// analyze runs a over the packages, from the imports upwards: in the order of the source, or, where o is not nil, in
// that.
func (l *listed) analyze(a *analysis.Analyzer, o *order) ([]*analysed, error) {
	runner, err := passes.New([]*analysis.Analyzer{a})
	if err != nil {
		return nil, err
	}
	graph, err := o.graph(l)
	if err != nil {
		return nil, err
	}
	var seen []*analysed
	var failed []string
	for _, p := range o.packages(l) {
		src, err := o.source(l, graph, p)
		if err != nil {
			return nil, err
		}
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
		for _, i := range inOrder(o, l.reach[p]) {
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
		facts, err := exported.Encode(nil)
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: facts: %v", p.PkgPath, err))
		}
		if t, err := graph.Types(p); err == nil {
			runner.Facts.Provide(t, facts, nil)
		}
		for _, d := range last.Diagnostics {
			if site, _ := rule.SiteOf(d); site == "" && strings.HasPrefix(d.URL, rule.URLBase) {
				failed = append(failed, fmt.Sprintf("%s: %s: no site words this finding", graph.Fset.Position(d.Pos), d.Message))
			}
		}
		if slices.Contains(graph.Roots, p) {
			verdicts, _ := last.Result.(*rule.Verdicts)
			seen = append(seen, &analysed{src, p, graph.Fset, a.Name, last.Diagnostics, verdicts, exported})
		}
	}
	behind := l.modules(runner, graph, a)
	for _, one := range append(slices.Clip(seen), behind) {
		one.giveAway(seen)
	}
	for _, d := range behind.found {
		failed = append(failed, link.Modules+": "+d.Message)
	}
	if failed != nil {
		return nil, fmt.Errorf("testdata does not load:\n%s", strings.Join(failed, "\n"))
	}
	return seen, nil
}

// modules runs a in the pass of link.Modules, behind all packages.
func (l *listed) modules(runner *passes.Runner, graph *load.Graph, a *analysis.Analyzer) *analysed {
	alone := make(map[string]bool) // packages that no program has
	pkg := &passes.Package{Fset: graph.Fset, Sizes: graph.Sizes}
	for _, p := range l.graph.Own {
		alone[p.PkgPath] = p.Name != "main"
		if t, err := graph.Types(p); err == nil && l.graph.IsOwn(p) {
			pkg.Imports, pkg.Module = append(pkg.Imports, t), p.Module
		}
	}
	for _, p := range l.graph.Own {
		for _, i := range l.reach[p] {
			alone[i.PkgPath] = alone[i.PkgPath] && p.Name != "main"
		}
	}
	maps.DeleteFunc(alone, func(_ string, is bool) bool { return !is })
	src := load.Imaginary(graph.Fset, link.Modules, link.Modules, slices.Sorted(maps.Keys(alone)))
	pkg.Files, pkg.Types, pkg.Info = src.Files, src.Types, src.Info
	actions, exported := runner.Run(pkg)
	last := actions[len(actions)-1]
	verdicts, _ := last.Result.(*rule.Verdicts)
	return &analysed{src, &packages.Package{PkgPath: link.Modules}, graph.Fset, a.Name, last.Diagnostics, verdicts, exported}
}

// giveAway hands the findings that lie in files of other packages over to those, each once: several programs can have
// it.
func (one *analysed) giveAway(all []*analysed) {
	one.found = slices.DeleteFunc(one.found, func(d analysis.Diagnostic) bool {
		name := one.fset.Position(d.Pos).Filename
		if one.file(d.Pos) != nil {
			return false
		}
		for _, o := range all {
			if o != one && slices.ContainsFunc(o.Files, func(f *ast.File) bool { return o.fset.File(f.FileStart).Name() == name }) {
				i := slices.IndexFunc(o.found, func(x analysis.Diagnostic) bool {
					return o.fset.Position(x.Pos) == one.fset.Position(d.Pos) && x.Message == d.Message
				})
				if i >= 0 { // the drivers show the first one by the places that belong to it
					if strings.Compare(places(one.fset, d), places(o.fset, o.found[i])) < 0 {
						o.found[i] = d
					}
				} else {
					o.found = append(o.found, d)
					if o.verdicts != nil && one.verdicts != nil {
						o.verdicts.Note(rule.Finding{Pos: d.Pos, Message: d.Message}, one.verdicts.Of(d.Pos, d.Message))
					}
				}
				return true
			}
		}
		return false
	})
}

// places returns those that belong to d, in one text.
func places(fset *token.FileSet, d analysis.Diagnostic) string {
	var all []string
	for _, r := range d.Related {
		all = append(all, fset.Position(r.Pos).String()+" "+r.Message)
	}
	return strings.Join(all, "\n")
}

// panicked reports whether the rule failed. What it says then is no finding, and is told once.
func (one *analysed) panicked() bool {
	return slices.ContainsFunc(one.found, func(d analysis.Diagnostic) bool { return d.Category == rule.InternalError })
}

// file returns the syntax of the file that pos is in, nil if it is in none of the package.
func (one *analysed) file(pos token.Pos) *ast.File {
	for _, f := range one.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}

// moduleRoot returns the folder of the go.mod above the package under test.
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
