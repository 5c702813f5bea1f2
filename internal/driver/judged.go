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

// analysed has the packages and modules of a run.
type analysed struct {
	packages map[string]bool   // by import path; false if something could not be analysed
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

// add adds those of another run: a package that one of them could not analyse counts as not analysed.
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

// Judged reports whether the run would have reported the findings of the package with that import path: it was analysed
// completely, or does not exist any more.
func (r Result) Judged(path string) bool {
	if whole, named := r.analysed.packages[path]; named {
		return whole
	}
	// An external test package is loaded with the package that it tests.
	if tested, ok := strings.CutSuffix(path, "_test"); ok && r.analysed.packages[tested] {
		return true
	}
	return r.analysed.gone(path)
}

// Packages returns the number of packages that were analysed completely.
func (r Result) Packages() int {
	n := 0
	for _, whole := range r.analysed.packages {
		if whole {
			n++
		}
	}
	return n
}

// gone reports whether the package was part of an analysed module, and does not exist any more.
func (a analysed) gone(path string) bool {
	module := moduleOf(path, slices.Collect(maps.Keys(a.modules)))
	if module == "" || a.modules[module] == "" {
		return false
	}
	dir := filepath.Join(a.modules[module], filepath.FromSlash(strings.TrimPrefix(path, module)))
	return !has(dir, ".go") && !has(strings.TrimSuffix(dir, "_test"), ".go")
}

// has reports whether there are files with that suffix in dir, or dir cannot be read.
func has(dir, suffix string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), suffix) })
}
