package driver

import (
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/report"
)

// Rules link a program in the pass of its main package. Packages that no main package of the run imports are linked
// in the pass of an imaginary one that imports all of them.

// libraries returns the own packages that no linked program reaches, and with them all that they reach, imports
// first; none if there are no such packages, or none of them has facts.
func (r *run) libraries() (alone map[string]*packages.Package, all []*packages.Package) {
	reached := make(map[*packages.Package]bool)
	for _, p := range r.graph.Own {
		if p.Name == "main" && p.ForTest == "" && r.linkable(p) && r.linked(p) {
			reached[p] = true
			for _, i := range r.reach[p] {
				reached[i] = true
			}
		}
	}
	in := make(map[*packages.Package]bool)
	alone = make(map[string]*packages.Package)
	for _, p := range r.graph.Own {
		if p.ForTest == "" && !reached[p] && r.linkable(p) {
			in[p], alone[p.PkgPath] = true, p
			for _, i := range r.reach[p] {
				in[i] = true
			}
		}
	}
	said := false
	for _, p := range r.graph.Own {
		if in[p] && r.linkable(p) {
			all = append(all, p)
			said = said || len(r.units[p].Facts) > 0
		}
	}
	if !said {
		return nil, nil
	}
	return alone, all
}

// linkable reports whether p was analysed.
func (r *run) linkable(p *packages.Package) bool {
	u := r.units[p]
	return u != nil && len(u.Errors) == 0
}

// linked reports whether the program of p, a main package, was linked: it is not if a part of it is not known.
func (r *run) linked(p *packages.Package) bool { return r.whole(p, r.units[p], r.units) }

// linkLibraries returns the result of the pass that links the libraries, nil if there are none.
func (r *run) linkLibraries() *unit {
	alone, all := r.libraries()
	if len(all) == 0 {
		return nil
	}
	p := &packages.Package{ID: link.Libraries, PkgPath: link.Libraries, Name: "main", Module: all[0].Module, Imports: alone}
	r.reach[p] = all
	u := r.result(p, r.units, func() *load.Source {
		file, err := parser.ParseFile(r.graph.Fset, madeUp, "package main\n", 0)
		if err != nil {
			panic(err) // the text is ours
		}
		info := load.NewInfo()
		pkg, err := new(types.Config).Check(p.PkgPath, r.graph.Fset, []*ast.File{file}, info)
		if err != nil {
			panic(err)
		}
		for _, path := range slices.Sorted(maps.Keys(alone)) {
			imported := types.NewPackage(path, alone[path].Name)
			imported.MarkComplete()
			pkg.SetImports(append(pkg.Imports(), imported))
		}
		return &load.Source{Files: []*ast.File{file}, Types: pkg, Info: info}
	})
	u.Findings = slices.DeleteFunc(u.Findings, func(f report.Finding) bool { return f.File == madeUp })
	return u
}

// madeUp is the file of the imaginary main package.
const madeUp = "libraries.go"
