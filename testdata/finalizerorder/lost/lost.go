// Package lost looks up another object before it sees to the finalizer of a deleted one, or does not need it.
package lost

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/lost/refs"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// ready is how the package looks after nodes and services.
func (r *reconciler) ready(ctx context.Context, node *corev1.Node, svc *corev1.Service) error {
	node.Status.Phase = corev1.NodeRunning
	if err := r.Status().Update(ctx, node); err != nil {
		return err
	}
	svc.Status.Conditions = nil
	return r.Status().Update(ctx, svc)
}

// direct reads the node itself.
func (r *reconciler) direct(ctx context.Context, obj *corev1.Pod) error {
	var node corev1.Node
	if err := r.Get(ctx, client.ObjectKey{Name: obj.Labels["node"]}, &node); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 38 removes it; handle deletion first or ignore NotFound" @38 "the finalizer is removed here"
		return err
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, &node, &corev1.Service{})
}

// helper has another package look it up.
func (r *reconciler) helper(ctx context.Context, obj *corev1.ConfigMap) error {
	node, err := refs.Node(ctx, r.Client, obj.Labels["node"]) // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 51 removes it; handle deletion first or ignore NotFound" @51 "the finalizer is removed here"
	if err != nil {
		return err
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, node, &corev1.Service{})
}

// requeues waits for a node that may never come back.
func (r *reconciler) requeues(ctx context.Context, obj *corev1.ServiceAccount) (ctrl.Result, error) {
	var node corev1.Node
	if err := r.Get(ctx, client.ObjectKey{Name: obj.Labels["node"]}, &node); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 67 removes it; handle deletion first or ignore NotFound" @67 "the finalizer is removed here"
		if apierrors.IsNotFound(err) {
			return ctrl.Result{RequeueAfter: time.Minute}, nil
		}
		return ctrl.Result{}, err
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return ctrl.Result{}, r.Update(ctx, obj)
	}
	return ctrl.Result{}, r.ready(ctx, &node, &corev1.Service{})
}

// sometimes looks only where the pod names one: such a pod is stuck.
func (r *reconciler) sometimes(ctx context.Context, obj *corev1.LimitRange) error {
	if obj.Labels["node"] != "" {
		if _, err := refs.Node(ctx, r.Client, obj.Labels["node"]); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 81 removes it; handle deletion first or ignore NotFound" @81 "the finalizer is removed here"
			return err
		}
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

// tolerant goes on where there is none.
func (r *reconciler) tolerant(ctx context.Context, obj *corev1.ResourceQuota) error {
	var node corev1.Node
	if err := r.Get(ctx, client.ObjectKey{Name: obj.Labels["node"]}, &node); err != nil {
		if !apierrors.IsNotFound(err) || obj.DeletionTimestamp == nil {
			return err // ok: not found while deleting goes on
		}
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, &node, &corev1.Service{})
}

// ifAny and known look up through functions that do not fail.
func (r *reconciler) ifAny(ctx context.Context, obj *corev1.PersistentVolumeClaim) error {
	node, err := refs.NodeIfAny(ctx, r.Client, obj.Labels["node"])
	if err != nil {
		return err // ok: not for want of a node
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, node, &corev1.Service{})
}

// first looks at the deletion first.
func (r *reconciler) first(ctx context.Context, obj *corev1.Namespace) error {
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	node, err := refs.Node(ctx, r.Client, obj.Labels["node"])
	if err != nil {
		return err // ok: it is not deleted
	}
	return r.ready(ctx, node, &corev1.Service{})
}

// endpoints belong to a service, and something waits until the last of them is gone before that goes.
func (r *reconciler) endpoints(ctx context.Context, e *corev1.Endpoints) error {
	var svc corev1.Service
	if err := r.Get(ctx, client.ObjectKeyFromObject(e), &svc); err != nil {
		return err // ok: busy asks for endpoints
	}
	if e.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(e, guard)
		return r.Update(ctx, e)
	}
	return nil
}

func (r *reconciler) busy(ctx context.Context) bool {
	var list corev1.EndpointsList
	return r.List(ctx, &list) != nil || len(list.Items) > 0
}

// services are read by their own name, and lose their list of finalizers as a field.
func (r *reconciler) services(ctx context.Context, key client.ObjectKey) error {
	var svc corev1.Service
	if err := r.Get(ctx, key, &svc); err != nil { // ok: it is the object itself
		return err
	}
	if svc.DeletionTimestamp != nil && !r.busy(ctx) {
		return r.empty(ctx, &svc)
	}
	return r.ready(ctx, &corev1.Node{}, &svc)
}

func (r *reconciler) empty(ctx context.Context, svc *corev1.Service) error {
	svc.Finalizers = []string{}
	return r.Update(ctx, svc)
}

// owners are looked up by the object that is reconciled, and lose their finalizer with it.
func (r *reconciler) owners(ctx context.Context, key client.ObjectKey) error {
	var node corev1.Node
	if err := r.Get(ctx, key, &node); err != nil {
		return client.IgnoreNotFound(err) // ok: the event was of this one
	}
	owner := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Name: node.Labels["owner"]}, owner); err != nil {
		return err
	}
	if owner.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(owner, guard)
		return r.Update(ctx, owner)
	}
	return r.ready(ctx, &node, &corev1.Service{})
}

var _ = []any{
	(*reconciler).owners, (*reconciler).services, (*reconciler).direct, (*reconciler).helper, (*reconciler).requeues, (*reconciler).sometimes,
	(*reconciler).tolerant, (*reconciler).ifAny, (*reconciler).first, (*reconciler).endpoints, (*reconciler).busy,
}

// forced lets go of what others look after, where its node is there.
func (r *reconciler) forced(ctx context.Context, obj *corev1.PodTemplate) error {
	var node corev1.Node
	if err := r.Get(ctx, client.ObjectKey{Name: obj.Labels["node"]}, &node); err != nil { // ok: the finalizers are not this package's
		return err
	}
	if obj.DeletionTimestamp != nil {
		obj.Finalizers = nil
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, &node, &corev1.Service{})
}
