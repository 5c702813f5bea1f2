// Package reconciler expects in stores that other packages observe.
package reconciler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/apart/handlers"
	"example.com/operators/expectttl/store"
)

// Forgetful hands its store to a handler, which observes and never deletes.
type Forgetful struct {
	client.Client
	tally store.Tally
}

func (r *Forgetful) handler() *handlers.Handler { return handlers.New(r.tally) }

func (r *Forgetful) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want neverdeleted "r.tally keeps what it expects for an object that is found gone here (RaiseExpectations at line 28): nothing in the package deletes it, and an object that is made again under the same name waits for it" @28 "RaiseExpectations of r.tally is called here"
	}
	r.tally.RaiseExpectations(req.String(), 1, 0)
	if err := r.Create(ctx, &corev1.Pod{}); err != nil {
		r.tally.CreationObserved(req.String())
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}
