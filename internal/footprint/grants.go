package footprint

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/markers"
)

// markerGrants returns what the RBAC markers of the package grant, from which controller-gen makes a role.
func markerGrants(pass *analysis.Pass) (all []Grant) {
	for _, file := range pass.Files {
		for _, m := range packageMarkers(file) {
			if !m.Is(kubeapi.MarkerRBAC) {
				continue
			}
			args := m.Args(kubeapi.MarkerRBAC)
			list := func(name string) []string { return args[name].List() }
			g := Grant{
				At: link.AtOf(pass, m.Pos), Role: args["roleName"].Value, Groups: list("groups"), Resources: list("resources"), Names: list("resourceNames"),
				Verbs: list("verbs"), Namespace: args["namespace"].Value,
			}
			g.Namespaced = g.Namespace != ""
			for i, group := range g.Groups {
				if group == "core" {
					g.Groups[i] = ""
				}
			}
			if len(g.Resources) > 0 {
				all = append(all, g)
			}
		}
	}
	return all
}

// packageMarkers returns the lines of comments in file that controller-gen reads for the package: those outside of
// declarations and of their documentation.
func packageMarkers(file *ast.File) []markers.Marker {
	var free []*ast.CommentGroup
	for _, group := range file.Comments {
		if !slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			f, ok := d.(*ast.FuncDecl)
			g, _ := d.(*ast.GenDecl)
			return ok && f.Doc == group || g != nil && g.Doc == group || d.Pos() <= group.Pos() && group.Pos() < d.End()
		}) {
			free = append(free, group)
		}
	}
	return markers.In(free...)
}
