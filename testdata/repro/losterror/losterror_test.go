package losterror

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/repro/losterror/nilreturned"
	"example.com/operators/repro/losterror/unhandled"
	"example.com/operators/repro/managed"
)

// The first update of the status fails. The bad code does not try it again, nor what comes after it. The good code
// tries it in a second pass, and the event of what it has written starts a third one.
func Test(t *testing.T) {
	for name, test := range map[string]struct {
		make         func(client.Client) reconcile.Reconciler
		passes       int
		spec, status int32
	}{
		"bad unhandled":    {func(c client.Client) reconcile.Reconciler { return &unhandled.Bad{Client: c} }, 1, 1, 0},
		"good unhandled":   {func(c client.Client) reconcile.Reconciler { return &unhandled.Good{Client: c} }, 3, 1, 1},
		"bad nilreturned":  {func(c client.Client) reconcile.Reconciler { return &nilreturned.Bad{Client: c} }, 1, 1, 0},
		"good nilreturned": {func(c client.Client) reconcile.Reconciler { return &nilreturned.Good{Client: c} }, 3, 2, 2},
	} {
		stored := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "web", Name: "web"}}
		stored.Spec.Replicas = ptr.To[int32](1)
		passes := managed.Minute(t, stored, 1, func(m ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(m).For(stored).Complete(test.make(m.GetClient()))
		})
		spec, status := *stored.Spec.Replicas, stored.Status.Replicas
		if passes != test.passes || spec != test.spec || status != test.status {
			t.Errorf("%s: %d in the spec and %d in the status after %d passes", name, spec, status, passes)
		}
	}
}
