// Package ending has reconcilers that are told of the end of their objects alone, or of something else besides.
package ending

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Sexton does something about pods that end.
type Sexton struct {
	client.Client
	Graves map[string]int
}

func (r *Sexton) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Annotations["ending.example.com/grave"] != "" && !pod.DeletionTimestamp.IsZero() {
		r.Graves[pod.Name]++
	}
	return ctrl.Result{}, nil
}

func ends(e event.UpdateEvent) bool {
	return e.ObjectOld.GetDeletionTimestamp().IsZero() && !e.ObjectNew.GetDeletionTimestamp().IsZero()
}

func (r *Sexton) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: ends})). // ok: an object that lives is none of its business
		Complete(r)
}

// Porter does something about pods that live.
type Porter struct {
	client.Client
	Doors map[string]int
}

func (r *Porter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Annotations["ending.example.com/door"] != "" {
		r.Doors[pod.Name]++
	}
	return ctrl.Result{}, nil
}

func endsOrMoves(e event.UpdateEvent) bool { // want metadata `endsOrMoves drops updates of *v1.Pod that change only annotations, but (*Porter).Reconcile reads the annotation "ending.example.com/door" at ending.go:53: setting it triggers no reconcile; let them through` @53 "the annotation is read here"
	return ends(e) || e.ObjectOld.(*corev1.Pod).Spec.NodeName != e.ObjectNew.(*corev1.Pod).Spec.NodeName
}

func (r *Porter) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: endsOrMoves})).
		Complete(r)
}

var (
	_ = (*Sexton).setup
	_ = (*Porter).setup
)
