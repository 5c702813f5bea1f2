package driver

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// remark adds remarks, each once.
func (r *Result) remark(more []string) {
	for _, m := range more {
		if !slices.Contains(r.Remarks, m) {
			r.Remarks = append(r.Remarks, m)
		}
	}
}

// excluded reports whether the folder of p, or each of its files, matches a pattern of -exclude.
func excluded(p *packages.Package) bool {
	if p.Dir != "" && rule.Active.Exclude.Match(p.Dir) {
		return true
	}
	of := slices.Concat(p.GoFiles, p.OtherFiles)
	return len(of) > 0 && !slices.ContainsFunc(of, func(name string) bool { return !rule.Active.Exclude.Match(name) })
}

// onlyTests returns the remark that named packages have only tests, which the run does not analyse. There is none if
// a pattern with dots names other packages, too.
func (r *run) onlyTests() []string {
	if r.o.Tests {
		return nil
	}
	var tests []string
	for _, p := range r.graph.Roots {
		if !r.named[p.ID] {
			continue
		}
		if len(p.GoFiles) > 0 || len(p.Errors) > 0 || !has(p.Dir, "_test.go") {
			if slices.ContainsFunc(r.o.Patterns, func(s string) bool { return strings.Contains(s, "...") }) {
				return nil
			}
			continue
		}
		tests = append(tests, p.PkgPath)
	}
	if tests == nil {
		return nil
	}
	slices.Sort(tests)
	return []string{"not analysed, because they contain only tests: " + phrase.Some(tests) + " (-tests analyses them)"}
}

// maxAbsent is the number of absent imports above which one failure stands for all of them: they have one cause then.
const maxAbsent = 3

// summarise replaces the failures of absent imports by one, and keeps them as notes.
func (r *run) summarise(result *Result, absent map[string]bool, importers map[string]map[string]bool) {
	required := r.required()
	modules, unknown := make(map[string]bool), false
	packages := make(map[string]bool)
	for path := range absent {
		name := moduleOf(path, required)
		if name == "" {
			name, unknown = guessedModule(path), true
		}
		modules[name] = true
		maps.Copy(packages, importers[path])
	}
	var rest []Failure
	for _, f := range result.Failures {
		if absent[f.Package] {
			result.Notes = append(result.Notes, f)
		} else {
			rest = append(rest, f)
		}
	}
	command := "go mod download"
	if unknown {
		command = "go mod tidy"
	}
	names := slices.Sorted(maps.Keys(modules))
	result.Failures = append(rest, Failure{Message: fmt.Sprintf("%s not fully analysed, because %s could not be found: %s (run %s; -debug lists all)",
		phrase.Count(len(packages), "package", "packages"), phrase.Count(len(names), "module", "modules"), phrase.Some(names), command)})
}

// required returns the modules that the go.mod files of the user's own modules require, as far as they can be read.
func (r *run) required() []string {
	dirs := make(map[string]bool)
	for _, p := range r.graph.Own {
		if p.Module != nil && r.graph.IsOwn(p) && p.Module.Dir != "" {
			dirs[p.Module.Dir] = true
		}
	}
	var out []string
	for dir := range dirs {
		name := filepath.Join(dir, "go.mod")
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if file, err := modfile.ParseLax(name, data, nil); err == nil {
			for _, m := range file.Require {
				out = append(out, m.Mod.Path)
			}
		}
	}
	return out
}

// moduleOf returns the longest of modules that the package with that import path may be part of; empty if there is
// none.
func moduleOf(path string, modules []string) (best string) {
	for _, m := range modules {
		if within(path, m) && len(m) > len(best) {
			best = m
		}
	}
	return best
}

// guessedModule guesses the module of a package from the form of paths on common hosts.
func guessedModule(path string) string {
	parts := strings.SplitN(path, "/", 4)
	n := 2
	if slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "golang.org"}, parts[0]) {
		n = 3
	}
	return strings.Join(parts[:min(n, len(parts))], "/")
}
