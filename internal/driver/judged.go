package driver

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// analysed remembers what a run has seen.
type analysed struct {
	packages map[string]bool   // import paths; false where something could not be analysed
	modules  map[string]string // from the path of a module to its folder
}

func newAnalysed(pkgs []*packages.Package, failures []Failure) analysed {
	a := analysed{packages: make(map[string]bool), modules: make(map[string]string)}
	for _, p := range pkgs {
		a.packages[p.PkgPath] = true
		if p.Module != nil {
			a.modules[p.Module.Path] = p.Module.Dir
		}
	}
	for _, f := range failures {
		a.packages[f.Package] = false
	}
	return a
}

// add makes a what was seen in both of two runs: a package that one of them could not analyse counts as not analysed.
func (a *analysed) add(b analysed) {
	if a.packages == nil {
		a.packages, a.modules = make(map[string]bool), make(map[string]string)
	}
	for path, whole := range b.packages {
		before, named := a.packages[path]
		a.packages[path] = whole && (before || !named)
	}
	maps.Copy(a.modules, b.modules)
}

// Judged reports whether the run would have shown the findings of the package with that import path, if it had any: all
// of the package was analysed, or there is no such package any more.
func (r Result) Judged(path string) bool {
	if whole, named := r.analysed.packages[path]; named {
		return whole
	}
	// A package of tests lies in the folder of the package that it tests, and is loaded with it.
	if tested, ok := strings.CutSuffix(path, "_test"); ok && r.analysed.packages[tested] {
		return true
	}
	return r.analysed.gone(path)
}

// Any reports whether some package was analysed whole.
func (r Result) Any() bool {
	return r.Packages() > 0
}

// Packages is the number of packages that were analysed whole.
func (r Result) Packages() int {
	n := 0
	for _, whole := range r.analysed.packages {
		if whole {
			n++
		}
	}
	return n
}

// gone reports whether a module that was analysed has had the package, and has it no more.
func (a analysed) gone(path string) bool {
	best := ""
	for m := range a.modules {
		if (path == m || strings.HasPrefix(path, m+"/")) && len(m) > len(best) {
			best = m
		}
	}
	if best == "" || a.modules[best] == "" {
		return false
	}
	dir := filepath.Join(a.modules[best], filepath.FromSlash(strings.TrimPrefix(path, best)))
	return !hasGo(dir) && !hasGo(strings.TrimSuffix(dir, "_test"))
}

// hasGo reports whether there are Go files in dir, as far as can be seen.
func hasGo(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") })
}
