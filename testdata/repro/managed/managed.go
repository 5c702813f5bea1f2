// Package managed runs reconcilers in a manager, over controller-runtime's fake client.
package managed

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.com/operators/repro/apiserver"
)

// Minute adds a reconciler to a manager with setUp, runs it for a minute, and returns the number of its passes, each of
// which has to read its object once. Afterwards obj, the only object, is as it is stored then.
//
// Nobody else writes. As with an API server, a write that changes nothing has no event. The first requests for the
// status, as many as failures, are answered with an error. The minute passes at once, in a bubble of testing/synctest.
func Minute(t *testing.T, obj client.Object, failures int, setUp func(ctrl.Manager) error) (passes int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		inner := fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(obj).WithStatusSubresource(obj).Build()
		read := func() client.Object {
			stored := obj.DeepCopyObject().(client.Object)
			if err := inner.Get(t.Context(), client.ObjectKeyFromObject(obj), stored); err != nil {
				t.Error(err)
			}
			return stored
		}
		informers := &informertest.FakeInformers{Scheme: scheme.Scheme}
		informer, err := informers.FakeInformerFor(t.Context(), obj)
		if err != nil {
			t.Fatal(err)
		}
		write := func(request func() error) error {
			before := read()
			err := request()
			after := read()
			before.SetResourceVersion(after.GetResourceVersion())
			if !equality.Semantic.DeepEqual(before, after) {
				informer.Update(before, after)
			}
			return err
		}
		counting := interceptor.NewClient(inner, interceptor.Funcs{
			Get: func(
				ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption,
			) error {
				passes++
				return c.Get(ctx, key, o, opts...)
			},
			Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
				return write(func() error { return c.Update(ctx, o, opts...) })
			},
			SubResourceUpdate: func(
				ctx context.Context, c client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption,
			) error {
				if failures > 0 {
					failures--
					return apierrors.NewInternalError(errors.New("no leader"))
				}
				return write(func() error { return c.SubResource(sub).Update(ctx, o, opts...) })
			},
		})
		m, err := ctrl.NewManager(apiserver.Empty(), ctrl.Options{
			Logger:  logr.Discard(),
			Metrics: metricsserver.Options{BindAddress: "0"},
			// The priority queue may leave a goroutine behind that holds a mutex, which would stop the clock of the bubble.
			Controller: config.Controller{SkipNameValidation: ptr.To(true), UsePriorityQueue: ptr.To(false)},
			NewCache:   func(*rest.Config, cache.Options) (cache.Cache, error) { return informers, nil },
			NewClient:  func(*rest.Config, client.Options) (client.Client, error) { return counting, nil },
		})
		if err == nil {
			err = setUp(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- m.Start(ctx) }()
		synctest.Wait()
		informer.Add(read())
		time.Sleep(time.Minute)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := inner.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil {
			t.Error(err)
		}
	})
	return passes
}
