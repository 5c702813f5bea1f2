// Package kindless has filters that go by the kind that an object names itself.
package kindless

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &corev1.Pod{}))
}

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) error {
	anything := &unstructured.Unstructured{}
	anything.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Secret"})
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}).
		Owns(&appsv1.Deployment{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(predicate.NewPredicateFuncs(config))).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(byKind)).
		Watches(&corev1.Service{}, handler.EnqueueRequestsFromMapFunc(byNoKind)).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(byKindFirst), builder.WithPredicates(filled{})).
		Watches(anything, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(secrets())).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(secrets())).
		Watches(&corev1.ServiceAccount{}, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(others())).
		Watches(&corev1.Event{}, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(written())).
		WithEventFilter(kinds()).
		Complete(r)
}

// kinds is for all watches.
func kinds() predicate.Funcs {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			switch e.ObjectOld.GetObjectKind().GroupVersionKind().Kind {
			case "Pod": // want constant "this filter drops every update of *v1.Pod: it goes by the kind that the object names, and objects that a watch decodes into a struct name none; ask for their type" @31 "the watch is set up here"
				return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
			case "Deployment":
				was, is := e.ObjectOld.(*appsv1.Deployment), e.ObjectNew.(*appsv1.Deployment)
				return was.Status.ReadyReplicas != is.Status.ReadyReplicas
			default:
				return false
			}
		},
	}
}

func config(o client.Object) bool {
	gvk := o.GetObjectKind().GroupVersionKind()
	return gvk.Kind == "ConfigMap" && o.GetNamespace() == "kube-system" // want constant "config drops every update of *v1.ConfigMap: it goes by the kind that the object names, and objects that a watch decodes into a struct name none; ask for their type" @33 "the watch is set up here"
}

// secrets is for watches of metadata and of what is not decoded.
func secrets() predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetObjectKind().GroupVersionKind().Kind == "Secret" // ok: these name it
	})
}

// others wants what is no secret.
func others() predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetObjectKind().GroupVersionKind().Kind != "Secret" // ok: it is none, whatever it names
	})
}

// filled is for an object that does not name its kind in many cases.
type filled struct{ predicate.Funcs }

func (filled) Update(e event.UpdateEvent) bool {
	ns, ok := e.ObjectNew.(*corev1.Namespace)
	if !ok {
		return false
	}
	if ns.Kind == "" || ns.Kind == "Namespace" { // ok: it expects that there is none
		return ns.Status.Phase == corev1.NamespaceActive
	}
	return false
}

// written is for an object whose kind is written first.
func written() predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		ev, ok := o.DeepCopyObject().(*corev1.Event)
		if !ok {
			return false
		}
		ev.TypeMeta = metav1.TypeMeta{Kind: "Event"}
		return ev.Kind == "Event" // ok: it is written
	})
}

func byName(_ context.Context, o client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}

func byKind(_ context.Context, o client.Object) []reconcile.Request {
	node, ok := o.(*corev1.Node)
	if !ok || node.Kind != "Node" { // want constant "byKind gives no request for any *v1.Node: it goes by the kind that the object names, and objects that a watch decodes into a struct name none; ask for their type" @34 "the watch is set up here"
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(node)}}
}

func byNoKind(_ context.Context, o client.Object) []reconcile.Request {
	if o.GetObjectKind().GroupVersionKind().Kind == "Endpoints" { // ok: no service is dropped
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}

func byKindFirst(_ context.Context, o client.Object) []reconcile.Request {
	o.GetObjectKind().SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	if o.GetObjectKind().GroupVersionKind().Kind != "Namespace" { // ok: it was just written
		return []reconcile.Request{}
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}

// somehow is given the options of its watch.
func (r *reconciler) somehow(mgr ctrl.Manager, how ...builder.OwnsOption) error {
	return ctrl.NewControllerManagedBy(mgr).
		Owns(&appsv1.StatefulSet{}, how...).
		WithEventFilter(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
			return e.ObjectNew.GetObjectKind().GroupVersionKind().Kind == "StatefulSet" // ok: it may be a watch of metadata
		}}).
		Complete(r)
}

// another filter is for another kind.
func (r *reconciler) another(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Owns(&appsv1.DaemonSet{}).
		WithEventFilter(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
			return e.ObjectNew.GetObjectKind().GroupVersionKind().Kind == "ReplicaSet" // ok: this drops daemon sets, whatever they name
		}}).
		Complete(r)
}

var _ = []any{(*reconciler).somehow, (*reconciler).another}
