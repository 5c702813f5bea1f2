package partial

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// unexplained are the errors of c that no import can be the reason of: names that are declared nowhere. Any other may follow from what is
// not known, as that a type has a method only with what is embedded in it.
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

// mayGive reports whether an import of f may be what name stands for: all names of a package, or the package itself, whose name is not
// known where it is not there; it is mostly a part of its path.
func mayGive(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		return i.Name != nil && i.Name.Name == "." || i.Name == nil && strings.Contains(i.Path.Value, name)
	})
}
