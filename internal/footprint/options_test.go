package footprint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// libraries are the libraries as far as the options of managers need them.
var libraries = map[string]string{
	"sigs.k8s.io/controller-runtime": `package ctrl
			import "sigs.k8s.io/controller-runtime/pkg/manager"
			type Options = manager.Options
			var NewManager = manager.New`,
	"sigs.k8s.io/controller-runtime/pkg/manager": `package manager
			import ("sigs.k8s.io/controller-runtime/pkg/cache"; "sigs.k8s.io/controller-runtime/pkg/client")
			type Config struct{}
			type Options struct {
				Scheme string
				Cache cache.Options
				Namespace string
				NewCache cache.NewCacheFunc
				Client client.Options
				NewClient func(*client.Rest, client.Options) (client.Client, error)
			}
			func (o Options) AndFrom(x any) (Options, error)
			func New(config any, options Options) (any, error)`,
	"sigs.k8s.io/controller-runtime/pkg/cache": `package cache
			import ("sigs.k8s.io/controller-runtime/pkg/client"; "k8s.io/apimachinery/pkg/labels"; "k8s.io/apimachinery/pkg/fields")
			type Rest struct{}
			type Cache interface { Cached() }
			const AllNamespaces = ""
			type Config struct { LabelSelector labels.Selector; FieldSelector fields.Selector }
			type ByObject struct {
				Namespaces map[string]Config
				Label labels.Selector
				Field fields.Selector
				Transform func(any) (any, error)
			}
			type Options struct {
				SyncPeriod *int
				ReaderFailOnMissingInformer bool
				DefaultNamespaces map[string]Config
				DefaultLabelSelector labels.Selector
				DefaultFieldSelector fields.Selector
				DefaultTransform func(any) (any, error)
				ByObject map[client.Object]ByObject
			}
			type NewCacheFunc func(*Rest, Options) (Cache, error)
			func New(*Rest, Options) (Cache, error)
			func MultiNamespacedCacheBuilder([]string) NewCacheFunc
			func TransformStripManagedFields() func(any) (any, error)`,
	"sigs.k8s.io/controller-runtime/pkg/client": `package client
			type Rest struct{}
			type Object interface { GetName() string }
			type Client interface { Reads() }
			type Reader interface { Reads() }
			type Options struct { Scheme string; Cache *CacheOptions }
			type CacheOptions struct { Reader Reader; DisableFor []Object; Unstructured bool }
			func New(*Rest, Options) (Client, error)`,
	"k8s.io/apimachinery/pkg/labels": `package labels
			type Selector interface { Matches() }
			type Set map[string]string
			func (Set) AsSelector() Selector
			func SelectorFromSet(Set) Selector
			func Parse(string) (Selector, error)
			func Everything() Selector`,
	"k8s.io/apimachinery/pkg/fields": `package fields
			type Selector interface { Matches() }
			func OneTermEqualSelector(k, v string) Selector`,
	"k8s.io/apimachinery/pkg/apis/meta/v1": `package v1
			import "k8s.io/apimachinery/pkg/runtime/schema"
			type PartialObjectMetadata struct{}
			func (*PartialObjectMetadata) SetGroupVersionKind(schema.GroupVersionKind)
			func (*PartialObjectMetadata) GetName() string`,
	"k8s.io/apimachinery/pkg/runtime/schema": `package schema
			type GroupVersionKind struct { Group, Version, Kind string }`,
	"k8s.io/api/core/v1": `package v1
			type Secret struct{}
			func (*Secret) GetName() string
			type ConfigMap struct{}
			func (*ConfigMap) GetName() string
			type Pod struct{}
			func (*Pod) GetName() string`,
	"github.com/spf13/pflag": `package pflag
			type FlagSet struct{}
			func (*FlagSet) StringSliceVarP(p *[]string, name, short string, value []string, usage string)`,
}

const header = `package main
import (
	"errors"; "flag"; "os"; "strings"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/fields"
	corev1 "k8s.io/api/core/v1"
%s)
var _, _, _, _ = errors.New, flag.Parse, os.Exit, strings.Split
var _ *cache.Options; var _ client.Object; var _ labels.Set; var _ fields.Selector; var _ corev1.Secret
`

// said returns what m says on one line, without places.
func said(m Manager) string {
	var out []string
	scope := func(what string, s Scope) {
		if reflectZero(s) {
			return
		}
		t := what + ":"
		for _, n := range s.Namespaces {
			t += " " + n.Text
			if n.All {
				t += "?"
			}
		}
		if s.Labels != "" {
			t += " labels " + s.Labels
		}
		if s.Fields != "" {
			t += " fields " + s.Fields
		}
		if s.Transform {
			t += " transform"
		}
		out = append(out, t)
	}
	kind := func(k Kind) string { return k.Type + [...]string{"", " metadata", " unstructured"}[k.Form] }
	scope("all", m.Default)
	for _, s := range m.Objects {
		scope(kind(s.Kind), s)
	}
	for _, e := range m.DisableFor {
		out = append(out, "live "+kind(e.Kind))
	}
	for _, flag := range []struct {
		is   bool
		name string
	}{{m.Open, "open"}, {m.OwnClient, "own client"}, {m.OwnCache, "own cache"}, {m.Untyped, "untyped"}, {m.Demands, "demands"}} {
		if flag.is {
			out = append(out, flag.name)
		}
	}
	return strings.ReplaceAll(strings.Join(append(out, m.Unless...), "; "), "k8s.io/api/core/v1.", "")
}

func reflectZero(s Scope) bool {
	return s.Kind == Kind{} && len(s.Namespaces) == 0 && s.Labels == "" && s.Fields == "" && !s.Transform
}

func TestManagers(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"no options", `func main() { ctrl.NewManager(nil, ctrl.Options{}) }`, ""},
		{"secrets read live", `func main() {
			ctrl.NewManager(nil, ctrl.Options{Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}, &corev1.ConfigMap{}}}}})
		}`, "live Secret; live ConfigMap"},
		{"by object", `func main() {
			ctrl.NewManager(nil, ctrl.Options{Scheme: "x", Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
				&corev1.Secret{}: {Label: labels.SelectorFromSet(labels.Set{"app": "x", "part": "y"})},
				&corev1.Pod{}: {Field: fields.OneTermEqualSelector("spec.nodeName", os.Getenv("NODE_NAME"))},
				&corev1.ConfigMap{}: {},
			}}})
		}`, "Secret: labels app=x,part=y; Pod: fields spec.nodeName=$NODE_NAME; ConfigMap:"},
		{"namespace of a flag", `func main() {
			var ns string
			flag.StringVar(&ns, "namespace", "", "")
			flag.Parse()
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{ns: {}}}})
		}`, "all: --namespace?"},
		{"flag with a default", `var ns = flag.String("namespace", "default", "")
		func main() {
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{*ns: {}}}})
		}`, "all: --namespace"},
		{"namespace is set later, on a condition", `func main() {
			options := ctrl.Options{Scheme: "x"}
			if ns := os.Getenv("WATCH_NAMESPACE"); ns != "" {
				options.Cache.DefaultNamespaces = map[string]cache.Config{}
				for _, one := range strings.Split(ns, ",") {
					options.Cache.DefaultNamespaces[one] = cache.Config{}
				}
			}
			ctrl.NewManager(nil, options)
		}`, "all: $WATCH_NAMESPACE?; namespaces only if $WATCH_NAMESPACE is set"},
		{"a namespace is demanded", `func main() {
			ns := os.Getenv("WATCH_NAMESPACE")
			if ns == "" {
				os.Exit(1)
			}
			options := ctrl.Options{}
			options.Cache = cache.Options{DefaultNamespaces: map[string]cache.Config{ns: {}, "kube-system": {}}}
			ctrl.NewManager(nil, options)
		}`, "all: $WATCH_NAMESPACE kube-system"},
		{"own namespace, of a function", `func own() (string, error) {
			ns, ok := os.LookupEnv("POD_NAMESPACE")
			if !ok {
				return "", errors.New("POD_NAMESPACE is not set")
			}
			return ns, nil
		}
		func run() error {
			ns, err := own()
			if err != nil {
				return err
			}
			_, err = ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
				&corev1.Secret{}: {Namespaces: map[string]cache.Config{ns: {}}},
			}}})
			return err
		}`, "Secret: $POD_NAMESPACE?"},
		{"helper for the map", `func held(ns string) map[string]cache.Config {
			if ns == "" {
				return nil
			}
			return map[string]cache.Config{ns: {}}
		}
		func main() {
			var ns string
			flag.StringVar(&ns, "namespace", "", "")
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{DefaultNamespaces: held(ns)}})
		}`, "all: --namespace?; namespaces only if --namespace is set"},
		{"helper for the options", `func options(live bool) ctrl.Options {
			o := ctrl.Options{Scheme: "x"}
			o.Client.Cache = &client.CacheOptions{Unstructured: true}
			if live {
				o.Client.Cache.DisableFor = append(o.Client.Cache.DisableFor, &corev1.Secret{})
			}
			return o
		}
		func main() { ctrl.NewManager(nil, options(os.Getenv("LIVE") == "1")) }`, "live Secret; untyped"},
		{"helper for a pointer", `func scope(o *ctrl.Options, ns string) {
			if ns != "" {
				o.Cache.DefaultNamespaces = map[string]cache.Config{ns: {}}
			}
			o.Cache.DefaultTransform = cache.TransformStripManagedFields()
		}
		func main() {
			o := ctrl.Options{}
			scope(&o, os.Getenv("WATCH_NAMESPACE"))
			ctrl.NewManager(nil, o)
		}`, "all: $WATCH_NAMESPACE? transform; namespaces only if $WATCH_NAMESPACE is set"},
		{"both branches", `func main() {
			o := ctrl.Options{}
			if os.Getenv("WATCH_NAMESPACE") != "" {
				o.Cache = cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Secret{}: {Label: labels.Set{"a": "b"}.AsSelector()}}}
			} else {
				o.Cache = cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Secret{}: {Label: labels.Set{"a": "b"}.AsSelector()}, &corev1.Pod{}: {Label: labels.Set{"a": "b"}.AsSelector()}}}
			}
			ctrl.NewManager(nil, o)
		}`, "Secret: labels a=b; Pod:; labels of Pod only if $WATCH_NAMESPACE is not set"},
		{"new cache", `func main() {
			ctrl.NewManager(nil, ctrl.Options{NewCache: func(c *cache.Rest, o cache.Options) (cache.Cache, error) {
				o.DefaultLabelSelector = labels.SelectorFromSet(labels.Set{"app": "x"})
				o.ByObject = map[client.Object]cache.ByObject{&corev1.Secret{}: {}}
				return cache.New(c, o)
			}})
		}`, "all: labels app=x; Secret: labels app=x"},
		{"kinds inherit", `func main() {
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{
				DefaultNamespaces: map[string]cache.Config{"a": {}}, DefaultLabelSelector: labels.SelectorFromSet(labels.Set{"app": "x"}),
				ByObject: map[client.Object]cache.ByObject{
					&corev1.Secret{}: {Label: labels.Everything()}, &corev1.Pod{}: {Namespaces: map[string]cache.Config{"b": {}}},
				},
			}})
		}`, "all: a labels app=x; Secret: a; Pod: b labels app=x"},
		{"default client", `func main() { ctrl.NewManager(nil, ctrl.Options{NewClient: client.New, NewCache: cache.New}) }`, ""},
		{"own client", `func main() {
			ctrl.NewManager(nil, ctrl.Options{NewClient: func(c *client.Rest, o client.Options) (client.Client, error) { return client.New(c, o) }})
		}`, "own client"},
		{"own cache", `type wrapped struct{ cache.Cache }
		func main() {
			ctrl.NewManager(nil, ctrl.Options{NewCache: func(c *cache.Rest, o cache.Options) (cache.Cache, error) {
				made, err := cache.New(c, o)
				return wrapped{made}, err
			}})
		}`, "own cache"},
		{"several namespaces, before v0.16", `func main() {
			o := ctrl.Options{}
			if ns := os.Getenv("WATCH_NAMESPACE"); strings.Contains(ns, ",") {
				o.NewCache = cache.MultiNamespacedCacheBuilder(strings.Split(ns, ","))
			} else {
				o.Namespace = ns
			}
			ctrl.NewManager(nil, o)
		}`, "all: $WATCH_NAMESPACE?"},
		{"labels by namespace", `func main() {
			l := labels.SelectorFromSet(labels.Set{"a": "b"})
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
				&corev1.Secret{}: {Namespaces: map[string]cache.Config{"x": {LabelSelector: l}, "y": {LabelSelector: l}}},
				&corev1.Pod{}: {Namespaces: map[string]cache.Config{"x": {LabelSelector: l}, "y": {}}},
			}}})
		}`, "Secret: x y labels a=b; Pod: x y"},
		{"options of a closure, in a struct", `type app struct { options ctrl.Options }
		func (a *app) run() error {
			_, err := ctrl.NewManager(nil, a.options)
			return err
		}
		func main() {
			a := &app{options: ctrl.Options{Cache: cache.Options{ReaderFailOnMissingInformer: true}}}
			f := func() error { return a.run() }
			f()
		}`, "demands"},
		{"captured", `func main() {
			o := ctrl.Options{}
			o.Cache.DefaultNamespaces = map[string]cache.Config{"a": {}}
			run := func() { ctrl.NewManager(nil, o) }
			run()
		}`, "all: a"},
		{"package variable", `var o = ctrl.Options{Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}}}}
		func main() { ctrl.NewManager(nil, o) }`, "all: a"},
		{"library options", `func main() {
			o, _ := ctrl.Options{Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}}}}.AndFrom(nil)
			ctrl.NewManager(nil, o)
		}`, "open"},
		{"parameter of an exported function", `func Run(o ctrl.Options) { ctrl.NewManager(nil, o) }`, "open"},
		{"labels of a flag", `func main() {
			var l string
			flag.StringVar(&l, "label", "", "")
			s, err := labels.Parse(l)
			if err != nil { os.Exit(1) }
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{DefaultLabelSelector: s}})
		}`, "all: labels --label"},
		{"slice of a flag", `func main() {
			var list []string
			new(pflag.FlagSet).StringSliceVarP(&list, "namespaces", "n", nil, "")
			held := make(map[string]cache.Config)
			for _, ns := range list {
				held[ns] = cache.Config{LabelSelector: labels.Everything()}
			}
			ctrl.NewManager(nil, ctrl.Options{Cache: cache.Options{DefaultNamespaces: held}})
		}`, "all: --namespaces?"},
		{"metadata", `func main() {
			o := &metav1.PartialObjectMetadata{}
			o.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Backup"})
			ctrl.NewManager(nil, ctrl.Options{Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{o}}}})
		}`, "live example.com/v1.Backup metadata"},
	} {
		check(t, test.name, test.src, test.want, libraries, `"github.com/spf13/pflag"; metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"; "k8s.io/apimachinery/pkg/runtime/schema"`,
			"var _ pflag.FlagSet; var _ metav1.PartialObjectMetadata; var _ schema.GroupVersionKind\n")
	}
}

func check(t *testing.T, name, src, want string, libs map[string]string, imports, uses string) {
	t.Run(name, func(t *testing.T) {
		pass := ssatest.PassWith(t, fmt.Sprintf(header, imports)+uses+src, libs)
		all := managers(program.Of(pass), pass)
		if len(all) != 1 {
			t.Fatalf("%d managers", len(all))
		}
		if got := said(all[0]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}
