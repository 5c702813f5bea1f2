// Package succeeded has reconcilers that return the error of a cleanup unless it says that something is not there.
package succeeded

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

func secretOf(svc *corev1.Service) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}
}

// unwatched hears nothing of Secrets.
type unwatched struct{ reconciler }

func (r *unwatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).Complete(r)
}

func (r *unwatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, secretOf(svc)); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // want unreachable "svc keeps its finalizer once Delete at line 38 has succeeded: this returns then, too, without an error, and nothing brings the object back to where the finalizer goes; go on where the error is nil" @38 "its success is no error" @41 "the finalizer goes here"
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, nil
}

// helps does the same in a helper, with an else.
type helps struct{ reconciler }

func (r *helps) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).Complete(r)
}

func (r *helps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, svc)
	}
	return ctrl.Result{}, nil
}

func (r *helps) cleanUp(ctx context.Context, svc *corev1.Service) (ctrl.Result, error) {
	err := r.Delete(ctx, secretOf(svc))
	if apierrors.IsNotFound(err) {
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, err // want unreachable "svc keeps its finalizer once Delete at line 66 has succeeded: this returns then, too, without an error, and nothing brings the object back to where the finalizer goes; go on where the error is nil" @66 "its success is no error" @68 "the finalizer goes here"
}

// copies deletes the copy of its object in another cluster, of which it hears nothing.
type copies struct{ here, there client.Client }

func (r *copies) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolumeClaim{}).Complete(r)
}

func (r *copies) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pvc corev1.PersistentVolumeClaim
	if err := r.here.Get(ctx, req.NamespacedName, &pvc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	copied := r.copied(&pvc)
	if !pvc.DeletionTimestamp.IsZero() {
		if err := r.there.Delete(ctx, copied); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // want unreachable "pvc keeps its finalizer once Delete at line 88 has succeeded: this returns then, too, without an error, and nothing brings the object back to where the finalizer goes; go on where the error is nil" @88 "its success is no error" @91 "the finalizer goes here"
		}
		if controllerutil.RemoveFinalizer(&pvc, guard) {
			return ctrl.Result{}, r.here.Update(ctx, &pvc)
		}
	}
	return ctrl.Result{}, nil
}

func (r *copies) copied(pvc *corev1.PersistentVolumeClaim) *corev1.PersistentVolumeClaim {
	made := pvc.DeepCopy()
	made.Namespace = "copies"
	return made
}

// asks knows that there may be no error.
type asks struct{ reconciler }

func (r *asks) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).Complete(r)
}

func (r *asks) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, secretOf(svc)); err != nil && !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // ok: an error
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, nil
}

// later comes back.
type later struct{ reconciler }

func (r *later) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).Complete(r)
}

func (r *later) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, secretOf(svc)); !apierrors.IsNotFound(err) {
			return ctrl.Result{RequeueAfter: time.Second}, err // ok: it asks for another run
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, nil
}

// often comes back anyway.
type often struct{ reconciler }

func (r *often) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).Complete(r)
}

func (r *often) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, secretOf(svc)); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // ok: the run that the living object has asked for is still to come
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

// says writes the status first, of which an event comes.
type says struct{ reconciler }

func (r *says) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).Complete(r)
}

func (r *says) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		svc.Status.Conditions = nil
		if err := r.Status().Update(ctx, svc); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Delete(ctx, secretOf(svc)); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // ok: the status has changed
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, nil
}

// hears watches what it deletes.
type hears struct{ reconciler }

func (r *hears) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Service{}).
		Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).Complete(r)
}

func (r *hears) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}
		if err := r.Delete(ctx, config); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // ok: it hears when the configuration is gone
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, nil
}

// elsewhere is set up by somebody else, who may watch anything.
type elsewhere struct{ reconciler }

func (r *elsewhere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !svc.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, secretOf(svc)); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // ok: the set-up is not in sight
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	return ctrl.Result{}, nil
}
