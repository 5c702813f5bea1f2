// The goroutine that asks the DNS vendor sends on a channel without room, and Lookup leaves after its timeout, so that each slow answer leaves a goroutine behind.
//
//adv:rule=unboundedsync sub=abandoned claim=yes

package dnszones

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/bug/dnszones/provider"
)

const (
	hostnameAnnotation = "dns.acme.io/hostname"
	zoneAnnotation     = "dns.acme.io/zone"
)

// ServiceReconciler publishes records for services of type LoadBalancer.
type ServiceReconciler struct {
	client.Client
	Zones *provider.Zones
}

func (r *ServiceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)

	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	host := svc.Annotations[hostnameAnnotation]
	if host == "" || len(svc.Status.LoadBalancer.Ingress) == 0 {
		return ctrl.Result{}, nil
	}

	zone, err := r.Zones.Lookup(ctx, host)
	switch {
	case errors.Is(err, provider.ErrSlow):
		logger.Info("provider is slow, will try again", "host", host)
		return ctrl.Result{RequeueAfter: 20 * time.Second}, nil
	case err != nil:
		return ctrl.Result{}, err
	}

	target := svc.Status.LoadBalancer.Ingress[0].IP
	if target == "" {
		target = svc.Status.LoadBalancer.Ingress[0].Hostname
	}
	if err := r.Zones.Publish(zone, host, target); err != nil {
		return ctrl.Result{}, fmt.Errorf("publishing %s: %w", host, err)
	}
	if svc.Annotations[zoneAnnotation] == zone.ID {
		return ctrl.Result{}, nil
	}
	base := svc.DeepCopy()
	svc.Annotations[zoneAnnotation] = zone.ID
	return ctrl.Result{}, r.Patch(ctx, &svc, client.MergeFrom(base))
}

// SetupWithManager registers the reconciler.
func (r *ServiceReconciler) SetupWithManager(mgr ctrl.Manager) error {
	lb := predicate.NewPredicateFuncs(func(o client.Object) bool {
		svc, ok := o.(*corev1.Service)
		return ok && svc.Spec.Type == corev1.ServiceTypeLoadBalancer
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Service{}, builder.WithPredicates(lb)).
		Complete(r)
}
