package blocking_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/ctrllint/ctrllint/internal/blocking"
)

// The clients of Kubernetes as far as their shape goes: a server is known by the package and the type of its client.
var fakes = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1": `package v1
type GetOptions struct{}
type UpdateOptions struct{}
type Object interface{ GetName() string }
type Status struct{}
`,
	"sigs.k8s.io/controller-runtime/pkg/client": `package client
import "context"
type Object interface{}
type Reader interface { Get(context.Context, string, Object) error; List(context.Context, Object) error }
type Writer interface { Create(context.Context, Object) error; Update(context.Context, Object) error }
type SubResourceReader interface { Get(context.Context, Object, Object) error }
type Client interface { Reader; Writer; Scheme() int; SubResource(string) SubResourceReader }
`,
	"k8s.io/client-go/rest": `package rest
import "context"
type Request struct{}
func (*Request) Name(string) *Request { return nil }
func (*Request) Do(context.Context) *Request { return nil }
func (*Request) Watch(context.Context) error { return nil }
`,
	"k8s.io/client-go/discovery": `package discovery
type DiscoveryInterface interface { ServerGroups() error; RESTClient() int }
`,
}

const clients = `package src

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type typed interface {
	Get(context.Context, string, metav1.GetOptions) error
	Patch(context.Context, string, []byte, metav1.UpdateOptions, ...string) error
	Informer(context.Context, metav1.GetOptions)
	Update(string, metav1.UpdateOptions)
	Delete(context.Context, metav1.Object)
	Apply(context.Context, metav1.Status)
	Watch(context.Context)
}
type generated struct{}
func (*generated) UpdateStatus(context.Context, *generated, metav1.UpdateOptions) {}
func Get(context.Context, metav1.GetOptions) {}

func typedGet(x typed)             { x.Get(nil, "", metav1.GetOptions{}) }
func typedPatch(x typed)           { x.Patch(nil, "", nil, metav1.UpdateOptions{}) }
func generatedStatus(x *generated) { x.UpdateStatus(nil, nil, metav1.UpdateOptions{}) }
func create(x client.Client)       { x.Create(nil, nil) }
func update(x client.Writer)       { x.Update(nil, nil) }
func subResource(x client.Client)  { x.SubResource("").Get(nil, nil, nil) }
func request(x *rest.Request)      { x.Name("").Do(nil) }
func watch(x *rest.Request)        { x.Watch(nil) }
func groups(x discovery.DiscoveryInterface) { x.ServerGroups() }

func cachedGet(x client.Client)    { x.Get(nil, "", nil) }
func cachedList(x client.Reader)   { x.List(nil, nil) }

func noVerb(x typed)               { x.Informer(nil, metav1.GetOptions{}) }
func noContext(x typed)            { x.Update("", metav1.UpdateOptions{}) }
func noOptions(x typed)            { x.Delete(nil, nil) }
func otherType(x typed)            { x.Apply(nil, metav1.Status{}) }
func onlyContext(x typed)          { x.Watch(nil) }
func noMethod()                    { Get(nil, metav1.GetOptions{}) }
func scheme(x client.Client)       { x.Scheme() }
func named(x *rest.Request)        { x.Name("") }
func restClient(x discovery.DiscoveryInterface) { x.RESTClient() }
`

// fakeImporter gives the packages of fakes, and others from their source.
type fakeImporter struct {
	fset *token.FileSet
	std  types.Importer
	done map[string]*types.Package
}

func (i *fakeImporter) Import(path string) (*types.Package, error) {
	src, ok := fakes[path]
	if !ok {
		return i.std.Import(path)
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	f, err := parser.ParseFile(i.fset, path+"/fake.go", src, 0)
	if err != nil {
		return nil, err
	}
	p, err := (&types.Config{Importer: i}).Check(path, i.fset, []*ast.File{f}, nil)
	i.done[path] = p
	return p, err
}

func TestSlowOfClients(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "src.go", clients, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: &fakeImporter{fset, importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}}}
	p, _, err := ssautil.BuildPackage(conf, fset, types.NewPackage("example.com/src", "src"), []*ast.File{f}, ssa.BuilderMode(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		names  string
		slow   bool
		cached bool
	}{
		{"typedGet typedPatch generatedStatus create update subResource request watch groups", true, false},
		{"cachedGet cachedList", true, true},
		{"noVerb noContext noOptions otherType onlyContext noMethod scheme named restClient", false, false},
	} {
		for name := range strings.FieldsSeq(test.names) {
			found := each(t, p, name, blocking.Table(nil).SlowOf)
			switch {
			case test.slow && len(found) != 1:
				t.Errorf("%s: %d slow operations, want 1", name, len(found))
			case test.slow &&
				(!strings.Contains(found[0].Because, "server") || strings.Contains(found[0].Because, "cache") != test.cached):
				t.Errorf("%s: got %+v, cached should be %t", name, found[0], test.cached)
			case !test.slow && len(found) > 0:
				t.Errorf("%s: %s is slow, want nothing", name, found[0].What)
			}
		}
	}
}
