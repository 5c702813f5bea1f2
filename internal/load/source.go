package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/partial"
)

// Source is a package from source, with its function bodies. With Errors, it is incomplete.
type Source struct {
	Files  []*ast.File
	Types  *types.Package
	Info   *types.Info
	Errors []packages.Error

	// Missing are imports that are not known completely, if the package is not for that reason.
	Missing []Missing
}

// Missing is an import that could not be read.
type Missing struct {
	Package *packages.Package
	Pos     string // of the import
	Err     error
}

// SourceFiles returns the files that are parsed for p: those that the go command lists, or what cgo makes of them.
func (g *Graph) SourceFiles(p *packages.Package) ([]string, error) {
	for _, name := range p.GoFiles {
		if err := g.keep(name); err != nil {
			return nil, err
		}
	}
	if !g.usesCgo(p) {
		return p.GoFiles, nil
	}
	names, _, err := g.compiled(p)
	for _, name := range names {
		if err := g.keep(name); err != nil {
			return nil, err
		}
	}
	return names, err
}

// Source parses and type-checks p, one of g.Own. Its imports have the types of [Graph.Types]. Package partial
// completes it if an import is not known completely or, with despite, if other packages that it imports, directly or
// not, have errors.
func (g *Graph) Source(p *packages.Package, despite bool) *Source {
	s := new(Source)
	names, err := g.SourceFiles(p)
	if err != nil {
		s.add(err)
	}
	for _, name := range names {
		src, err := g.Read(name)
		if err != nil {
			s.add(err)
			continue
		}
		file, err := parser.ParseFile(g.Fset, name, src, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
		if err != nil {
			s.add(err)
		}
		if file != nil {
			s.Files = append(s.Files, file)
		}
	}
	g.check(p, s, despite)
	return s
}

// Check type-checks files, parsed with g.Fset, in place of those of p, one of g.Own.
func (g *Graph) Check(p *packages.Package, files []*ast.File) *Source {
	s := &Source{Files: files}
	g.check(p, s, false)
	return s
}

// check type-checks the files of s.
func (g *Graph) check(p *packages.Package, s *Source, despite bool) {
	s.Errors = append(slices.Clone(p.Errors), s.Errors...)
	im := &importing{g: g, p: p, missing: make(map[string]Missing), doubtful: make(map[string]Missing)}
	checked := g.typeCheck(im, s.Files, nil)
	missing := im.blamed()
	if len(s.Errors) == 0 && (despite || im.lacks) && (len(checked.Errors) > 0 || !checked.Whole()) {
		checked = partial.Complete(s.Files, func(unknown *types.Package) *partial.Checked { return g.typeCheck(im, s.Files, unknown) })
		if len(checked.Errors) == 0 {
			s.Missing = missing
		}
	}
	for _, e := range checked.Errors {
		s.add(e)
	}
	s.Types, s.Info = checked.Types, checked.Info
	if len(s.Errors) > 0 {
		if hint := g.newer(); hint != "" {
			s.Errors = append(s.Errors, packages.Error{Pos: "-", Msg: hint, Kind: packages.UnknownError})
		}
	}
}

// typeCheck type-checks files as those of the package of im, with the placeholder package unknown, unless that is nil.
func (g *Graph) typeCheck(im *importing, files []*ast.File, unknown *types.Package) *partial.Checked {
	c := &partial.Checked{Info: NewInfo()}
	conf := types.Config{
		Importer: importer(func(path string) (*types.Package, error) {
			if unknown != nil && path == unknown.Path() {
				return unknown, nil
			}
			return im.get(path)
		}),
		Sizes:     g.Sizes,
		GoVersion: GoVersion(im.p),
		Error: func(err error) {
			if e, ok := err.(types.Error); ok { //nolint:errorlint // What go/types returns is not wrapped.
				c.Errors = append(c.Errors, e)
			}
		},
	}
	var err error
	c.Types, err = conf.Check(im.p.PkgPath, g.Fset, files, c.Info)
	if err != nil && len(c.Errors) == 0 { // of the version of the language
		c.Errors = append(c.Errors, types.Error{Fset: g.Fset, Msg: err.Error()})
	}
	return c
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// importing is the importer of one package. It notes imports that are not known completely.
type importing struct {
	g *Graph
	p *packages.Package

	missing  map[string]Missing // without types, by import path
	doubtful map[string]Missing // with errors
	lacks    bool               // some import has an error, also one of the user's own, which reports it
}

func (im *importing) get(path string) (*types.Package, error) {
	t, i, err := im.g.imported(im.p, path)
	im.lacks = im.lacks || err != nil
	switch {
	case i == nil || im.g.own[i] && len(i.GoFiles) > 0: // own packages report their errors
	case t == nil:
		im.missing[path] = Missing{Package: i, Err: err}
	case err != nil:
		im.doubtful[path] = Missing{Package: i, Err: err}
	}
	if t != nil {
		err = nil
	}
	return t, err
}

// blamed returns the imports that explain what is not known in p: those without types, otherwise those with an error.
func (im *importing) blamed() []Missing {
	of := im.missing
	if len(of) == 0 {
		of = im.doubtful
	}
	out := make([]Missing, 0, len(of))
	for _, path := range slices.Sorted(maps.Keys(of)) {
		m := of[path]
		m.Pos = im.g.importedAt(im.p, path)
		out = append(out, m)
	}
	return out
}

// importedAt returns the place of the first import of path in p.
func (g *Graph) importedAt(p *packages.Package, path string) string {
	for _, name := range p.GoFiles {
		src, err := g.Read(name)
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ImportsOnly)
		if file == nil || err != nil {
			continue
		}
		for _, i := range file.Imports {
			if i.Path.Value == strconv.Quote(path) {
				return fset.Position(i.Path.Pos()).String()
			}
		}
	}
	return "-"
}

// imported returns the package that p imports as path. If its types are nil, there is an error.
func (g *Graph) imported(p *packages.Package, path string) (*types.Package, *packages.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil, nil
	}
	i := p.Imports[path]
	if i == nil && g.usesCgo(p) {
		if _, imports, err := g.compiled(p); err == nil {
			i = imports[path]
		}
	}
	if i == nil {
		return nil, nil, fmt.Errorf("no metadata for %s", path)
	}
	t, err := g.Types(i)
	if t == nil && (err == nil || len(i.Errors) > 0) {
		err = errors.New("it has errors")
	}
	return t, i, err
}

// add adds err, as go/packages does.
func (s *Source) add(err error) {
	switch err := err.(type) { //nolint:errorlint // What go/types and go/parser give is not wrapped.
	case types.Error:
		s.Errors = append(s.Errors, packages.Error{Pos: err.Fset.Position(err.Pos).String(), Msg: err.Msg, Kind: packages.TypeError})
	case scanner.ErrorList:
		for _, e := range err {
			s.Errors = append(s.Errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case *os.PathError:
		s.Errors = append(s.Errors, packages.Error{Pos: err.Path + ":1", Msg: err.Err.Error(), Kind: packages.ParseError})
	default:
		s.Errors = append(s.Errors, packages.Error{Pos: "-", Msg: strings.TrimSpace(err.Error()), Kind: packages.ListError})
	}
}

// importsC reports whether the Go file src imports C.
func importsC(src []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if file == nil || err != nil {
		return false
	}
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		path, err := strconv.Unquote(i.Path.Value)
		return err == nil && path == "C"
	})
}

// NewInfo returns an info with all that rules use.
func NewInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
}
