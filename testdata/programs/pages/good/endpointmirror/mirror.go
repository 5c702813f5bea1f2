// stable.Addresses sorts endpoints and sets their conditions, but those of a slice of its own, so neither predicate nor map function writes to the cache.
//
//adv:rule=eventfilter sub=mutates claim=no
package endpointmirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/pages/good/endpointmirror/stable"
)

const mirrorLabel = "mirror.acme.io/export"

type slicePredicate = predicate.TypedFuncs[*discoveryv1.EndpointSlice]

var addressesChanged = slicePredicate{
	UpdateFunc: func(e event.TypedUpdateEvent[*discoveryv1.EndpointSlice]) bool {
		if e.ObjectOld.Labels[discoveryv1.LabelServiceName] != e.ObjectNew.Labels[discoveryv1.LabelServiceName] {
			return true
		}
		return !slices.Equal(stable.Addresses(e.ObjectOld.Endpoints), stable.Addresses(e.ObjectNew.Endpoints))
	},
}

// Mirror writes the addresses of exported services into ConfigMaps.
type Mirror struct {
	client.Client
}

// Reconcile mirrors one service.
func (m *Mirror) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	svc := &corev1.Service{}
	if err := m.Get(ctx, req.NamespacedName, svc); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name + "-addresses"}}
	if svc.Labels[mirrorLabel] != "true" {
		if err := m.Get(ctx, client.ObjectKeyFromObject(cm), cm); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		if !metav1.IsControlledBy(cm, svc) {
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, client.IgnoreNotFound(m.Delete(ctx, cm))
	}

	var all discoveryv1.EndpointSliceList
	if err := m.List(ctx, &all, client.InNamespace(svc.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: svc.Name}); err != nil {
		return reconcile.Result{}, fmt.Errorf("list endpoint slices: %w", err)
	}
	var addrs []string
	for _, s := range all.Items {
		addrs = append(addrs, stable.Addresses(s.Endpoints)...)
	}
	slices.Sort(addrs)
	op, err := controllerutil.CreateOrUpdate(ctx, m.Client, cm, func() error {
		cm.Data = map[string]string{"addresses": strings.Join(slices.Compact(addrs), "\n")}
		return controllerutil.SetControllerReference(svc, cm, m.Scheme())
	})
	log.FromContext(ctx).V(1).Info("mirrored", "operation", op, "addresses", len(addrs))
	return reconcile.Result{}, err
}

func serviceOf(_ context.Context, s *discoveryv1.EndpointSlice) []reconcile.Request {
	name, ok := s.Labels[discoveryv1.LabelServiceName]
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: s.Namespace, Name: name}}}
}

// SetupWithManager sets the controller up.
func (m *Mirror) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Service{}).
		Owns(&corev1.ConfigMap{}).
		WatchesRawSource(source.Kind(mgr.GetCache(), &discoveryv1.EndpointSlice{},
			handler.TypedEnqueueRequestsFromMapFunc(serviceOf), addressesChanged)).
		Complete(m)
}
