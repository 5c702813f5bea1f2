package churn

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/repro/churn/loop"
	"example.com/operators/repro/churn/maporder"
	"example.com/operators/repro/churn/pointer"
	"example.com/operators/repro/managed"
)

var meta = metav1.ObjectMeta{Namespace: "web", Name: "web"}

// The bad reconciler does not come to rest, where a pass takes two seconds. Times are stored in seconds, so the pass
// that writes the time that is stored already is the last one: the second of two quick ones.
func TestLoop(t *testing.T) {
	passes := func(takes time.Duration, setUp func(ctrl.Manager, *loop.Reconciler) error) int {
		reach := func(context.Context) error { time.Sleep(takes); return nil }
		return managed.Minute(t, &batchv1.CronJob{ObjectMeta: meta}, 0, func(m ctrl.Manager) error {
			return setUp(m, &loop.Reconciler{Client: m.GetClient(), Reach: reach})
		})
	}
	if bad, good := passes(2*time.Second, loop.Bad), passes(2*time.Second, loop.Good); bad < 30 || good != 1 {
		t.Errorf("passes in a minute: %d of the bad code, %d of the good code", bad, good)
	}
	if bad, good := passes(time.Millisecond, loop.Bad), passes(time.Millisecond, loop.Good); bad != 2 || good != 1 {
		t.Errorf("quick passes in a minute: %d of the bad code, %d of the good code", bad, good)
	}
}

// The bad reconciler is started by its own write, although nobody has changed the size.
func TestPointer(t *testing.T) {
	passes := func(resized func(event.UpdateEvent) bool) int {
		web := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: ptr.To[int32](3)}}
		return managed.Minute(t, web, 0, func(m ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(m).
				For(web, builder.WithPredicates(predicate.Funcs{UpdateFunc: resized})).
				Complete(&pointer.Reconciler{Client: m.GetClient()})
		})
	}
	if bad, good := passes(pointer.Bad), passes(pointer.Good); bad != 2 || good != 1 {
		t.Errorf("passes in a minute: %d of the bad code, %d of the good code", bad, good)
	}
}

// The bad code stores another version in most passes: with eight options, one order in eight is the stored one.
func TestMapOrder(t *testing.T) {
	type deployer interface {
		Deploy(context.Context, client.ObjectKey, map[string]string) error
	}
	options := map[string]string{}
	for i := range 8 {
		options[fmt.Sprint("OPTION_", i)] = "on"
	}
	versions := func(make func(client.Client) deployer) int {
		web := &appsv1.Deployment{ObjectMeta: meta}
		key := client.ObjectKeyFromObject(web)
		c := fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(web).Build()
		stored := map[string]bool{}
		for range 20 {
			if err := errors.Join(make(c).Deploy(t.Context(), key, options), c.Get(t.Context(), key, web)); err != nil {
				t.Fatal(err)
			}
			stored[web.ResourceVersion] = true
		}
		return len(stored)
	}
	bad := versions(func(c client.Client) deployer { return maporder.Bad{Client: c} })
	good := versions(func(c client.Client) deployer { return maporder.Good{Client: c} })
	if bad < 5 || good != 1 {
		t.Errorf("versions after 20 passes: %d of the bad code, %d of the good code", bad, good)
	}
}
