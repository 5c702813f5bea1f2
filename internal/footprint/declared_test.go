package footprint

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// passes type-checks packages of the module with the examples, one for each source.
func passes(t *testing.T, sources map[string]string) map[string]*analysis.Pass {
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	config := &packages.Config{Mode: packages.LoadSyntax, Dir: dir, Overlay: map[string][]byte{}}
	var patterns []string
	for name, source := range sources {
		config.Overlay[filepath.Join(dir, "overlay", name, "src.go")] = []byte(source)
		patterns = append(patterns, "./overlay/"+name)
	}
	pkgs, err := packages.Load(config, patterns...)
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatal(err)
	}
	all := map[string]*analysis.Pass{}
	for _, p := range pkgs {
		all[filepath.Base(p.PkgPath)] = &analysis.Pass{Fset: p.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.TypesInfo}
	}
	return all
}

const kinds = `
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const group = "example." + "com"

var (
	Other              = schema.GroupVersion{Group: "other.com", Version: "v9"}
	SchemeGroupVersion = schema.GroupVersion{Version: "v1beta2", Group: group}
)

// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// A is a kind.
type A struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=bees,scope=Cluster,shortName=b
type B struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// +kubebuilder:resource:scope=Namespaced
type C struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

type (
	Alias = B
	Embedded struct{ B }
	List     struct {
		metav1.TypeMeta
		metav1.ListMeta
		Items []A
	}
)
`

func TestDeclaredTypes(t *testing.T) {
	versions := "package v1\nimport \"k8s.io/apimachinery/pkg/runtime/schema\"\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" +
		"type A struct { metav1.TypeMeta; metav1.ObjectMeta }\n"
	all := passes(t, map[string]string{
		"variables": "package api\n" + kinds,
		"markers":   "// +groupName=example.com\n// +versionName=v7\npackage api\n" + kinds,
		"differ":    "// +groupName=by.marker\npackage api\n" + kinds,
		"one":       versions + `var V = schema.GroupVersion{"one.com", "v2"}`,
		"several":   versions + `var V, W = schema.GroupVersion{"one.com", "v2"}, schema.GroupVersion{"one.com", "v3"}`,
	})
	for name, want := range map[string][]string{
		"variables": {"A example.com v1beta2  true true", "B example.com v1beta2 bees true true", "C example.com v1beta2  false false"},
		"markers":   {"A example.com v7  true true", "B example.com v7 bees true true", "C example.com v7  false false"},
		"differ":    {"A    true true", "B   bees true true", "C    false false"},
		"one":       {"A one.com v2  false false"},
		"several":   {"A  v1  false false"},
	} {
		var got []string
		for _, k := range declaredTypes(all[name]) {
			got = append(got, fmt.Sprint(filepath.Ext(k.Name)[1:], " ", k.Group, " ", k.Version, " ", k.Plural, " ", k.Cluster, " ", k.Root))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestMarkerGrants(t *testing.T) {
	all := passes(t, map[string]string{"grants": `// Package grants is documented.
// +kubebuilder:rbac:groups=core;"apps",resources=pods;deployments/status,verbs={get,list}
package grants

// +kubebuilder:rbac:groups="",resources=secrets,resourceNames=a;b,verbs=get,namespace=system,roleName=other
//+kubebuilder:rbac:urls=/metrics,verbs=get

// F is documented.
// +kubebuilder:rbac:groups="",resources=documentation,verbs=get
func F() {
	// +kubebuilder:rbac:groups="",resources=inside,verbs=get
}

// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=*
`})
	var got []string
	for _, g := range markerGrants(all["grants"]) {
		got = append(got, fmt.Sprintf("%s %s %q %s %s %s %t %s", g.At, g.Role, g.Groups, g.Resources, g.Names, g.Verbs, g.Namespaced, g.Namespace))
	}
	want := []string{
		`src.go:2  ["" "apps"] [pods deployments/status] [] [get list] false `,
		`src.go:5 other [""] [secrets] [a b] [get] true system`,
		`src.go:14  ["batch"] [jobs] [] [*] false `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
