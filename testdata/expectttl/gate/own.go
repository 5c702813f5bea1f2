package gate

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Newest knows which version of an object is to come.
type Newest interface {
	Expect(obj client.Object)
	Observe(obj client.Object)
	IsSatisfied(obj client.Object) (bool, time.Duration)
	Delete(obj client.Object)
}

var newest Newest

// Own waits for a newer version of its own object, and of its pods.
type Own struct{ client.Client }

func (r *Own) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &corev1.ReplicationController{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, err
	}
	newest.Observe(set)
	if ok, waited := newest.IsSatisfied(set); !ok {
		if waited > time.Minute {
			return ctrl.Result{}, nil // ok: the event of the object itself comes here
		}
		return ctrl.Result{RequeueAfter: time.Minute - waited}, nil
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods); err != nil {
		return ctrl.Result{}, err
	}
	for i := range pods.Items {
		newest.Observe(&pods.Items[i])
		if ok, waited := newest.IsSatisfied(&pods.Items[i]); !ok {
			if waited > time.Minute {
				return ctrl.Result{}, nil // want nowayout "returns without a requeue while newest is unsatisfied (line 43): if the event was lost, the object is never reconciled again; delete the expectation and requeue" @43 "IsSatisfied of newest returned false here"
			}
			return ctrl.Result{RequeueAfter: time.Minute - waited}, nil
		}
	}
	newest.Expect(set)
	return ctrl.Result{}, r.Update(ctx, set)
}

// Unseen does not show what it has read.
type Unseen struct{ client.Client }

func (r *Unseen) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &corev1.ReplicationController{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, err
	}
	if ok, waited := newest.IsSatisfied(set); !ok {
		if waited > time.Minute {
			return ctrl.Result{}, nil // want nowayout "returns without a requeue while newest is unsatisfied (line 62): if the event was lost, the object is never reconciled again; delete the expectation and requeue" @62 "IsSatisfied of newest returned false here"
		}
		return ctrl.Result{RequeueAfter: time.Minute - waited}, nil
	}
	newest.Expect(set)
	return ctrl.Result{}, r.Update(ctx, set)
}
