package driver

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/report"
)

// What is said of a package is to be the same whatever else the patterns name. So what it becomes a part of is looked at as
// well: the packages of its module that lead to it and that no other one there imports, which are the programs, and what uses
// a library first. Of what is found there, only that counts which it takes the program to see, and which names a place in a
// package that the patterns name.

// around are the folders of the packages that have to be loaded beside roots. The modules in the folders that whole is true of
// are loaded whole.
func around(roots []*packages.Package, whole func(module string) bool) []string {
	modules := make(map[string]string) // paths, by folder
	named := make(map[string]bool)
	for _, p := range roots {
		if p.Module != nil && p.Module.Main && p.Module.Dir != "" && !whole(p.Module.Dir) {
			modules[p.Module.Dir] = p.Module.Path
		}
		named[p.PkgPath] = true
	}
	var out []string
	for dir, name := range modules {
		m := scan(dir, name)
		for _, p := range m.tops(named) {
			out = append(out, filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(p, name), "/"))))
		}
	}
	slices.Sort(out)
	return out
}

// imports are what the packages of one module import of it, by import path.
type imports map[string][]string

// scan reads the imports of the module of that name in the folder root, without its tests. What cannot be read is left out: it
// is for the go command to say so where somebody names it.
func scan(root, name string) imports {
	m := make(imports)
	fset := token.NewFileSet()
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // See above.
		}
		if base := d.Name(); d.IsDir() {
			if file != root && notOfModule(file, base) {
				return filepath.SkipDir
			}
			return nil
		} else if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		syntax, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly)
		if err != nil {
			return nil //nolint:nilerr // See above.
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return nil //nolint:nilerr // See above.
		}
		from := path.Join(name, filepath.ToSlash(rel))
		for _, spec := range syntax.Imports {
			if to, err := strconv.Unquote(spec.Path.Value); err == nil && (to == name || strings.HasPrefix(to, name+"/")) {
				m[from] = append(m[from], to)
			}
		}
		return nil
	})
	return m
}

// tops are the packages that are not named, lead to one that is, and are imported by none.
func (m imports) tops(named map[string]bool) []string {
	imported := make(map[string]bool)
	importers := make(map[string][]string)
	for from, all := range m {
		for _, to := range all {
			imported[to] = true
			importers[to] = append(importers[to], from)
		}
	}
	leads := make(map[string]bool)
	var work []string
	for p := range named {
		work = append(work, p)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if !leads[p] {
			leads[p] = true
			work = append(work, importers[p]...)
		}
	}
	var out []string
	for p := range leads {
		if !named[p] && !imported[p] {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// include takes what is around the packages that the patterns name into the graph, where there is something.
func (r *run) include(c load.Config) {
	r.named = make(map[string]bool)
	for _, p := range r.graph.Roots {
		r.named[p.ID] = true
	}
	if r.foreign {
		return
	}
	more := around(r.graph.Roots, func(module string) bool {
		return slices.ContainsFunc(c.Patterns, func(p string) bool {
			base, ok := strings.CutSuffix(filepath.ToSlash(p), "/...")
			if base = filepath.FromSlash(base); !filepath.IsAbs(base) {
				base = filepath.Join(r.dir, base)
			}
			return ok && base == module
		})
	})
	if len(more) == 0 {
		return
	}
	c.Patterns = append(slices.Clip(c.Patterns), more...)
	if g, err := load.List(c); err == nil { // what is wrong with it is for those to hear who name it
		r.graph = g
	}
}

// ofNamed are the findings that name a place in a package that the patterns name.
func (r *run) ofNamed() []report.Finding {
	own := make(map[string]bool) // files, as the findings have them
	for _, p := range r.graph.Own {
		if r.named[p.ID] {
			for _, name := range p.GoFiles {
				own[r.names.encode(name)] = true
			}
		}
	}
	var out []report.Finding
	add := func(u *unit, pkg string, named bool) {
		for _, f := range u.Findings {
			if f.Package == pkg { // else it is one of the program that pkg is the main package of
				if named {
					out = append(out, f)
				}
			} else if own[f.File] || slices.ContainsFunc(f.Related, func(p report.Related) bool { return own[p.File] }) {
				out = append(out, f)
			}
		}
	}
	for _, p := range r.graph.Own {
		if r.units[p] != nil && r.linkable(p) {
			add(r.units[p], p.PkgPath, r.named[p.ID])
		}
	}
	if r.joined != nil {
		add(r.joined, link.Libraries, false)
	}
	return out
}
