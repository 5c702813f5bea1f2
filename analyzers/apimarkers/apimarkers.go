package apimarkers

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
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
		rule.Sub{Name: "enum", Severity: rule.Warning},
	),
	Requires:  []*analysis.Analyzer{suppress.Analyzer},
	Run:       rule.Wrap("apimarkers", nil, run),
	FactTypes: []analysis.Fact{new(link.Summary[Part])},
}

// A checker looks at one package.
type checker struct {
	unit *link.Unit[Part]
	pass *analysis.Pass
	open map[types.Object]bool // types and fields that keep what the schema does not know
}

func run(pass *analysis.Pass) (any, error) {
	return link.Phase[Part]{Summarize: summarize, Unused: holds}.Run(pass)
}

func summarize(u *link.Unit[Part]) any {
	pass := u.Pass
	if rule.IsDependency(pass) || rule.InTestFolder(pass) {
		return nil
	}
	c := &checker{unit: u, pass: pass, open: map[types.Object]bool{}}
	if kubeapi.Imports(pass.Pkg, func(path string) bool { return path == kubeapi.MetaV1 }) {
		c.reasons()
	}
	var decls, fields []markers.Decl
	for _, file := range pass.Files {
		for _, decl := range markers.Types(file) {
			decls, fields = append(decls, decl), append(fields, decl.Fields...)
		}
	}
	if slices.ContainsFunc(pass.Files, hasMarkers) {
		c.enums(decls, fields)
		for _, decl := range append(slices.Clip(decls), fields...) {
			c.noteOpen(decl)
			c.noPlus(decl)
		}
		for _, decl := range decls {
			c.paths(decl)
		}
		for _, file := range pass.Files {
			c.unknown(file)
		}
	}
	c.enumUses(fields)
	return nil
}

// hasMarkers reports whether a comment of file begins with a name of controller-gen's: one look at each line.
func hasMarkers(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool {
		return slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return strings.Contains(c.Text, "kubebuilder:") })
	})
}
