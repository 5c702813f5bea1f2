// Package insides has deletions that leave a finalizer on some objects, or on none.
package insides

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/insides/api"
)

const (
	first  = "example.com/first"
	second = "example.com/second"
)

// nodes have two finalizers, one of which goes only from some of them.
type nodes struct{ client.Client }

func (r *nodes) reconcile(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp != nil {
		return r.finalize(ctx, node)
	}
	controllerutil.AddFinalizer(node, first)
	controllerutil.AddFinalizer(node, second)
	return r.Update(ctx, node)
}

func (r *nodes) finalize(ctx context.Context, node *corev1.Node) error {
	var err error
	if node, err = r.remove(ctx, node, first); err != nil {
		return err
	}
	if node.Spec.PodCIDR != "" { // want unreachable `node keeps its finalizer for as long as its Spec.PodCIDR says so: a deleted object goes another way here and never comes to line 39, where the finalizer "example.com/second" goes; let it go on both ways` @39 "the finalizer goes here"
		if node, err = r.remove(ctx, node, second); err != nil {
			return err
		}
	}
	node.Labels["done"] = "yes"
	return r.Update(ctx, node)
}

func (r *nodes) remove(ctx context.Context, node *corev1.Node, name string) (*corev1.Node, error) {
	controllerutil.RemoveFinalizer(node, name)
	return r.write(ctx, node)
}

func (r *nodes) write(ctx context.Context, node *corev1.Node) (*corev1.Node, error) {
	if err := r.Update(ctx, node); err != nil {
		return nil, err
	}
	return node, nil
}

// pods lose both.
type pods struct{ client.Client }

func (r *pods) reconcile(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil {
		return r.finalize(ctx, pod)
	}
	controllerutil.AddFinalizer(pod, first)
	controllerutil.AddFinalizer(pod, second)
	return r.Update(ctx, pod)
}

func (r *pods) finalize(ctx context.Context, pod *corev1.Pod) error {
	if pod.Spec.NodeName != "" {
		pod.Labels["node"] = pod.Spec.NodeName // ok: both ways lead to both
	}
	controllerutil.RemoveFinalizer(pod, first)
	controllerutil.RemoveFinalizer(pod, second)
	return r.Update(ctx, pod)
}

// volumes are handed to a loop elsewhere, which calls the deletion.
type volumes struct {
	client.Client
	subject *corev1.PersistentVolume
}

func (r *volumes) Reconcile() (ctrl.Result, error) {
	controllerutil.AddFinalizer(r.subject, first)
	return ctrl.Result{}, r.Update(context.TODO(), r.subject)
}

func (r *volumes) ReconcileDelete() (ctrl.Result, error) {
	if r.subject.Spec.CSI == nil { // want unreachable `r.subject keeps its finalizer for as long as its Spec.PersistentVolumeSource.CSI says so: a deleted object goes another way here and never comes to line 95, where the finalizer "example.com/first" goes; let it go on both ways` @95 "the finalizer goes here"
		return ctrl.Result{}, nil
	}
	controllerutil.RemoveFinalizer(r.subject, first)
	return ctrl.Result{}, r.Update(context.TODO(), r.subject)
}

// jobs say that they are done by a helper.
type jobs struct{ client.Client }

func (r *jobs) Reconcile(ctx context.Context, rc *corev1.LimitRange) (ctrl.Result, error) {
	if rc.DeletionTimestamp != nil {
		return r.finalize(ctx, rc)
	}
	controllerutil.AddFinalizer(rc, first)
	return ctrl.Result{}, r.Update(ctx, rc)
}

func (r *jobs) finalize(ctx context.Context, rc *corev1.LimitRange) (ctrl.Result, error) {
	if len(rc.Spec.Limits) == 0 { // want unreachable `rc keeps its finalizer for as long as its Spec says so: a deleted object goes another way here and never comes to line 117, where the finalizer "example.com/first" goes; let it go on both ways` @117 "the finalizer goes here"
		return done()
	}
	if rc.Spec.Limits == nil {
		return later() // ok: it comes back
	}
	controllerutil.RemoveFinalizer(rc, first)
	return ctrl.Result{}, r.Update(ctx, rc)
}

func done() (ctrl.Result, error) { return ctrl.Result{}, nil }

func later() (ctrl.Result, error) { return ctrl.Result{RequeueAfter: time.Minute}, nil }

// services are protected, or waited for.
type services struct {
	client.Client
	subject *corev1.Service
}

func (r *services) Reconcile() (ctrl.Result, error) {
	controllerutil.AddFinalizer(r.subject, first)
	return ctrl.Result{}, r.Update(context.TODO(), r.subject)
}

func (r *services) ReconcileDelete() (ctrl.Result, error) {
	if r.subject.Spec.PublishNotReadyAddresses {
		return ctrl.Result{RequeueAfter: time.Minute}, nil // ok: it waits
	}
	if r.subject.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal {
		return ctrl.Result{}, nil // ok: a policy says so
	}
	controllerutil.RemoveFinalizer(r.subject, first)
	return ctrl.Result{}, r.Update(context.TODO(), r.subject)
}

// accounts are taken care of by a function that is called for those that live, too.
type accounts struct{ client.Client }

func (r *accounts) release(ctx context.Context, sa *corev1.ReplicationController) error {
	if sa.Spec.Replicas == nil {
		return nil // ok: who calls this is not known, and no deletion is spoken of
	}
	controllerutil.RemoveFinalizer(sa, first)
	return r.Update(ctx, sa)
}

func (r *accounts) guard(ctx context.Context, sa *corev1.ReplicationController) error {
	controllerutil.AddFinalizer(sa, first)
	return r.Update(ctx, sa)
}

// claims ask the package of their kind.
type claims struct{ client.Client }

func (r *claims) reconcile(ctx context.Context, pvc *corev1.PersistentVolumeClaim) error {
	if api.Light(pvc) || api.Marked(pvc) {
		return nil // ok: that may change without the claim, or others have it so
	}
	if api.Idle(pvc) { // want unreachable "pvc keeps its finalizer for as long as its Spec says so: a deleted object goes another way here and never comes to line 173, behind which alone the finalizer goes; handle the deletion first" @173 "the deletion is handled from here on"
		return nil
	}
	if pvc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pvc, first)
		return r.Update(ctx, pvc)
	}
	controllerutil.AddFinalizer(pvc, first)
	return r.Update(ctx, pvc)
}

// timed ask the clock.
type timed struct{ client.Client }

func (r *timed) reconcile(ctx context.Context, rq *corev1.ResourceQuota) error {
	if api.Late(rq) {
		return nil // ok: it is early again
	}
	if rq.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(rq, first)
		return r.Update(ctx, rq)
	}
	controllerutil.AddFinalizer(rq, first)
	return r.Update(ctx, rq)
}

// balancers are checked first.
type balancers struct{ client.Client }

func (r *balancers) reconcile(ctx context.Context, svc *corev1.Endpoints, of *corev1.Pod) error {
	if svc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(svc, first)
		return r.Update(ctx, svc)
	}
	if api.Broken(corev1.ServiceSpec{}) != nil {
		return nil // ok: it is behind the deletion, and about something else
	}
	controllerutil.AddFinalizer(svc, first)
	return r.Update(ctx, svc)
}
