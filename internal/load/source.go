package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Source is a package from source, with its function bodies. With Errors, the rest is what could be made of it.
type Source struct {
	Files  []*ast.File
	Types  *types.Package
	Info   *types.Info
	Errors []packages.Error
}

// SourceFiles are the files that are parsed for p: those that the go command lists, or what cgo makes of them.
func (g *Graph) SourceFiles(p *packages.Package) ([]string, error) {
	for _, name := range p.GoFiles {
		if _, err := g.keep(name); err != nil {
			return nil, err
		}
	}
	if !g.usesCgo(p) {
		return p.GoFiles, nil
	}
	names, _, err := g.compiled(p)
	for _, name := range names {
		if _, err := g.keep(name); err != nil {
			return nil, err
		}
	}
	return names, err
}

// Source parses and type-checks p, one of g.Own. What it imports is as [Graph.Types] gives it.
func (g *Graph) Source(p *packages.Package) *Source {
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
	g.check(p, s)
	return s
}

// Check type-checks files, in their order and as they are, in the place of those of p, one of g.Own. They were parsed
// with g.Fset.
func (g *Graph) Check(p *packages.Package, files []*ast.File) *Source {
	s := &Source{Files: files}
	g.check(p, s)
	return s
}

// check adds to s, which has files, and errors where some could not be read, the types.
func (g *Graph) check(p *packages.Package, s *Source) {
	s.Errors = append(slices.Clone(p.Errors), s.Errors...)
	s.Info = NewInfo()
	conf := types.Config{
		Importer:  importer(func(path string) (*types.Package, error) { return g.imported(p, path) }),
		Sizes:     g.Sizes,
		GoVersion: GoVersion(p),
		Error:     s.add,
	}
	var err error
	s.Types, err = conf.Check(p.PkgPath, g.Fset, s.Files, s.Info)
	if err != nil && len(s.Errors) == 0 {
		s.add(err)
	}
	if len(s.Errors) > 0 {
		if hint := g.newer(); hint != "" {
			s.Errors = append(s.Errors, packages.Error{Pos: "-", Msg: hint, Kind: packages.UnknownError})
		}
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

func (g *Graph) imported(p *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	i := p.Imports[path]
	if i == nil && g.usesCgo(p) {
		if _, imports, err := g.compiled(p); err == nil {
			i = imports[path]
		}
	}
	if i == nil {
		return nil, fmt.Errorf("no metadata for %s", path)
	}
	t, err := g.Types(i)
	if t == nil {
		if err == nil || len(i.Errors) > 0 {
			err = errors.New("it has errors")
		}
		return nil, err
	}
	return t, nil
}

// add adds err, as go/packages words it.
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

// NewInfo has room for all that the rules read of a package.
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
