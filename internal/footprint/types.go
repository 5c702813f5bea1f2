package footprint

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/markers"
)

// declaredTypes returns the kinds that the package declares: structs with the methods and metadata of objects. Group and
// Version are those of its markers, or of its variable that has them; they stay empty if it has none.
func declaredTypes(pass *analysis.Pass) (all []Type) {
	for _, file := range pass.Files {
		for _, d := range markers.Types(file) {
			obj, ok := pass.TypesInfo.Defs[d.Type.Name].(*types.TypeName)
			if d.Field != nil || !ok || obj.IsAlias() || !kubeapi.IsKind(obj.Type()) {
				continue
			}
			t := Type{Name: obj.Pkg().Path() + "." + obj.Name()}
			for _, m := range d.Lines {
				switch {
				case m.Is(kubeapi.MarkerResource):
					args := m.Args(kubeapi.MarkerResource)
					t.Plural = args["path"].Value
					t.Cluster = t.Cluster || args["scope"].Value == kubeapi.ScopeCluster
				case m.Is(kubeapi.MarkerNoNamespace):
					t.Cluster = true
				case m.Is(kubeapi.MarkerRoot):
					t.Root = t.Root || !strings.HasSuffix(m.Text, "false")
				case m.Is(kubeapi.MarkerDeepCopy):
					t.Root = t.Root || strings.HasSuffix(m.Text, kubeapi.RuntimeObject)
				}
			}
			all = append(all, t)
		}
	}
	if len(all) > 0 {
		group, version := groupVersion(pass)
		for i := range all {
			all[i].Group, all[i].Version = group, version
		}
	}
	return all
}

// versionName is a name of packages that is a version.
var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// groupVersion returns the API group and version of the package.
func groupVersion(pass *analysis.Pass) (group, version string) {
	for _, file := range pass.Files {
		for _, m := range markers.In(file.Comments...) {
			_, value, _ := strings.Cut(m.Text, "=")
			switch {
			case m.Is(kubeapi.MarkerGroup):
				group = value
			case m.Is(kubeapi.MarkerVersion):
				version = value
			}
		}
	}
	g, v := schemeVersion(pass)
	if g != "" && group != "" && g != group {
		return "", "" // one of the two is not what the objects are registered with
	}
	return cmp.Or(group, g), cmp.Or(version, v, versionName.FindString(pass.Pkg.Name()))
}

// schemeVersion returns the constants of the schema.GroupVersion that the package registers its kinds with: that of the
// variable with the usual name, else the only one.
func schemeVersion(pass *analysis.Pass) (group, version string) {
	usual, several := false, false
	visit := func(spec *ast.ValueSpec) {
		for i, value := range spec.Values {
			lit, ok := ast.Unparen(value).(*ast.CompositeLit)
			if !ok || usual || !kubeapi.IsGroupVersion(pass.TypesInfo.TypeOf(lit)) {
				continue
			}
			g, v := literal(pass, lit)
			usual = kubeapi.IsSchemeVersion(spec.Names[i].Name)
			several = !usual && (several || group+version != "" && (group != g || version != v))
			group, version = g, v
		}
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			for i := 0; ok && i < len(gen.Specs); i++ {
				if spec, ok := gen.Specs[i].(*ast.ValueSpec); ok {
					visit(spec)
				}
			}
		}
	}
	if several {
		return "", ""
	}
	return group, version
}

// literal returns the constants of the group and the version in a schema.GroupVersion.
func literal(pass *analysis.Pass, lit *ast.CompositeLit) (group, version string) {
	for i, e := range lit.Elts {
		second := i == 1
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name, _ := kv.Key.(*ast.Ident)
			second, e = name != nil && kubeapi.IsVersionField(name.Name), kv.Value
		}
		value := pass.TypesInfo.Types[e].Value
		if value == nil || value.Kind() != constant.String {
			continue
		}
		if second {
			version = constant.StringVal(value)
		} else {
			group = constant.StringVal(value)
		}
	}
	return group, version
}
