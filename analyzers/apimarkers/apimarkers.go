package apimarkers

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/markers"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer reports markers of API types that name what does not exist.
var Analyzer = &analysis.Analyzer{
	Name: "apimarkers",
	Doc:  rule.MustExtractDoc(doc, "apimarkers"),
	URL:  rule.URLBase + "apimarkers.md",
	Flags: rule.Flags(
		rule.Sub{Name: "path", Severity: rule.Warning},
		rule.Sub{Name: "unknown", Severity: rule.Warning},
		rule.Sub{Name: "reason", Severity: rule.Error},
	),
	Requires: []*analysis.Analyzer{suppress.Analyzer},
	Run:      rule.Wrap("apimarkers", nil, run),
}

// A checker looks at one package.
type checker struct {
	pass *analysis.Pass
	open map[types.Object]bool // types and fields that keep what the schema does not know
}

func run(pass *analysis.Pass) (any, error) {
	if rule.IsDependency(pass) || rule.InTestFolder(pass) {
		return nil, nil
	}
	c := &checker{pass: pass, open: map[types.Object]bool{}}
	if kubeapi.Imports(pass.Pkg, func(path string) bool { return path == kubeapi.MetaV1 }) {
		c.reasons()
	}
	if !slices.ContainsFunc(pass.Files, hasMarkers) {
		return nil, nil
	}
	var decls []markers.Decl
	for _, file := range pass.Files {
		for _, decl := range markers.Types(file) {
			decls = append(append(decls, decl), decl.Fields...)
		}
		c.unknown(file)
	}
	for _, decl := range decls {
		c.noteOpen(decl)
	}
	for _, decl := range decls {
		if decl.Field == nil {
			c.paths(decl)
		}
		c.noPlus(decl)
	}
	return nil, nil
}

// hasMarkers reports whether a comment of file begins with a name of controller-gen's: one look at each line.
func hasMarkers(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool {
		return slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return strings.Contains(c.Text, "kubebuilder:") })
	})
}
