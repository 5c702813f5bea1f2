// Package stays has reconcilers that leave the finalizer of a deleted object where it is, and come back by themselves or do not.
package stays

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/stays/children"
)

const guard = "example.com/guard"

// A Cloud has balancers.
type Cloud interface {
	Gone(ctx context.Context, id string) (bool, error)
	State(ctx context.Context, id string) (string, error)
	Find(ctx context.Context, id string) (*Balancer, error)
	Delete(ctx context.Context, id string) error
}

// A Balancer is one of a cloud.
type Balancer struct{ ID string }

type reconciler struct {
	client.Client
	cloud Cloud
}

func (r *reconciler) get(ctx context.Context, req ctrl.Request) (*corev1.Service, error) {
	svc := &corev1.Service{}
	err := r.Get(ctx, req.NamespacedName, svc)
	return svc, client.IgnoreNotFound(err)
}

// waits does not come back to look again.
type waits struct{ reconciler }

func (r *waits) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	gone, err := r.cloud.Gone(ctx, svc.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !gone {
		klog.InfoS("it is still there", "service", svc.Name)
		return ctrl.Result{}, nil // want unreachable "svc keeps its finalizer for good once Gone at line 49 has said that it is not done: this returns as if all were well, and nothing in the cluster tells when that changes; ask to come back" @49 "this decides" @57 "the finalizer goes here"
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

// again does.
type again struct{ reconciler }

func (r *again) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	gone, err := r.cloud.Gone(ctx, svc.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !gone {
		return ctrl.Result{RequeueAfter: time.Minute}, nil // ok: it comes back
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

// helped has a helper for the deletion, whose word is the last one.
type helped struct{ reconciler }

func (r *helped) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() {
		return r.delete(ctx, svc)
	}
	return ctrl.Result{}, nil
}

func (r *helped) delete(ctx context.Context, svc *corev1.Service) (ctrl.Result, error) {
	state, err := r.cloud.State(ctx, svc.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if state != "deleted" {
		return ctrl.Result{}, nil // want unreachable "svc keeps its finalizer for good once State at line 95 has said that it is not done: this returns as if all were well, and nothing in the cluster tells when that changes; ask to come back" @95 "this decides" @102 "the finalizer goes here"
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

// looked comes back whatever its helper says.
type looked struct{ reconciler }

func (r *looked) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.delete(ctx, svc); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return ctrl.Result{}, nil
}

func (r *looked) delete(ctx context.Context, svc *corev1.Service) error {
	found, err := r.cloud.Find(ctx, svc.Name)
	if err != nil {
		return err
	}
	if found != nil {
		return nil // ok: its caller comes back
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

// lost says that all is well where its helper finds something.
type lost struct{ reconciler }

func (r *lost) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.delete(ctx, svc); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, nil
}

func (r *lost) delete(ctx context.Context, svc *corev1.Service) error {
	found, err := r.find(ctx, svc.Name)
	if err != nil {
		return err
	}
	if found != nil {
		return nil // want unreachable "svc keeps its finalizer for good once find at line 153 has said that it is not done: this returns as if all were well, and nothing in the cluster tells when that changes; ask to come back" @153 "this decides" @160 "the finalizer goes here"
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

func (r *lost) find(ctx context.Context, id string) (*Balancer, error) { return r.cloud.Find(ctx, id) }

// failed forgets why it has not cleaned up.
type failed struct{ reconciler }

func (r *failed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	if err := r.cloud.Delete(ctx, svc.Name); err != nil {
		klog.ErrorS(err, "deleting the balancer")
		return ctrl.Result{}, nil // want unreachable "svc keeps its finalizer for good once Delete at line 174 has failed: this returns as if all were well, and nobody tries again; return the error" @174 "this decides" @178 "the finalizer goes here"
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

// noted writes down that it waits, which is an event.
type noted struct{ reconciler }

func (r *noted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	gone, err := r.cloud.Gone(ctx, svc.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !gone {
		svc.Status.LoadBalancer.Ingress = nil
		_ = r.Status().Update(ctx, svc)
		return ctrl.Result{}, nil // ok: the update of the status brings it back
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

// owns waits for objects of the cluster, of which it hears.
type owns struct{ reconciler }

func (r *owns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	left, err := r.left(ctx, svc)
	if err != nil {
		return ctrl.Result{}, err
	}
	if left > 0 {
		return ctrl.Result{}, nil // ok: the deletion of the last one is an event
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

func (r *owns) left(ctx context.Context, svc *corev1.Service) (int, error) {
	pods := &corev1.PodList{}
	err := r.List(ctx, pods, client.InNamespace(svc.Namespace))
	return len(pods.Items), err
}

// both asks the cloud for what the cluster has.
type both struct{ reconciler }

func (r *both) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	left, err := r.left(ctx, svc)
	if err != nil {
		return ctrl.Result{}, err
	}
	if left > 0 {
		return ctrl.Result{}, nil // ok: perhaps one of the pods is what it waits for
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

func (r *both) left(ctx context.Context, svc *corev1.Service) (left int, err error) {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(svc.Namespace)); err != nil {
		return 0, err
	}
	for i := range pods.Items {
		gone, err := r.cloud.Gone(ctx, pods.Items[i].Name)
		if err != nil {
			return 0, err
		}
		if !gone {
			left++
		}
	}
	return left, nil
}

// inner has somebody around it who comes back.
type inner struct{ reconciler }

func (r *inner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	gone, err := r.cloud.Gone(ctx, svc.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !gone {
		return ctrl.Result{}, nil // ok: outer comes back
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

type outer struct{ inner *inner }

func (r *outer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if _, err := r.inner.Reconcile(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

// away has another package look, which has a client.
type away struct {
	reconciler
	children *children.Manager
}

func (r *away) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	gone, err := r.children.Gone(ctx, svc.Namespace, svc.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !gone {
		return ctrl.Result{}, nil // ok: the deletion of the last one is an event
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

// alive does not look at deleted objects.
type alive struct{ reconciler }

func (r *alive) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if svc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	gone, err := r.cloud.Gone(ctx, svc.Name)
	if err != nil || !gone {
		return ctrl.Result{}, err // ok: it lives
	}
	return ctrl.Result{}, nil
}

var _ = []any{
	(*waits).Reconcile, (*again).Reconcile, (*helped).Reconcile, (*looked).Reconcile, (*lost).Reconcile, (*failed).Reconcile, (*noted).Reconcile,
	(*owns).Reconcile, (*both).Reconcile, (*alive).Reconcile, (*outer).Reconcile, (*away).Reconcile,
}
