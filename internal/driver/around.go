package driver

import (
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/report"
)

// The findings in a package are to be the same whatever else the patterns name. So the packages of its module that
// import it, or anything that it imports, directly or not, and that no package there imports are analysed, too. Of their
// findings, those of the link phase count that name a place in a package that the patterns name.

// around returns the folders of the packages to be loaded in addition to own ones. Modules in folders for which whole
// holds are loaded anyway.
func around(own []*packages.Package, whole func(module string) bool) []string {
	modules := make(map[string]string) // paths, by folder
	named := make(map[string]bool)
	for _, p := range own {
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

// scan returns the imports of the module of that name in the folder root, without its tests. Unreadable files are
// left out: the go command reports them.
func scan(root, name string) imports {
	m := make(imports)
	fset := token.NewFileSet()
	for file := range goFiles(root) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			continue
		}
		from := path.Join(name, filepath.ToSlash(rel))
		for _, spec := range syntax.Imports {
			if to, err := strconv.Unquote(spec.Path.Value); err == nil && within(to, name) {
				m[from] = append(m[from], to)
			}
		}
	}
	return m
}

// goFiles yields the names of the Go files of the module in the folder root, as far as they can be listed.
func goFiles(root string) iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case d.IsDir() && file != root && notOfModule(file, d.Name()):
				return filepath.SkipDir
			case !d.IsDir() && strings.HasSuffix(file, ".go") && !yield(file):
				return filepath.SkipAll
			}
			return nil
		})
	}
}

// notOfModule reports whether the folder, of that base name, is not part of the module around it.
func notOfModule(folder, base string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || base == "vendor" || base == "testdata" || base[0] == '.' || base[0] == '_'
}

// within reports whether the package path may be part of the module of that name.
func within(path, module string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// tops returns the packages that are not named, import one that is, directly or not, and are not imported.
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
	for work := slices.Collect(maps.Keys(named)); len(work) > 0; work = work[1:] {
		if p := work[0]; !leads[p] {
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

// include adds the packages around those that the patterns name to the graph.
func (r *run) include(c load.Config) {
	r.named = make(map[string]bool)
	for _, p := range r.graph.Roots {
		r.named[p.ID] = true
	}
	if r.foreign {
		return
	}
	own := slices.DeleteFunc(slices.Clone(r.graph.Own), func(p *packages.Package) bool { return !r.graph.IsOwn(p) })
	more := around(own, func(module string) bool {
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
	if g, err := load.List(c); err == nil { // errors are reported to runs that name the package
		r.graph = g
	}
}

// ofNamed returns the findings that name a place in a package that the patterns name.
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
			if f.Package == pkg { // otherwise it is from the link phase of the program with the main package pkg
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
	for _, name := range slices.Sorted(maps.Keys(r.joined)) {
		add(r.joined[name], name, false)
	}
	return out
}
