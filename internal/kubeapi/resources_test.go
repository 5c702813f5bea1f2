package kubeapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The API server has the same names.
func TestResourceOf(t *testing.T) {
	data, err := os.ReadFile("testdata/discovery.tsv")
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"": "core"}
	for folder, group := range groups {
		folders[group] = folder
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 {
			continue
		}
		folder, ok := folders[f[0]]
		if !ok {
			folder = strings.TrimSuffix(f[0], ".k8s.io")
		}
		pkg := BuiltIn + folder + "/"
		switch folder {
		case "apiextensions":
			pkg = apiExtensions
		case "apiregistration":
			pkg = apiRegistration
		}
		group, resource, cluster, ok := ResourceOf(pkg + f[1] + "." + f[2])
		if !ok || group != f[0] || resource != f[3] || cluster != (f[4] == ScopeCluster) {
			t.Errorf("%s.%s is %s of %q, cluster %t, ok %t", pkg, f[2], resource, group, cluster, ok)
		}
	}
	for _, name := range []string{"example.com/api/v1.Thing", "k8s.io/api/policy/v1.Eviction", "k8s.io/api.T", "string", ""} {
		if _, resource, _, ok := ResourceOf(name); ok {
			t.Errorf("%q has the resource %q", name, resource)
		}
	}
	if group, _, _, ok := ResourceOf("example.com/vendor/k8s.io/api/core/v1.Pod"); !ok || group != "" {
		t.Error("a vendored type is unknown")
	}
}

// The packages of k8s.io/api say which group and scope their kinds have.
func TestResourceMarkers(t *testing.T) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api")
	list.Dir = filepath.Join("..", "..", "testdata")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(out))
	files, err := filepath.Glob(filepath.Join(root, "*", "*", "*.go"))
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	kinds := 0
	for _, name := range files {
		base := filepath.Base(name)
		if base != "register.go" && !strings.HasPrefix(base, "types") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(root, filepath.Dir(name))
		pkg := BuiltIn + filepath.ToSlash(rel)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if n.Names[0].Name == "GroupName" {
					want := strings.Trim(n.Values[0].(*ast.BasicLit).Value, `"`)
					if group, _, _, _ := ResourceOf(pkg + ".Kind"); group != want {
						t.Errorf("%s has the group %q, want %q", pkg, group, want)
					}
				}
			case *ast.GenDecl:
				spec, ok := n.Specs[0].(*ast.TypeSpec)
				if !ok {
					break
				}
				text := comments(file, n)
				_, _, cluster, ok := ResourceOf(pkg + "." + spec.Name.Name)
				if ok && strings.Contains(text, "+genclient\n") {
					kinds++
					if cluster != strings.Contains(text, "+"+MarkerNoNamespace) {
						t.Errorf("%s.%s: cluster is %t", pkg, spec.Name.Name, cluster)
					}
				}
			}
			return true
		})
	}
	if kinds < 80 {
		t.Errorf("%d kinds were read", kinds)
	}
}

// comments returns the text of the comments between decl and the declaration above.
func comments(file *ast.File, decl ast.Decl) string {
	var from token.Pos
	for _, d := range file.Decls {
		if d.End() < decl.Pos() {
			from = d.End()
		}
	}
	var b strings.Builder
	for _, group := range file.Comments {
		for _, c := range group.List {
			if from < c.Pos() && c.Pos() < decl.Pos() {
				b.WriteString(strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), " ") + "\n")
			}
		}
	}
	return b.String()
}
