// Package signature returns the types that packages declare, from their source and without a compiler: no function
// body is parsed or checked, and neither is what no importing package can see.
package signature

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/partial"
)

// A Checker type-checks packages, each once, with what they import. What it returns is complete, and never changed
// afterwards. Its methods may be called by several goroutines.
type Checker struct {
	Fset  *token.FileSet
	Sizes types.Sizes

	// Read returns the contents of a Go file.
	Read func(name string) ([]byte, error)

	// Compiled returns the files that cgo makes of those of a package in which C types are part of what importing
	// packages see, and what they import, by import path.
	Compiled func(*packages.Package) ([]string, map[string]*packages.Package, error)

	mu       sync.Mutex
	outcomes map[*packages.Package]*outcome
	graph    map[*types.Package]*packages.Package
}

type outcome struct {
	once sync.Once
	pkg  *types.Package
	err  error
}

// Package returns the types of p, a package with the files and imports that go/packages lists. Where the source has
// errors, or an import has, it returns what can be known in spite of them, together with the first error; it is nil
// if nothing is known.
func (c *Checker) Package(p *packages.Package) (*types.Package, error) {
	if p.PkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	c.mu.Lock()
	o := c.outcomes[p]
	if o == nil {
		if c.outcomes == nil {
			c.outcomes = make(map[*packages.Package]*outcome)
			c.graph = make(map[*types.Package]*packages.Package)
		}
		o = new(outcome)
		c.outcomes[p] = o
	}
	c.mu.Unlock()
	o.once.Do(func() {
		o.pkg, o.err = c.check(p)
		if o.pkg != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.graph[o.pkg] = p
		}
	})
	return o.pkg, o.err
}

// Without returns a Checker that reads files with read, and knows already what c has found out of packages, except of
// those for which drop says yes; no other one may import one of these.
func (c *Checker) Without(drop func(*packages.Package) bool, read func(name string) ([]byte, error)) *Checker {
	d := &Checker{
		Fset: c.Fset, Sizes: c.Sizes, Read: read, Compiled: c.Compiled,
		outcomes: make(map[*packages.Package]*outcome), graph: make(map[*types.Package]*packages.Package),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for p, o := range c.outcomes {
		if !drop(p) {
			d.outcomes[p] = o
		}
	}
	for t, p := range c.graph {
		if !drop(p) {
			d.graph[t] = p
		}
	}
	return d
}

// Checked returns the number of packages that were type-checked.
func (c *Checker) Checked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.graph)
}

func (c *Checker) check(p *packages.Package) (*types.Package, error) {
	listed := p.Imports
	files, paths, err := c.parse(p.GoFiles, listed)
	if err == nil && slices.Contains(paths, "C") {
		var names []string
		if names, listed, err = c.Compiled(p); err == nil {
			files, paths, err = c.parse(names, listed)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.PkgPath, err)
	}
	imports := make(importer)
	var first error
	for _, path := range paths {
		i := listed[path]
		if path == "unsafe" || i == nil {
			continue
		}
		t, err := c.Package(i)
		if err != nil && first == nil {
			first = err
		}
		if t != nil {
			imports[path] = t
		}
	}
	// Without a version of the language: a file may have raised it, in a comment that is gone.
	conf := types.Config{
		Importer:         imports,
		Sizes:            c.Sizes,
		IgnoreFuncBodies: true,
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	pkg, _ := conf.Check(p.PkgPath, c.Fset, files, nil)
	if first != nil {
		pkg = partial.Declared(files, func(unknown *types.Package) *partial.Checked {
			imports[unknown.Path()] = unknown
			info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object)}
			pkg, _ := conf.Check(p.PkgPath, c.Fset, files, info)
			return &partial.Checked{Types: pkg, Info: info}
		})
	}
	pkg.SetImports(all(listed, imports))
	return pkg, first
}

// parse returns the files with what importing packages can see of them, and the import paths that this needs. The
// parser's errors are not reported: what they are about is missed where it is needed.
func (c *Checker) parse(names []string, imports map[string]*packages.Package) (files []*ast.File, paths []string, err error) {
	for _, name := range names {
		src, err := c.Read(name)
		if err != nil {
			return nil, nil, err
		}
		if file, err := parser.ParseFile(c.Fset, name, Elide(src), parser.SkipObjectResolution); file != nil {
			files = append(files, file)
		} else if err != nil {
			return nil, nil, err
		}
	}
	if files == nil {
		return nil, nil, errors.New("no Go files")
	}
	return files, prune(files, func(path string) string {
		if i := imports[path]; i != nil {
			return i.Name
		}
		return path
	}), nil
}

// all are types for all that is listed. Those that were not needed have a path and a name only.
func all(listed map[string]*packages.Package, needed importer) []*types.Package {
	var list []*types.Package
	for path, i := range listed {
		t := needed[path]
		if t == nil {
			t = types.NewPackage(i.PkgPath, i.Name)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	return list
}

type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no types of package %q", path)
}
