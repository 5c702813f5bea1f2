package partial

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// unexplained returns the errors of c that do not follow from an import: undefined names.
func unexplained(files []*ast.File, c *Checked) (out []types.Error) {
	for _, e := range c.Errors {
		name, undefined := strings.CutPrefix(e.Msg, "undefined: ")
		if !undefined || strings.Contains(name, ".") {
			continue
		}
		for _, f := range files {
			if f.FileStart <= e.Pos && e.Pos < f.FileEnd && !mayGive(f, name) {
				out = append(out, e)
			}
		}
	}
	return out
}

// mayGive reports whether an import of f may declare name: a dot import, or one whose path contains it, the name of a
// missing package not being known.
func mayGive(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		return i.Name != nil && i.Name.Name == "." || i.Name == nil && strings.Contains(i.Path.Value, name)
	})
}
