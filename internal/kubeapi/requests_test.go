package kubeapi_test

import (
	"fmt"
	"testing"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const requests = `package src

import (
	"context"
)

type Pod struct{ f []string }

func (*Pod) SetFinalizers([]string)  {}
func (*Pod) GetDeletionTimestamp() *int { return nil }

type PodList struct{}
type Options struct{}
type Key struct{}

type Client interface {
	Get(ctx context.Context, key Key, obj *Pod, opts ...Options) error
	List(ctx context.Context, list *PodList, opts ...Options) error
	Update(ctx context.Context, obj *Pod, opts ...Options) error
	Patch(ctx context.Context, obj *Pod, patch any, opts ...Options) error
	DeleteAllOf(ctx context.Context, obj *Pod, opts ...Options) error
	Status() Client
	Do(ctx context.Context, obj *Pod) error
}

type Pods interface {
	Get(ctx context.Context, name string, opts Options) (*Pod, error)
	Update(ctx context.Context, obj *Pod, opts Options) (*Pod, error)
	UpdateStatus(ctx context.Context, obj *Pod, opts Options) (*Pod, error)
	Patch(ctx context.Context, name string, kind string, data []byte, opts Options, subresources ...string) (*Pod, error)
	Apply(ctx context.Context, pod *Options, opts Options) (*Pod, error)
	Delete(ctx context.Context, name string, opts Options) error
}

type Old interface{ Update(*Pod) (*Pod, error) }
type Lister interface { Get(name string) (*Pod, error) }
type Store interface { Get(n int) *Pod; Update(any); Delete(name string) }
type Named interface { Delete(ctx context.Context, namespace, name string) error }
type Numbers interface{ Update(n int) (int, error) }
type Storage interface { Update(ctx context.Context, n int) error }

func get(c Client, x context.Context, o *Pod)          { c.Get(x, Key{}, o) }
func list(c Client, x context.Context, o *PodList)     { c.List(x, o) }
func update(c Client, x context.Context, o *Pod)       { c.Update(x, o) }
func status(c Client, x context.Context, o *Pod)       { c.Status().Update(x, o) }
func patch(c Client, x context.Context, o *Pod, p any) { c.Patch(x, o, p) }
func allOf(c Client, x context.Context, o *Pod)        { c.DeleteAllOf(x, o) }
func other(c Client, x context.Context, o *Pod)        { c.Do(x, o) }

func tget(c Pods, x context.Context)              { c.Get(x, "n", Options{}) }
func tupdate(c Pods, x context.Context, o *Pod)   { c.Update(x, o, Options{}) }
func tstatus(c Pods, x context.Context, o *Pod)   { c.UpdateStatus(x, o, Options{}) }
func tpatch(c Pods, x context.Context, d []byte)  { c.Patch(x, "n", "k", d, Options{}) }
func tpatchst(c Pods, x context.Context, d []byte) { c.Patch(x, "n", "k", d, Options{}, "status") }
func tapply(c Pods, x context.Context)            { c.Apply(x, nil, Options{}) }
func tdelete(c Pods, x context.Context)           { c.Delete(x, "n", Options{}) }

func old(c Old, o *Pod)                        { c.Update(o) }
func lister(c Lister)                          { c.Get("n") }
func store(c Store)                            { c.Get(1) }
func storeUpdate(c Store, o *Pod)              { c.Update(o) }
func named(c Named, x context.Context)            { c.Delete(x, "s", "n") }
func storeDelete(c Store)                      { c.Delete("n") }
func numbers(c Numbers)                       { c.Update(1) }
func storage(c Storage, x context.Context)     { c.Update(x, 1) }
`

func TestRequestOf(t *testing.T) {
	p := ssatest.Build(t, requests)
	for name, want := range map[string]string{
		"get":    "get object name cached",
		"list":   "list cached",
		"update": "update object",
		"status": "update object status",
		"patch":  "patch object data",
		"allOf":  "deletecollection",
		"other":  "none",

		"tget":     "get name",
		"tupdate":  "update object",
		"tstatus":  "update object status",
		"tpatch":   "patch name data type",
		"tpatchst": "patch name data type status",
		"tapply":   "patch",
		"tdelete":  "delete name",

		"old":         "update object",
		"lister":      "get name cached",
		"store":       "none",
		"storeUpdate": "none",
		"storeDelete": "none",
		"named":       "none",
		"storage":     "none",
		"numbers":     "none",
	} {
		got := "no call"
		for c := range flow.Calls(p.Func(name)) {
			// the last one
			r, ok := kubeapi.RequestOf(c.Common())
			got = spell(r)
			if !ok {
				got = "none"
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func spell(r kubeapi.Request) string {
	s := string(r.Verb)
	for _, part := range []struct {
		what string
		is   bool
	}{
		{"object", r.Object != nil}, {"name", r.Name != nil}, {"data", r.Patch != nil}, {"type", r.PatchType != nil},
		{"status", r.Status}, {"cached", r.Cached},
	} {
		if part.is {
			s = fmt.Sprint(s, " ", part.what)
		}
	}
	return s
}
