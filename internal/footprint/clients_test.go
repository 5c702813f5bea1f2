package footprint_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// head is the beginning of each program: mgr is its manager, and key the key of an object.
const head = `package main

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

var (
	ctx = context.Background()
	key client.ObjectKey
	_   = []any{os.Args, corev1.Pod{}, unstructured.Unstructured{}, schema.GroupVersionKind{}, fake.NewClientBuilder, cluster.New, handler.Funcs{}}
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	run(mgr)
}
`

var sources = map[kubeapi.Source]string{
	kubeapi.UnknownSource: "unknown", kubeapi.ManagerClient: "client", kubeapi.ManagerCache: "cache", kubeapi.LiveClient: "live",
	kubeapi.OtherClient: "other", kubeapi.FakeClient: "fake",
}

// origins are programs, and what they ask for: verb, kind and source, by manager.
var origins = []struct{ name, src, want string }{
	{"field", `
		type r struct { c client.Client; live client.Reader }
		func run(mgr ctrl.Manager) { a := &r{c: mgr.GetClient()}; a.live = mgr.GetAPIReader(); a.read() }
		func (a *r) read() { _ = a.c.Get(ctx, key, &corev1.Secret{}); _ = a.live.List(ctx, &corev1.PodList{}) }`,
		"list Pod live; get Secret client"},
	{"constructor", `
		type r struct { c client.Client }
		func newR(c client.Client) *r { return &r{c} }
		func run(mgr ctrl.Manager) { newR(mgr.GetClient()).read() }
		func (a *r) read() { _ = a.c.Get(ctx, key, &corev1.Secret{}) }`, "get Secret client"},
	{"parameter of the manager", `
		func run(mgr ctrl.Manager) { one(mgr) }
		func one(m ctrl.Manager) { two(m.GetClient(), m.GetAPIReader()) }
		func two(c client.Client, r client.Reader) { _ = c.Get(ctx, key, &corev1.Secret{}); _ = r.Get(ctx, key, &corev1.Pod{}) }`,
		"get Pod live; get Secret client"},
	{"embedded", `
		type base struct { client.Client }
		type r struct { base }
		func run(mgr ctrl.Manager) { a := r{base{mgr.GetClient()}}; _ = a.Get(ctx, key, &corev1.Secret{}); _ = a.Status().Update(ctx, &corev1.Pod{}) }`,
		"update Pod status client; get Secret client"},
	{"wrapper", `
		type wrapped struct { client.Client; name string }
		func wrap(c client.Client) client.Client { return &wrapped{Client: c} }
		func run(mgr ctrl.Manager) { _ = wrap(mgr.GetClient()).Get(ctx, key, &corev1.Secret{}) }`, "get Secret client"},
	{"wrapper with a method of its own", `
		type wrapped struct { client.Client }
		func (w wrapped) Get(ctx context.Context, key client.ObjectKey, obj client.Object, o ...client.GetOption) error { return w.Client.Get(ctx, key, obj, o...) }
		func run(mgr ctrl.Manager) { var c client.Client = wrapped{mgr.GetClient()}; _ = c.Get(ctx, key, &corev1.Secret{}) }`, "get Secret client"},
	{"method of an interface", `
		type reader interface { read(c client.Reader, obj client.Object) error }
		type plain struct{}
		func (plain) read(c client.Reader, obj client.Object) error { return c.Get(ctx, key, obj) }
		func run(mgr ctrl.Manager) { var r reader = plain{}; _ = r.read(mgr.GetAPIReader(), &corev1.Secret{}); _ = r.read(mgr.GetClient(), &corev1.Pod{}) }`,
		"get Pod client; get Secret live"},
	{"client of an interface", `
		type source interface { reader() client.Reader }
		type plain struct { c client.Client }
		func (p plain) reader() client.Reader { return p.c }
		func run(mgr ctrl.Manager) { var s source = plain{mgr.GetClient()}; _ = s.reader().Get(ctx, key, &corev1.Secret{}) }`, "get Secret client"},
	{"variable of the package", `
		var global client.Client
		func run(mgr ctrl.Manager) { global = mgr.GetClient(); read() }
		func read() { _ = global.Get(ctx, key, &corev1.Secret{}) }`, "get Secret client"},
	{"client.New", `
		func run(mgr ctrl.Manager) {
			live, _ := client.New(mgr.GetConfig(), client.Options{Scheme: mgr.GetScheme()})
			_ = live.Get(ctx, key, &corev1.Secret{})
			idle, _ := client.New(mgr.GetConfig(), client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}})
			_ = idle.Get(ctx, key, &corev1.ConfigMap{})
			cached, _ := client.New(mgr.GetConfig(), client.Options{Cache: &client.CacheOptions{Reader: mgr.GetCache()}})
			_ = cached.Get(ctx, key, &corev1.Pod{})
		}`, "get ConfigMap live; get Pod client; get Secret live"},
	{"namespaced client", `
		func run(mgr ctrl.Manager) {
			c := client.NewNamespacedClient(mgr.GetClient(), "a")
			_ = c.Get(ctx, key, &corev1.Secret{})
			_ = client.NewDryRunClient(c).Get(ctx, key, &corev1.Pod{})
		}`, "get Pod client; get Secret client"},
	{"closure of a command", `
		type command struct { RunE func(args []string) error }
		func run(mgr ctrl.Manager) {
			c := mgr.GetClient()
			cmd := &command{RunE: func([]string) error { return c.Get(ctx, key, &corev1.Secret{}) }}
			cmd.RunE = func([]string) error { go func() { _ = c.Get(ctx, key, &corev1.Pod{}) }(); return nil }
			_ = cmd.RunE(nil)
		}`, "get Pod client; get Secret client"},
	{"either client at one call", `
		func run(mgr ctrl.Manager) {
			var c client.Reader = mgr.GetClient()
			if len(os.Args) > 1 { c = mgr.GetAPIReader() }
			_ = c.Get(ctx, key, &corev1.Secret{})
		}`, "get Secret client mixed; get Secret live mixed"},
	{"a helper with either client", `
		func run(mgr ctrl.Manager) { read(mgr.GetClient(), &corev1.Secret{}); read(mgr.GetAPIReader(), &corev1.Pod{}) }
		func read(c client.Reader, obj client.Object) { again(c, obj) }
		func again(c client.Reader, obj client.Object) { _ = c.Get(ctx, key, obj) }`, "get Pod live; get Secret client"},
	{"fake", `
		func run(ctrl.Manager) { _ = fake.NewClientBuilder().Build().Get(ctx, key, &corev1.Secret{}) }`, "get Secret fake"},
	{"another cluster", `
		func run(mgr ctrl.Manager) { c, _ := cluster.New(mgr.GetConfig()); _ = c.GetClient().Get(ctx, key, &corev1.Secret{}) }`, "get Secret other"},
	{"unknown", `
		var make func() client.Client
		func run(ctrl.Manager) { _ = make().Get(ctx, key, &corev1.Secret{}) }`, "get Secret unknown"},
	{"type parameter", `
		func get[T client.Object](c client.Client, obj T) error { return c.Get(ctx, key, obj) }
		func run(mgr ctrl.Manager) { _ = get(mgr.GetClient(), &corev1.Secret{}); _ = get(mgr.GetClient(), &corev1.Pod{}) }`,
		"get Pod client; get Secret client"},
	{"unstructured", `
		func run(mgr ctrl.Manager) {
			u := &unstructured.Unstructured{}
			u.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Garden"})
			_ = mgr.GetClient().Get(ctx, key, u)
		}`, "get Garden unstructured client"},
	{"watches", `
		type r struct { client.Client }
		func (r) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) { return ctrl.Result{}, nil }
		func run(mgr ctrl.Manager) {
			_ = mgr.GetFieldIndexer().IndexField(ctx, &corev1.Pod{}, "a", nil)
			_, _ = mgr.GetCache().GetInformer(ctx, &corev1.Node{})
			_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).
				WatchesMetadata(&corev1.Service{}, &handler.EnqueueRequestForObject{}).Complete(r{mgr.GetClient()})
		}`, "For ConfigMap cache; Informer Node cache; Index Pod cache; Owns Secret cache; WatchesMetadata Service metadata cache"},
	{"two managers", `
		func run(first ctrl.Manager) {
			second, _ := ctrl.NewManager(first.GetConfig(), ctrl.Options{})
			_ = first.GetClient().Get(ctx, key, &corev1.Secret{})
			_ = second.GetClient().Get(ctx, key, &corev1.Pod{})
		}`, "get Secret client | get Pod client"},
	{"not run", `
		func run(ctrl.Manager) {}
		func read(mgr ctrl.Manager) { _ = mgr.GetClient().Get(ctx, key, &corev1.Secret{}) }`, ""},
}

func TestClients(t *testing.T) {
	rule.Active.Programs = true
	t.Cleanup(func() { rule.Active.Programs = false })
	files := map[string]string{}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	for i, o := range origins {
		files[fmt.Sprintf("p%d/main.go", i)] = head + o.src
	}
	var mu sync.Mutex
	got := map[string]string{}
	probe := &analysis.Analyzer{Name: "probe", Doc: "look at footprints", Requires: []*analysis.Analyzer{footprint.Analyzer}}
	probe.Run = func(pass *analysis.Pass) (any, error) {
		mu.Lock()
		defer mu.Unlock()
		if pass.Pkg.Name() == "main" {
			got[path.Base(pass.Pkg.Path())] = asked(pass.ResultOf[footprint.Analyzer].(*footprint.Program))
		}
		return nil, nil
	}
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	for _, f := range driver.Run([]*analysis.Analyzer{probe}, driver.Options{Dir: dir}).Failures {
		t.Errorf("%+v", f)
	}
	for i, o := range origins {
		if got := got[fmt.Sprintf("p%d", i)]; got != o.want {
			t.Errorf("%s: got  %s\nwant %s", o.name, got, o.want)
		}
	}
}

// asked returns what p asks for, by manager.
func asked(p *footprint.Program) string {
	var managers []string
	for _, f := range p.Footprints {
		var all []string
		for _, a := range f.Asked {
			text := []string{string(a.Verb), a.Kind.Type[strings.LastIndexByte(a.Kind.Type, '.')+1:], a.Sub, a.Kind.Form.String(), sources[a.Source], ""}
			if a.Role != "" {
				text[0] = a.Role
			}
			if a.Mixed {
				text[5] = "mixed"
			}
			text = slices.DeleteFunc(text, func(s string) bool { return s == "" || s == footprint.Typed.String() })
			all = append(all, strings.Join(text, " "))
		}
		managers = append(managers, strings.Join(all, "; "))
	}
	return strings.Join(managers, " | ")
}
