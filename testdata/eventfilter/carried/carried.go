// Package carried has reconcilers that read annotations through other functions, and by lists of keys.
package carried

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/operators/eventfilter/carried/plans"
)

// Farmer asks another package.
type Farmer struct {
	client.Client
	Crops []string
}

func (r *Farmer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.Crops = append(r.Crops, plans.Crop(pod), plans.Other(pod.Name))
	return ctrl.Result{}, nil
}

// spec lets through what no annotation is.
var spec = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want metadata `this predicate drops updates of *v1.Pod that change only annotations, but (*Farmer).Reconcile reads the annotation "plans.example.com/crop" at carried.go:34: setting it triggers no reconcile; let them through` @34 "the annotation is read here"
	return e.ObjectOld.(*corev1.Pod).Spec.NodeName != e.ObjectNew.(*corev1.Pod).Spec.NodeName
}}

func (r *Farmer) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}, builder.WithPredicates(spec)).Complete(r)
}

func (r *Farmer) all(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(predicate.Or[client.Object](spec, predicate.AnnotationChangedPredicate{}))). // ok
		Complete(r)
}

// node is the same as a type.
type node struct{ predicate.Funcs }

func (node) Update(e event.UpdateEvent) bool { // want metadata `node drops updates of *v1.Pod that change only annotations, but (*Taster).Reconcile reads the annotation "carried.example.com/sour" at carried.go:74: setting it triggers no reconcile; let them through` @74 "the annotation is read here"
	return e.ObjectOld.(*corev1.Pod).Spec.NodeName != e.ObjectNew.(*corev1.Pod).Spec.NodeName
}

// Taster asks for one of a list.
type Taster struct {
	client.Client
	Tainted int
}

var taints = []string{"carried.example.com/sour", "carried.example.com/sweet"}

func (r *Taster) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, key := range taints {
		if _, ok := pod.Annotations[key]; ok {
			r.Tainted++
		}
	}
	return ctrl.Result{}, nil
}

// counting queues the object itself, and counts.
type counting struct {
	handler.EnqueueRequestForObject
	n int
}

func (h *counting) Update(ctx context.Context, e event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.n++
	h.EnqueueRequestForObject.Update(ctx, e, q)
}

func (r *Taster) setup(mgr ctrl.Manager, pods cache.Cache) error {
	c, err := controller.New("taster", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](pods, &corev1.Pod{}, &counting{}, node{}))
}

var _ = []any{(*Farmer).setup, (*Farmer).all, (*Taster).setup}
