package driver

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/report"
)

// Rules link a program in the pass of its main package. Packages that no main package of the run imports are linked
// in the pass of an imaginary one that imports all of them. What is asked of all packages together, of several programs
// or none, is decided in the pass of another imaginary package.

// alone returns the own packages that no linked program reaches, by path.
func (r *run) alone() map[string]*packages.Package {
	reached := make(map[*packages.Package]bool)
	for _, p := range r.graph.Own {
		if p.Name == "main" && p.ForTest == "" && r.linkable(p) && r.linked(p) {
			reached[p] = true
			for _, i := range r.reach[p] {
				reached[i] = true
			}
		}
	}
	alone := make(map[string]*packages.Package)
	for _, p := range r.graph.Own {
		if p.ForTest == "" && !reached[p] && r.linkable(p) {
			alone[p.PkgPath] = p
		}
	}
	return alone
}

// linkable reports whether p was analysed.
func (r *run) linkable(p *packages.Package) bool {
	u := r.units[p]
	return u != nil && len(u.Errors) == 0
}

// linked reports whether the program of p, a main package, was linked: it is not if a part of it is not known.
func (r *run) linked(p *packages.Package) bool { return r.whole(p, r.units[p], r.units) }

// linkAll fills r.joined.
func (r *run) linkAll() {
	alone := r.alone()
	in := make(map[*packages.Package]bool)
	for _, p := range alone {
		in[p] = true
		for _, i := range r.reach[p] {
			in[i] = true
		}
	}
	r.joined = make(map[string]*unit)
	r.link(link.Libraries, "main", alone, func(p *packages.Package) bool { return in[p] && r.linkable(p) })
	r.link(link.Modules, link.Modules, alone, func(p *packages.Package) bool { return p.ForTest == "" && r.graph.IsOwn(p) })
}

// link adds to r.joined the result of the pass of an imaginary package of that path and name, which has the facts of the
// own packages for which in holds, if there are any.
func (r *run) link(path, name string, imports map[string]*packages.Package, in func(*packages.Package) bool) {
	var all []*packages.Package
	said := false
	for _, p := range r.graph.Own {
		if in(p) {
			all = append(all, p)
			said = said || len(r.units[p].Facts) > 0
		}
	}
	if !said {
		return
	}
	p := &packages.Package{ID: path, PkgPath: path, Name: name, Module: all[0].Module, Imports: imports}
	r.reach[p] = all
	u := r.result(p, r.units, func() *load.Source {
		return load.Imaginary(r.graph.Fset, path, name, slices.Sorted(maps.Keys(imports)))
	})
	u.Findings = slices.DeleteFunc(u.Findings, func(f report.Finding) bool { return f.File == load.ImaginaryFile })
	r.joined[path] = u
}
