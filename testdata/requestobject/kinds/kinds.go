// Package kinds reconciles the kinds of another package.
package kinds

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/requestobject/kinds/api"
)

type reconciler struct{ client.Client }

// The phase is never stored: a callee in another package has written it.
func (r *reconciler) fail(ctx context.Context, key client.ObjectKey) error {
	web := &api.Web{}
	if err := r.Get(ctx, key, web); err != nil {
		return err
	}
	web.Status.SetPhase("Failed")
	return r.Update(ctx, web) // want emptyrequest "Update does not send the status: status (line 22) is never stored; use Status().Update" @22 "status is written here"
}

// The condition is never stored.
func (r *reconciler) degraded(ctx context.Context, key client.ObjectKey) error {
	web := &api.Web{}
	if err := r.Get(ctx, key, web); err != nil {
		return err
	}
	meta.SetStatusCondition(&web.Status.Conditions, metav1.Condition{Type: "Degraded"})
	return r.Update(ctx, web) // want emptyrequest "Update does not send the status: status.conditions (line 32) is never stored; use Status().Update" @32 "status.conditions is written here"
}

// The callee in another package only reads.
func (r *reconciler) grow(ctx context.Context, key client.ObjectKey) error {
	web := &api.Web{}
	if err := r.Get(ctx, key, web); err != nil {
		return err
	}
	if web.Ready() {
		web.Replicas++
	}
	return r.Status().Update(ctx, web) // want emptyrequest "Status().Update sends the status only: replicas (line 43) is never stored; use Update" @43 "replicas is written here"
}

// Near miss: the callee in another package writes to the status.
func (r *reconciler) growOrFail(ctx context.Context, key client.ObjectKey) error {
	web := &api.Web{}
	if err := r.Get(ctx, key, web); err != nil {
		return err
	}
	if web.Replicas++; web.Replicas > 10 {
		web.Fail()
	}
	return r.Status().Update(ctx, web)
}

// Near miss: without a subresource, the update stores the status, too.
func (r *reconciler) page(ctx context.Context, key client.ObjectKey) error {
	page := &api.Page{}
	if err := r.Get(ctx, key, page); err != nil {
		return err
	}
	page.Status.Phase = "Failed"
	return r.Update(ctx, page)
}
