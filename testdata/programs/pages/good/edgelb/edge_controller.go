// The LoadBalancer service is rendered anew at each reconcile and updated, but
// with the metadata of the stored one, its finalizers among it.
//
//adv:rule=finalizerorder sub=dropped claim=no
package edgelb

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/edgelb/services"
)

type EdgeNode struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Listeners map[string]int32
		// +optional
		SourceRanges []string
	}
}

func (e *EdgeNode) DeepCopyObject() runtime.Object {
	out := *e
	out.ObjectMeta = *e.ObjectMeta.DeepCopy()
	out.Spec.SourceRanges = append([]string(nil), e.Spec.SourceRanges...)
	if e.Spec.Listeners != nil {
		out.Spec.Listeners = map[string]int32{}
		for k, v := range e.Spec.Listeners {
			out.Spec.Listeners[k] = v
		}
	}
	return &out
}

type EdgeReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *EdgeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	edge := &EdgeNode{}
	if err := r.Get(ctx, req.NamespacedName, edge); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !edge.DeletionTimestamp.IsZero() || len(edge.Spec.Listeners) == 0 {
		return ctrl.Result{}, nil
	}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   edge.Namespace,
			Name:        edge.Name + "-edge",
			Labels:      map[string]string{"edge.skyharbor.net/node": edge.Name},
			Annotations: map[string]string{"edge.skyharbor.net/managed": "true"},
		},
		Spec: corev1.ServiceSpec{
			Type:                     corev1.ServiceTypeLoadBalancer,
			LoadBalancerSourceRanges: edge.Spec.SourceRanges,
			Selector:                 map[string]string{"edge.skyharbor.net/node": edge.Name},
		},
	}
	for _, name := range slices.Sorted(maps.Keys(edge.Spec.Listeners)) {
		port := edge.Spec.Listeners[name]
		svc.Spec.Ports = append(svc.Spec.Ports, corev1.ServicePort{
			Name: name, Port: port, TargetPort: intstr.FromInt32(port),
		})
	}
	if err := controllerutil.SetControllerReference(edge, svc, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := services.Apply(ctx, r.Client, svc)
	if apierrors.IsConflict(err) {
		log.FromContext(ctx).V(1).Info("service has been written meanwhile", "service", svc.Name)
	}
	return ctrl.Result{}, err
}

func (r *EdgeReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&EdgeNode{}).Owns(&corev1.Service{}).Complete(r)
}
