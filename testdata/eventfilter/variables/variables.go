// Package variables watches with predicates in variables of another package.
package variables

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/eventfilter/variables/filters"
)

type reconciler struct{ client.Client }

// Reconcile copies an ID of a secret and of a config map to a pod.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var s corev1.Secret
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: pod.Spec.NodeName}, &s); err != nil {
		return ctrl.Result{}, err
	}
	pod.Labels = map[string]string{"id": string(s.Data["id"])}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

func toPod(_ context.Context, o client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}

func (r *reconciler) ofGeneration(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Generation)). // want nogeneration "Generation drops every update of *v1.Secret: its metadata.generation never changes; compare its content" @42 "*v1.Secret is watched here"
		Complete(r)
}

func (r *reconciler) ofInterface(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Interface)). // want nogeneration "Interface drops every update of *v1.Secret: its metadata.generation never changes; compare its content" @48 "*v1.Secret is watched here"
		Complete(r)
}

func (r *reconciler) ofMetadata(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Metadata)). // want nogeneration "Metadata drops updates of *v1.Secret that change only its data: its metadata.generation never changes; compare the data as well" @54 "*v1.Secret is watched here"
		Complete(r)
}

func (r *reconciler) ofEither(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Either)). // want nogeneration "Either drops updates of *v1.Secret that change only its data: its metadata.generation never changes; compare the data as well" @60 "*v1.Secret is watched here"
		Complete(r)
}

// The reconciler reads only the metadata of namespaces.
func (r *reconciler) ofOthers(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Metadata)).
		Complete(r)
}

// What waits for labels alone does not go by the generation.
func (r *reconciler) ofLabels(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Labels)).
		Complete(r)
}

func (r *reconciler) ofVersion(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Version)).
		Complete(r)
}

// What may be assigned to is not known.
func (r *reconciler) ofSet(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Set)).
		Complete(r)
}

func (r *reconciler) ofFilled(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Filled)).
		Complete(r)
}

func (r *reconciler) ofReplaced(mgr ctrl.Manager) error {
	filters.Replaced = predicate.Funcs{}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(filters.Replaced)).
		Complete(r)
}

// An own variable that another function assigns to is not known either.
var own = predicate.Funcs{UpdateFunc: filters.Generation.UpdateFunc}

func configure() { own = predicate.Funcs{} }

func (r *reconciler) ofOwn(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toPod), builder.WithPredicates(own)).
		Complete(r)
}

type writer struct{ client.Client }

// Reconcile fills in a config map, which others may change.
func (r *writer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{}
	cm.Name, cm.Namespace = pod.Name, pod.Namespace
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"node": pod.Spec.NodeName}
		return controllerutil.SetControllerReference(&pod, cm, r.Scheme())
	})
	return ctrl.Result{}, err
}

func (r *writer) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters.Metadata)). // want nogeneration "Metadata drops updates of *v1.ConfigMap that change only its data: its metadata.generation never changes, so drift persists; compare the data as well" @134 "*v1.ConfigMap is watched here"
		Complete(r)
}

var moved = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want nogeneration "this predicate drops every update of *v1.ConfigMap, *v1.Service: its metadata.generation never changes, so drift persists; compare its content" @145 "*v1.ConfigMap is watched here" @146 "*v1.Service is watched here"
	return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
}}

// Two watches with one predicate are one finding.
func (r *writer) ofBoth(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(moved)).
		Owns(&corev1.Service{}, builder.WithPredicates(moved)).
		Complete(r)
}
