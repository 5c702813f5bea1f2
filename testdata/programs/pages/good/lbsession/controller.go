// No bug: Open comes back with the lock of the load balancer on purpose, gives it back itself where it fails, and the Session that holds it is closed by a defer on every way of its only caller.
//
//adv:rule=lockheld sub=leak claim=no

// Package lbsession announces Services of type LoadBalancer.
package lbsession

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/good/lbsession/backend"
)

const class = "lb.example.org/appliance"

// ServiceReconciler of LoadBalancer Services.
type ServiceReconciler struct {
	client.Client
	lb *backend.Backend
}

// Reconcile implements reconcile.Reconciler.
func (r *ServiceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if svc.Spec.LoadBalancerClass == nil || *svc.Spec.LoadBalancerClass != class || svc.Spec.LoadBalancerIP == "" {
		return ctrl.Result{}, nil
	}
	slices := &discoveryv1.EndpointSliceList{}
	if err := r.List(ctx, slices, client.InNamespace(svc.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: svc.Name}); err != nil {
		return ctrl.Result{}, fmt.Errorf("list endpoints: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := r.announce(ctx, svc, addresses(slices)); err != nil {
		return ctrl.Result{}, fmt.Errorf("announce %s: %w", svc.Spec.LoadBalancerIP, err)
	}
	if len(svc.Status.LoadBalancer.Ingress) == 1 && svc.Status.LoadBalancer.Ingress[0].IP == svc.Spec.LoadBalancerIP {
		return ctrl.Result{}, nil
	}
	svc.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: svc.Spec.LoadBalancerIP}}
	return ctrl.Result{}, r.Status().Update(ctx, svc)
}

func (r *ServiceReconciler) announce(ctx context.Context, svc *corev1.Service, backends []string) error {
	session, err := r.lb.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if cerr := session.Close(cctx); cerr != nil {
			log.FromContext(ctx).Error(cerr, "session not aborted, the appliance will after a minute")
		}
	}()
	for _, port := range svc.Spec.Ports {
		vip := net.JoinHostPort(svc.Spec.LoadBalancerIP, strconv.Itoa(int(port.Port)))
		if err := session.Set(ctx, vip, backends); err != nil {
			return fmt.Errorf("port %s: %w", port.Name, err)
		}
	}
	return session.Commit(ctx)
}

func addresses(slices *discoveryv1.EndpointSliceList) (out []string) {
	for _, s := range slices.Items {
		for _, ep := range s.Endpoints {
			if ep.Conditions.Ready != nil && *ep.Conditions.Ready {
				out = append(out, ep.Addresses...)
			}
		}
	}
	return out
}

// SetupWithManager registers the reconciler.
func SetupWithManager(mgr ctrl.Manager, api backend.API) error {
	return ctrl.NewControllerManagedBy(mgr).Named("lb-appliance").For(&corev1.Service{}).
		Watches(&discoveryv1.EndpointSlice{}, handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
			name := o.GetLabels()[discoveryv1.LabelServiceName]
			return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: name}}}
		})).
		WithOptions(controller.Options{MaxConcurrentReconciles: 3}).
		Complete(&ServiceReconciler{Client: mgr.GetClient(), lb: backend.New(api)})
}
