// The loop over the Ingresses returns nil for those of another class from a function literal, which skips that one alone, and the list goes on.
//
//adv:rule=eventfilter sub=siblings claim=no
package virtualhosts

import (
	"context"
	"fmt"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconciler renders a virtual host for each Ingress of its class.
type Reconciler struct {
	client.Client
	Class string
}

// each calls f for all the ingresses of a namespace, and gathers what comes.
func each(ctx context.Context, c client.Reader, ns string, f func(*networkingv1.Ingress) []reconcile.Request) []reconcile.Request {
	list := &networkingv1.IngressList{}
	if err := c.List(ctx, list, client.InNamespace(ns)); err != nil {
		log.FromContext(ctx).Error(err, "failed to list ingresses")
		return nil
	}
	var all []reconcile.Request
	for i := range list.Items {
		all = append(all, f(&list.Items[i])...)
	}
	return all
}

// mine says whether the ingress is of our class, which a webhook keeps from
// being changed.
func (r *Reconciler) mine(ing *networkingv1.Ingress) bool {
	return ing.Spec.IngressClassName != nil && *ing.Spec.IngressClassName == r.Class
}

// ingressesOfService are those that send traffic to the service.
func (r *Reconciler) ingressesOfService(ctx context.Context, svc client.Object) []reconcile.Request {
	return each(ctx, r, svc.GetNamespace(), func(ing *networkingv1.Ingress) []reconcile.Request {
		if !r.mine(ing) {
			return nil
		}
		for _, rule := range ing.Spec.Rules {
			if rule.HTTP == nil {
				continue
			}
			for _, p := range rule.HTTP.Paths {
				if p.Backend.Service != nil && p.Backend.Service.Name == svc.GetName() {
					return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(ing)}}
				}
			}
		}
		return nil
	})
}

// Reconcile renders one virtual host.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ing := &networkingv1.Ingress{}
	if err := r.Get(ctx, req.NamespacedName, ing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !r.mine(ing) || ing.DeletionTimestamp != nil {
		return reconcile.Result{}, nil
	}
	var lines []string
	for _, rule := range ing.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		for _, p := range rule.HTTP.Paths {
			if p.Backend.Service == nil {
				continue
			}
			svc := &corev1.Service{}
			key := client.ObjectKey{Namespace: ing.Namespace, Name: p.Backend.Service.Name}
			if err := r.Get(ctx, key, svc); err != nil {
				if client.IgnoreNotFound(err) != nil {
					return reconcile.Result{}, fmt.Errorf("get backend %s: %w", key, err)
				}
				continue // its creation wakes us
			}
			lines = append(lines, fmt.Sprintf("%s%s -> %s", rule.Host, p.Path, svc.Spec.ClusterIP))
		}
	}
	sort.Strings(lines)

	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "vhost-" + ing.Name, Namespace: ing.Namespace}}
	op, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"vhost": strings.Join(lines, "\n")}
		return controllerutil.SetControllerReference(ing, cm, r.Scheme())
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	log.FromContext(ctx).V(1).Info("rendered virtual host", "operation", op, "routes", len(lines))
	return reconcile.Result{}, nil
}

// SetupWithManager sets the controller up.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&networkingv1.Ingress{}).
		Owns(&corev1.ConfigMap{}).
		Watches(&corev1.Service{}, handler.EnqueueRequestsFromMapFunc(r.ingressesOfService)).
		Complete(r)
}
