package requestobject

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Kinds is the fact of a package with kinds that have a status subresource by a marker.
type Kinds struct{ WithStatus []string }

// AFact marks Kinds as a fact.
func (*Kinds) AFact() {}

// String is for tests.
func (k *Kinds) String() string { return strings.Join(k.WithStatus, " ") }

// exportKinds exports the fact of the package. Markers lie in the comments between a type and the declaration before
// it.
func exportKinds(pass *analysis.Pass) {
	var kinds Kinds
	for _, f := range pass.Files {
		marked := slices.DeleteFunc(slices.Clone(f.Comments), func(g *ast.CommentGroup) bool {
			return !slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return kubeapi.MarksStatus(c.Text) })
		})
		last := token.NoPos
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			above := func(g *ast.CommentGroup) bool { return last < g.Pos() && g.Pos() < d.End() }
			if ok && decl.Tok == token.TYPE && slices.ContainsFunc(marked, above) {
				kinds.WithStatus = append(kinds.WithStatus, decl.Specs[0].(*ast.TypeSpec).Name.Name)
			}
			last = d.End()
		}
	}
	if slices.Sort(kinds.WithStatus); len(kinds.WithStatus) > 0 {
		pass.ExportPackageFact(&kinds)
	}
}

// hasStatus reports whether the status of objects of the kind is stored by requests of its own.
func (c *checker) hasStatus(kind *types.Named) bool {
	var kinds Kinds
	return kubeapi.IsBuiltin(kind) ||
		c.pass.ImportPackageFact(kind.Obj().Pkg(), &kinds) && slices.Contains(kinds.WithStatus, kind.Obj().Name())
}
