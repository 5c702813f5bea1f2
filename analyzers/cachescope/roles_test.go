package cachescope_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers/cachescope"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
)

// program is a controller of Gardens, with markers, and with statements of its Reconcile.
const program = `package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

%s

// +groupName=example.com
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=gardens
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

type reconciler struct {
	client.Client
	live client.Reader
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	obj := &corev1.Secret{}
	%s
	return ctrl.Result{}, r.Get(ctx, req.NamespacedName, &Garden{})
}

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Cache: cache.Options{%s}})
	if err != nil {
		panic(err)
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Complete(&reconciler{mgr.GetClient(), mgr.GetAPIReader()}); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
`

// bound returns a role with rules for Gardens, and for Secrets with verbs, and its binding.
func bound(kind, binding, verbs string) string {
	return fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: %s
metadata: {name: manager, namespace: system}
rules:
- {apiGroups: [example.com], resources: [gardens], verbs: [get, list, watch]}
- {apiGroups: [""], resources: [secrets], verbs: [%s]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: %s
metadata: {name: manager, namespace: system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: manager}
subjects: [{kind: ServiceAccount, name: manager, namespace: system}]
`, kind, verbs, binding, kind)
}

const (
	cachedGet = "if err := r.Get(ctx, req.NamespacedName, obj); err != nil {\n\t\treturn ctrl.Result{}, err\n\t}"
	liveGet   = "if err := r.live.Get(ctx, req.NamespacedName, obj); err != nil {\n\t\treturn ctrl.Result{}, err\n\t}"
	create    = "if err := r.Create(ctx, obj); err != nil {\n\t\treturn ctrl.Result{}, err\n\t}"
	gardens   = "// +kubebuilder:rbac:groups=example.com,resources=gardens,verbs=get;list;watch\n"
	secrets   = "// +kubebuilder:rbac:groups=\"\",resources=secrets,verbs="
	blocks    = "forbidden: no role grants list on secrets: this cached Get blocks until its context ends"
	wide      = "ClusterRole"
	wideTo    = "ClusterRoleBinding"
	system    = `DefaultNamespaces: map[string]cache.Config{"system": {}}`
)

// Each program is in a repository of its own, whose manifests and markers decide.
var programs = map[string]struct {
	markers, body, options string
	manifests              map[string]string // by name
	want                   string
}{
	"get only":           {gardens + secrets + "get", cachedGet, "", nil, blocks},
	"all verbs":          {gardens + secrets + "get;list;watch", cachedGet, "", nil, ""},
	"live":               {gardens + secrets + "get", liveGet, "", nil, ""},
	"no list":            {gardens + secrets + "watch", cachedGet, "", nil, blocks + " (possible)"},
	"no watch":           {gardens + secrets + "list", cachedGet, "", nil, "forbidden: no role grants watch on secrets: the cache lists all of them again every few seconds"},
	"roles elsewhere":    {"", cachedGet, "", nil, ""},
	"role":               {"", cachedGet, "", map[string]string{"config/role.yaml": bound(wide, wideTo, "get, list, watch")}, ""},
	"role without list":  {"", cachedGet, "", map[string]string{"config/role.yaml": bound(wide, wideTo, "get")}, blocks},
	"role of a test":     {gardens, cachedGet, "", map[string]string{"test/role.yaml": bound(wide, wideTo, "list, watch")}, blocks},
	"in a namespace":     {gardens, cachedGet, "", map[string]string{"config/role.yaml": bound("Role", "RoleBinding", "list, watch")}, "forbidden: no role grants list on secrets in the cluster, only a Role in a namespace does: this cached Get blocks until its context ends"},
	"cache of namespace": {gardens, cachedGet, system, map[string]string{"config/role.yaml": bound("Role", "RoleBinding", "list, watch")}, ""},
	"another account":    {"", cachedGet, "", map[string]string{"config/role.yaml": bound(wide, wideTo, "get"), "config/agent.yaml": strings.NewReplacer("manager", "agent", "gardens", "flowers").Replace(bound(wide, wideTo, "list, watch"))}, blocks},
	"chart":              {gardens + secrets + "list;watch", cachedGet, "", map[string]string{"deploy/chart/templates/role.yaml": bound(wide, wideTo, "get")}, strings.Replace(blocks, "no role", "no role of deploy/chart", 1)},
	"chart with values":  {gardens + secrets + "list;watch", cachedGet, "", map[string]string{"deploy/chart/templates/role.yaml": bound(wide, wideTo, "get, {{ .Values.verb }}")}, ""},
	"unread":             {gardens, cachedGet, "", map[string]string{"config/role.yaml": "kind: ClusterRole\nrules: [\n"}, ""},
	"silenced":           {gardens, "//lint:ignore ctrllint/cachescope/forbidden the role is made by hand\n\t" + cachedGet, "", nil, ""},

	"create":            {gardens, create, "", nil, ""},
	"create granted":    {gardens + secrets + "create", create, "", nil, ""},
	"create by name":    {gardens + "// +kubebuilder:rbac:groups=\"\",resources=secrets,resourceNames=a,verbs=create", create, "", nil, ""},
	"unused":            {gardens + secrets + "get", "_ = obj", "", nil, "rbac: nothing in this program asks for secrets, which this marker grants get on: remove it"},
	"unused of others":  {gardens + "// +kubebuilder:rbac:groups=other.com,resources=flowers,verbs=get", "_ = obj", "", nil, ""},
	"events and leases": {gardens + "// +kubebuilder:rbac:groups=coordination.k8s.io;\"\",resources=leases;events,verbs=create", "_ = obj", "", nil, ""},
	"singular": {gardens + "// +kubebuilder:rbac:groups=example.com,resources=garden,verbs=update", "_ = obj", "", map[string]string{"config/crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names:
    kind: Garden
    plural: gardens
  scope: Namespaced
`}, "rbac: group \"example.com\" has no resource garden, so that this marker grants nothing for it: write gardens"},
}

// Findings about roles are those of the manifests as they are now, also if the results for the code are kept.
func TestRoles(t *testing.T) {
	rule.Active.Nursery, rule.Active.Programs = true, true
	t.Cleanup(func() { rule.Active.Nursery, rule.Active.Programs = false, false })
	files := map[string]string{}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	folder := func(name string) string { return strings.ReplaceAll(name, " ", "") }
	for name, p := range programs {
		dir := folder(name)
		files[dir+"/.git"] = ""
		files[dir+"/cmd/main.go"] = fmt.Sprintf(program, p.markers, p.body, p.options)
		for file, text := range p.manifests {
			files[path.Join(dir, file)] = text
		}
	}
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	kept, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	found := func() map[string][]string {
		all := map[string][]string{}
		for _, lowest := range []rule.Confidence{rule.Certain, rule.Possible} {
			rule.Active.Confidence = lowest
			r := driver.Run([]*analysis.Analyzer{cachescope.Analyzer}, driver.Options{Dir: dir, Store: kept})
			for _, f := range r.Failures {
				t.Fatalf("%+v", f)
			}
			for _, f := range r.Findings {
				at, _, _ := strings.Cut(f.File, "/")
				text := strings.TrimPrefix(f.Category, "cachescope/") + ": " + f.Message
				switch {
				case strings.HasPrefix(text, "implicit"):
				case lowest == rule.Certain:
					all[at] = append(all[at], text)
				case !slices.Contains(all[at], text):
					all[at] = append(all[at], text+" (possible)")
				}
			}
		}
		rule.Active.Confidence = 0
		return all
	}
	got := found()
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		if got := strings.Join(got[folder(name)], "\n"); got != programs[name].want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, programs[name].want)
		}
	}

	filetest.Write(t, dir, map[string]string{
		"getonly/config/role.yaml": bound(wide, wideTo, "list, watch"),
		"role/config/role.yaml":    bound(wide, wideTo, "get"),
	})
	if got := found(); len(got["getonly"]) > 0 || !slices.Equal(got["role"], []string{blocks}) {
		t.Errorf("with other roles: %q and %q", got["getonly"], got["role"])
	}
}
