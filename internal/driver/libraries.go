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

// What rules see only where a program comes together, they look for in the pass of its main package. What no main package of
// the run imports is put together as well: in the pass of one that is not there, and would import all of it.

// libraries are the own packages that no analysed main package reaches, and all that they reach with them, imports first; none where there
// are no such packages, or none of them has left a fact.
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

// linked reports whether a program was put together in the pass of p, a main package: it is not where a part of the program is not
// known, which may do what nobody else does.
func (r *run) linked(p *packages.Package) bool { return r.whole(p, r.units[p], r.units) }

// together is the outcome of the pass that puts the libraries together, nil where there are none.
func (r *run) together() *unit {
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

// madeUp is the file of the main package that is not there.
const madeUp = "libraries.go"
