package finalizerorder_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers/finalizerorder"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/filetest"
)

// What is used of the Kubernetes modules.
const (
	metaStub = `package v1
type Time struct{}
type Object interface { GetDeletionTimestamp() *Time; GetFinalizers() []string; SetFinalizers([]string) }
`
	clientStub = `package client
import ("context"; metav1 "k8s.io/apimachinery/pkg/apis/meta/v1")
type Object interface { metav1.Object }
type UpdateOption interface { u() }
type Client interface { Update(context.Context, Object, ...UpdateOption) error }
`
	utilStub = `package controllerutil
import "sigs.k8s.io/controller-runtime/pkg/client"
func AddFinalizer(client.Object, string) bool { return true }
func RemoveFinalizer(client.Object, string) bool { return true }
`
)

// A function with too many steps is looked at in part, and that is said.
func TestTooManySteps(t *testing.T) {
	for n, want := range map[int]bool{10: false, 100: true} {
		var b strings.Builder
		b.WriteString(`package a
import ("context"; "sigs.k8s.io/controller-runtime/pkg/client"; "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil")
func f(ctx context.Context, c client.Client, o client.Object) error {
`)
		for i := range n {
			fmt.Fprintf(&b, "if o.GetDeletionTimestamp() != nil { controllerutil.RemoveFinalizer(o, \"f%d\"); if err := c.Update(ctx, o); err != nil { return err } } else { controllerutil.AddFinalizer(o, \"f%d\") }\n", i, i)
		}
		b.WriteString("return nil }\n")
		dir := filetest.Module(t, map[string]string{
			"go.mod": "module m\n\ngo 1.24\n\nrequire (\n\tk8s.io/apimachinery v0.1.0\n\tsigs.k8s.io/controller-runtime v0.1.0\n)\n\n" +
				"replace k8s.io/apimachinery => ./meta\n\nreplace sigs.k8s.io/controller-runtime => ./runtime\n",
			"a/a.go":                        b.String(),
			"meta/go.mod":                   "module k8s.io/apimachinery\n\ngo 1.24\n",
			"meta/pkg/apis/meta/v1/meta.go": metaStub,
			"runtime/go.mod":                "module sigs.k8s.io/controller-runtime\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.1.0\n",
			"runtime/pkg/client/client.go":  clientStub,
			"runtime/pkg/controller/controllerutil/util.go": utilStub,
		})
		res := driver.Run([]*analysis.Analyzer{finalizerorder.Analyzer}, driver.Options{Context: t.Context(), Dir: dir, Base: dir, Patterns: []string{"./..."}})
		if len(res.Failures) > 0 {
			t.Fatal(res.Failures)
		}
		notes := fmt.Sprint(res.Notes)
		if got := strings.Contains(notes, "more steps with finalizers"); got != want {
			t.Errorf("%d finalizers are too many: %v, want %v: %s", n, got, want, notes)
		}
	}
}
