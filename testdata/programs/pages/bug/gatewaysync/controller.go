// dependents asks the object of its kind by GetObjectKind, which is empty in typed objects from the cache, so neither Secrets nor ConfigMaps ever wake a gateway.
//
//adv:rule=eventfilter sub=constant claim=yes
package gatewaysync

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/bug/gatewaysync/api"
)

// Dataplane is what takes the configuration.
type Dataplane interface {
	Program(ctx context.Context, gateway string, certs map[string][]byte, policy map[string]string) error
}

// Reconciler programs gateways.
type Reconciler struct {
	client.Client
	Dataplane Dataplane
}

// Reconcile programs one gateway.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	gw := &api.Gateway{}
	if err := r.Get(ctx, req.NamespacedName, gw); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}

	var revision strings.Builder
	certs := make(map[string][]byte, len(gw.Spec.Certificates))
	for _, name := range gw.Spec.Certificates {
		s := &corev1.Secret{}
		if err := r.Get(ctx, types.NamespacedName{Namespace: gw.Namespace, Name: name}, s); err != nil {
			return reconcile.Result{}, fmt.Errorf("certificate %q: %w", name, err)
		}
		certs[name] = s.Data[corev1.TLSCertKey]
		revision.WriteString(s.ResourceVersion + "/")
	}
	var policy map[string]string
	if name := gw.Spec.PolicyMap; name != "" {
		cm := &corev1.ConfigMap{}
		if err := r.Get(ctx, types.NamespacedName{Namespace: gw.Namespace, Name: name}, cm); err != nil {
			return reconcile.Result{}, fmt.Errorf("policies %q: %w", name, err)
		}
		policy = cm.Data
		revision.WriteString(cm.ResourceVersion)
	}
	revision.WriteString("@" + strconv.FormatInt(gw.Generation, 10))
	if gw.Status.Programmed && gw.Status.Revision == revision.String() {
		return reconcile.Result{}, nil
	}
	if err := r.Dataplane.Program(ctx, req.String(), certs, policy); err != nil {
		return reconcile.Result{}, err
	}
	gw.Status.Programmed, gw.Status.Revision = true, revision.String()
	return reconcile.Result{}, r.Status().Update(ctx, gw)
}

// dependents are the gateways that use an object.
func (r *Reconciler) dependents(ctx context.Context, obj client.Object) []reconcile.Request {
	gateways := &api.GatewayList{}
	if err := r.List(ctx, gateways, client.InNamespace(obj.GetNamespace())); err != nil {
		log.FromContext(ctx).Error(err, "list gateways")
		return nil
	}
	kind := obj.GetObjectKind().GroupVersionKind().Kind
	var out []reconcile.Request
	for i := range gateways.Items {
		gw := &gateways.Items[i]
		used := false
		switch kind {
		case "Secret":
			used = gw.Uses(obj.GetName())
		case "ConfigMap":
			used = gw.Spec.PolicyMap == obj.GetName()
		}
		if used {
			out = append(out, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(gw)})
		}
	}
	return out
}

// SetupWithManager sets the controller up.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	byUse := handler.EnqueueRequestsFromMapFunc(r.dependents)
	return ctrl.NewControllerManagedBy(mgr).
		For(&api.Gateway{}).
		Watches(&corev1.Secret{}, byUse).
		Watches(&corev1.ConfigMap{}, byUse).
		Complete(r)
}
