package requestobject

import (
	"context"
	"errors"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"example.com/operators/repro/requestobject/lost"
)

type reconciler interface {
	Scale(ctx context.Context, key client.ObjectKey, size int32) error
	Observe(ctx context.Context, key client.ObjectKey, size int32) error
	Guard(ctx context.Context, key client.ObjectKey, size int32) error
	Remove(ctx context.Context, key client.ObjectKey) error
	Apply(ctx context.Context, key client.ObjectKey, size int32) error
	Announce(ctx context.Context, key client.ObjectKey, size int32) error
	Protect(ctx context.Context, found *appsv1.Deployment) error
}

var key = client.ObjectKey{Namespace: "web", Name: "web"}

// after is the Deployment, of size 1, with labels and a status, that is stored after what do does with a size of 2.
func after(t *testing.T, make func(client.Client) reconciler, do func(reconciler) error) *appsv1.Deployment {
	t.Helper()
	one := int32(1)
	stored := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace, Labels: map[string]string{"by": "others"}}}
	stored.Spec.Replicas, stored.Status.Replicas = &one, 1
	c := fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(stored).WithStatusSubresource(stored).Build()
	if err := do(make(c)); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), key, stored); err != nil {
		t.Fatal(err)
	}
	return stored
}

func bad(c client.Client) reconciler  { return lost.Bad{Client: c} }
func good(c client.Client) reconciler { return lost.Good{Client: c} }

// The bad code reports success and has stored nothing.
func TestLost(t *testing.T) {
	for name, do := range map[string]func(reconciler) error{
		"scale": func(r reconciler) error { return r.Scale(t.Context(), key, 2) },
		"apply": func(r reconciler) error { return r.Apply(t.Context(), key, 2) },
	} {
		if got := *after(t, good, do).Spec.Replicas; got != 2 {
			t.Errorf("%s: the good code has stored %d", name, got)
		}
	}
	if got := *after(t, bad, func(r reconciler) error { return r.Scale(t.Context(), key, 2) }).Spec.Replicas; got != 1 {
		t.Errorf("the bad code has stored %d", got)
	}
	for name, do := range map[string]func(reconciler) error{
		"observe": func(r reconciler) error { return r.Observe(t.Context(), key, 2) },
		"guard":   func(r reconciler) error { return r.Guard(t.Context(), key, 2) },
	} {
		if got := after(t, good, do).Status.Replicas; got != 2 {
			t.Errorf("%s: the good code has stored %d", name, got)
		}
		if got := after(t, bad, do).Status.Replicas; got != 1 {
			t.Errorf("%s: the bad code has stored %d", name, got)
		}
	}
}

// The new object replaces what others have stored.
func TestReplaced(t *testing.T) {
	apply := func(r reconciler) error { return r.Apply(t.Context(), key, 2) }
	if got := after(t, good, apply).Labels["by"]; got != "others" {
		t.Errorf("the good code has stored the label %q", got)
	}
	if got := after(t, bad, apply).Labels["by"]; got != "" {
		t.Errorf("the bad code has kept the label %q", got)
	}
}

// The finalizer is gone before it is sent.
func TestAnswer(t *testing.T) {
	announce := func(r reconciler) error { return r.Announce(t.Context(), key, 2) }
	if got := after(t, good, announce); len(got.Finalizers) != 1 || got.Status.Replicas != 2 {
		t.Errorf("the good code has stored the finalizers %q, and %d", got.Finalizers, got.Status.Replicas)
	}
	if got := after(t, bad, announce); len(got.Finalizers) != 0 || got.Status.Replicas != 2 {
		t.Errorf("the bad code has stored the finalizers %q, and %d", got.Finalizers, got.Status.Replicas)
	}
}

// After somebody else's update, each try of the bad code has the same conflict.
func TestSameCopy(t *testing.T) {
	tries := func(make func(client.Client) reconciler) (n int, err error) {
		found := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace}}
		inner := fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(found).Build()
		if err := errors.Join(inner.Get(t.Context(), key, found), inner.Update(t.Context(), found.DeepCopy())); err != nil {
			t.Fatal(err)
		}
		c := interceptor.NewClient(inner, interceptor.Funcs{
			Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
				n++
				return c.Update(ctx, o, opts...)
			},
		})
		err = make(c).Protect(t.Context(), found)
		return n, err
	}
	if n, err := tries(good); n != 1 || err != nil {
		t.Errorf("the good code: %v after %d tries", err, n)
	}
	if n, err := tries(bad); n != retry.DefaultRetry.Steps || !apierrors.IsConflict(err) {
		t.Errorf("the bad code: %v after %d tries", err, n)
	}
}

// An object without a name is refused.
func TestNameless(t *testing.T) {
	c := fake.NewClientBuilder().WithScheme(scheme.Scheme).Build()
	if err := good(c).Remove(t.Context(), key); err != nil {
		t.Errorf("the good code: %v", err)
	}
	if err := bad(c).Remove(t.Context(), key); err == nil {
		t.Error("the bad code has sent an object without a name")
	}
}
