// Package cleaned has another package drop what it expects.
package cleaned

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/apart/cleaners"
	"example.com/operators/expectttl/apart/handlers"
	"example.com/operators/expectttl/store"
)

// Tidy hands its store to who deletes.
type Tidy struct {
	client.Client
	tally store.Tally
}

func (r *Tidy) handler() *handlers.Handler { return handlers.New(r.tally) }

func (r *Tidy) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		cleaners.Gone(r.tally, req.String())
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.tally.RaiseExpectations(req.String(), 1, 0)
	if err := r.Create(ctx, &corev1.Pod{}); err != nil {
		r.tally.CreationObserved(req.String())
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}
