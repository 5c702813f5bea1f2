// Package ownstate has objects whose own fields keep them from the branch that removes their finalizer, or do not.
package ownstate

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

// pods bails out in a phase that it gives them itself.
type pods struct{ client.Client }

func (r *pods) reconcile(ctx context.Context, pod *corev1.Pod) error {
	if pod.Status.Phase == corev1.PodFailed {
		return nil // want unreachable "pod keeps its finalizer for as long as its Status.Phase says so: a deleted object returns here and never comes to line 24, behind which alone the finalizer goes; handle the deletion first" @24 "the deletion is handled from here on"
	}
	if pod.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pod, guard)
		return r.Update(ctx, pod)
	}
	pod.Status.Phase = corev1.PodFailed
	return r.Status().Update(ctx, pod)
}

// nodes bails out in a phase that nobody gives them here.
type nodes struct{ client.Client }

func (r *nodes) reconcile(ctx context.Context, node *corev1.Node) error {
	if node.Status.Phase == corev1.NodePending {
		return nil // ok: whether one of them has the finalizer is not known
	}
	if node.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(node, guard)
		return r.Update(ctx, node)
	}
	node.Status.Phase = corev1.NodeRunning
	return r.Status().Update(ctx, node)
}

// volumes gives them the phase once the finalizer has gone.
type volumes struct{ client.Client }

func (r *volumes) reconcile(ctx context.Context, pv *corev1.PersistentVolume) error {
	if pv.Status.Phase == corev1.VolumeFailed {
		return nil // ok: it has no finalizer then
	}
	if pv.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pv, guard)
		if err := r.Update(ctx, pv); err != nil {
			return err
		}
		pv.Status.Phase = corev1.VolumeFailed
		return client.IgnoreNotFound(r.Status().Update(ctx, pv))
	}
	return nil
}

// claims comes back after a while.
type claims struct{ client.Client }

func (r *claims) reconcile(ctx context.Context, pvc *corev1.PersistentVolumeClaim) (ctrl.Result, error) {
	if pvc.Status.Phase == corev1.ClaimLost {
		return ctrl.Result{RequeueAfter: time.Minute}, nil // ok: it looks again
	}
	if pvc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pvc, guard)
		return ctrl.Result{}, r.Update(ctx, pvc)
	}
	pvc.Status.Phase = corev1.ClaimLost
	return ctrl.Result{}, r.Status().Update(ctx, pvc)
}

// services removes the finalizer only while the spec is as it was when it was added.
type services struct{ client.Client }

func (r *services) reconcile(ctx context.Context, req ctrl.Request) error {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return client.IgnoreNotFound(err)
	}
	switch svc.Spec.Type {
	case corev1.ServiceTypeLoadBalancer: // want unreachable "svc keeps its finalizer for as long as its Spec.Type says so: a deleted object goes another way here and never comes to line 90, behind which alone the finalizer goes; handle the deletion first" @90 "the deletion is handled from here on"
		if svc.DeletionTimestamp.IsZero() {
			if controllerutil.AddFinalizer(&svc, guard) {
				return r.Update(ctx, &svc)
			}
		} else if controllerutil.RemoveFinalizer(&svc, guard) {
			return r.Update(ctx, &svc)
		}
	}
	svc.Labels["seen"] = "yes"
	return r.Update(ctx, &svc)
}

// namespaces looks at the deletion first, and does less of the cleanup for some.
type namespaces struct{ client.Client }

func (r *namespaces) reconcile(ctx context.Context, ns *corev1.Namespace) error {
	if ns.DeletionTimestamp != nil {
		if len(ns.Spec.Finalizers) == 0 || ns.Status.Phase != corev1.NamespaceTerminating {
			ns.Labels["cleaned"] = "yes"
		}
		controllerutil.RemoveFinalizer(ns, guard) // ok: both ways lead here
		return r.Update(ctx, ns)
	}
	if controllerutil.AddFinalizer(ns, guard) {
		return r.Update(ctx, ns)
	}
	return nil
}

// quotas has two ways for them, and both see to the deletion.
type quotas struct{ client.Client }

func (r *quotas) reconcile(ctx context.Context, q *corev1.ReplicationController) error {
	if q.Spec.MinReadySeconds == 0 {
		return r.other(ctx, q) // ok: that removes it, too
	}
	if q.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(q, guard)
		return r.Update(ctx, q)
	}
	if controllerutil.AddFinalizer(q, guard) {
		return r.Update(ctx, q)
	}
	return nil
}

func (r *quotas) other(ctx context.Context, q *corev1.ReplicationController) error {
	if q.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(q, guard)
	return r.Update(ctx, q)
}

// accounts hands some to something unseen.
type accounts struct {
	client.Client
	kinds map[string]interface {
		Reconcile(context.Context, *corev1.ResourceQuota) error
	}
}

func (r *accounts) reconcile(ctx context.Context, q *corev1.ResourceQuota) error {
	if q.Spec.ScopeSelector != nil {
		return r.kinds["scoped"].Reconcile(ctx, q) // ok: it may see to the deletion
	}
	if q.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(q, guard)
		return r.Update(ctx, q)
	}
	if controllerutil.AddFinalizer(q, guard) {
		return r.Update(ctx, q)
	}
	return nil
}

// ranges are left alone for something that another object says.
type ranges struct{ client.Client }

func (r *ranges) reconcile(ctx context.Context, n *corev1.LimitRange, spec *corev1.Pod) error {
	if spec.Spec.HostNetwork {
		return nil // ok: another object says so
	}
	if n.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(n, guard)
		return r.Update(ctx, n)
	}
	if controllerutil.AddFinalizer(n, guard) {
		return r.Update(ctx, n)
	}
	return nil
}

// endpoints have a policy, of which the schema knows two values.
type endpoints struct{ client.Client }

func (r *endpoints) reconcile(ctx context.Context, s *corev1.PersistentVolume) error {
	if s.DeletionTimestamp != nil {
		switch s.Spec.PersistentVolumeReclaimPolicy {
		case corev1.PersistentVolumeReclaimRetain:
			return r.release(ctx, s)
		case corev1.PersistentVolumeReclaimDelete:
			return r.release(ctx, s)
		}
		return nil // ok: there is no other policy
	}
	if controllerutil.AddFinalizer(s, guard) {
		return r.Update(ctx, s)
	}
	return nil
}

func (r *endpoints) release(ctx context.Context, s *corev1.PersistentVolume) error {
	controllerutil.RemoveFinalizer(s, guard)
	return r.Update(ctx, s)
}

// sets names a policy without a finalizer beside the one with it: who has changed it waits.
type sets struct{ client.Client }

func (r *sets) reconcile(ctx context.Context, s *appsv1.StatefulSet) error {
	switch s.Spec.PodManagementPolicy {
	case appsv1.ParallelPodManagement: // want unreachable "s keeps its finalizer for as long as its Spec.PodManagementPolicy says so: a deleted object goes another way here and never comes to line 213, behind which alone the finalizer goes; handle the deletion first" @213 "the deletion is handled from here on"
		if s.DeletionTimestamp == nil {
			if controllerutil.AddFinalizer(s, guard) {
				return r.Update(ctx, s)
			}
		} else if controllerutil.RemoveFinalizer(s, guard) {
			return r.Update(ctx, s)
		}
	case appsv1.OrderedReadyPodManagement:
		s.Labels["ordered"] = "yes"
	}
	return r.Update(ctx, s)
}

// nodesets has another way for some of them, which reads the object again.
type nodesets struct{ client.Client }

func (r *nodesets) reconcile(ctx context.Context, req ctrl.Request) error {
	rs := &appsv1.DaemonSet{}
	if err := r.Get(ctx, req.NamespacedName, rs); err != nil {
		return client.IgnoreNotFound(err)
	}
	if rs.Spec.MinReadySeconds > 0 {
		return elsewhere(ctx, req) // ok: it may see to the deletion, too
	}
	if rs.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(rs, guard)
		return r.Update(ctx, rs)
	}
	if controllerutil.AddFinalizer(rs, guard) {
		return r.Update(ctx, rs)
	}
	return nil
}

// deployments knows all types that there are, and asks for one of them again in the cleanup.
type deployments struct{ client.Client }

func (r *deployments) reconcile(ctx context.Context, d *appsv1.Deployment) error {
	switch d.Spec.Strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		d.Labels["type"] = "recreate"
	case appsv1.RollingUpdateDeploymentStrategyType:
		d.Labels["type"] = "roll"
	default:
		return nil // ok: there is no other
	}
	if d.DeletionTimestamp != nil {
		if d.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
			d.Labels["rolled"] = "yes"
		}
		controllerutil.RemoveFinalizer(d, guard)
		return r.Update(ctx, d)
	}
	if controllerutil.AddFinalizer(d, guard) {
		return r.Update(ctx, d)
	}
	return nil
}

var elsewhere func(ctx context.Context, req ctrl.Request) error

var _ = []any{
	(*nodesets).reconcile, (*sets).reconcile, (*deployments).reconcile,
	(*endpoints).reconcile,
	(*pods).reconcile, (*nodes).reconcile, (*volumes).reconcile, (*claims).reconcile, (*services).reconcile, (*namespaces).reconcile,
	(*quotas).reconcile, (*accounts).reconcile, (*ranges).reconcile,
}
