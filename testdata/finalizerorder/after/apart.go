package after

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// inside and outside are two controllers of Services: each takes its own finalizer off, whenever it is done.
type inside struct{ client.Client }

type outside struct{ client.Client }

func (r *inside) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if svc.DeletionTimestamp == nil {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, r.letGo(ctx, svc)
}

func (r *inside) letGo(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard+"-inside")
	return r.Update(ctx, svc)
}

func (r *outside) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if svc.DeletionTimestamp == nil {
		return reconcile.Result{}, nil
	}
	if err := r.letGo(ctx, svc); err != nil {
		return reconcile.Result{}, err
	}
	svc.Annotations = nil
	return reconcile.Result{}, r.Update(ctx, svc) // nothing keeps it for this controller // want writeafterremoval "svc may be gone when it is written here: line 41 has taken its finalizer off while it is being deleted, so this fails where that was the last one; write first" @41 "the finalizer goes here"
}

func (r *outside) letGo(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard+"-outside")
	return r.Update(ctx, svc)
}

// both is one controller of Nodes, which takes two finalizers off one after the other.
type both struct{ client.Client }

func (r *both) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if node.DeletionTimestamp == nil {
		return reconcile.Result{}, nil
	}
	if err := r.first(ctx, node); err != nil {
		return reconcile.Result{}, err
	}
	node.Annotations = nil
	if err := r.Update(ctx, node); err != nil { // ok: it still has the other one
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.last(ctx, node)
}

func (r *both) first(ctx context.Context, node *corev1.Node) error {
	controllerutil.RemoveFinalizer(node, guard+"-first")
	return r.Update(ctx, node)
}

func (r *both) last(ctx context.Context, node *corev1.Node) error {
	controllerutil.RemoveFinalizer(node, guard+"-last")
	return r.Update(ctx, node)
}
