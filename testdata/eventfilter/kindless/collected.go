package kindless

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// using are the pods that use an object, by what the object says it is.
func (r *reconciler) using(ctx context.Context, o client.Object) []reconcile.Request {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(o.GetNamespace())); err != nil {
		return nil
	}
	all := make([]reconcile.Request, 0, len(pods.Items))
	for i := range pods.Items {
		uses := false
		switch o.GetObjectKind().GroupVersionKind().Kind { // it names none
		case "Secret": // want constant "(*reconciler).using gives no request for any *v1.Secret: it goes by the kind that the object names, and objects that a watch decodes into a struct name none; ask for their type" @52 "the watch is set up here"
			uses = pods.Items[i].Labels["secret"] == o.GetName()
		case "ConfigMap":
			uses = pods.Items[i].Labels["config"] == o.GetName()
		}
		if uses {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&pods.Items[i])})
		}
	}
	return all
}

// near are the pods of the namespace, and for a secret those that say so, too.
func (r *reconciler) near(ctx context.Context, o client.Object) (all []reconcile.Request) {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(o.GetNamespace())); err != nil {
		return nil
	}
	for i := range pods.Items {
		if o.GetObjectKind().GroupVersionKind().Kind == "Secret" || pods.Items[i].Spec.NodeName == "" { // ok: some come whatever it names
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&pods.Items[i])})
		}
	}
	return all
}

func (r *reconciler) collected(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.using)).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.near)).
		Complete(r)
}

var _ = (*reconciler).collected
