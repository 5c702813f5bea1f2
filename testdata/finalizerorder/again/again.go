// Package again has reconcilers that do for an object in deletion, whose finalizer is gone, what they do for living ones, or do not.
package again

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

// A Cloud has balancers.
type Cloud interface {
	CreateBalancer(ctx context.Context, name string) error
	DeleteBalancer(ctx context.Context, name string) error
	BalancerState(ctx context.Context, name string) (string, error)
}

type reconciler struct {
	client.Client
	cloud Cloud
}

func (r *reconciler) get(ctx context.Context, req ctrl.Request) (*corev1.Service, error) {
	svc := &corev1.Service{}
	err := r.Get(ctx, req.NamespacedName, svc)
	return svc, client.IgnoreNotFound(err)
}

func (r *reconciler) release(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

// both asks for the deletion and for the finalizer at once.
type both struct{ reconciler }

func (r *both) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if svc.DeletionTimestamp.IsZero() && controllerutil.AddFinalizer(svc, guard) {
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	if _, err := r.cloud.BalancerState(ctx, svc.Name); err == nil {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // want writeafterremoval "svc may be on its way out, its finalizer gone, when CreateBalancer runs for it here: line 48 lets such an object pass, and what the cleanup has taken away is made again, with nothing that guards it; return for all objects that are being deleted" @60 "this is made again" @55 "the finalizer goes here"
}

// nested does the first inside of the second, and leaves it only where it has found the finalizer.
type nested struct{ reconciler }

func (r *nested) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if svc.DeletionTimestamp.IsZero() {
		if controllerutil.AddFinalizer(svc, guard) {
			return ctrl.Result{}, r.Update(ctx, svc)
		}
	} else if controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, r.secret(ctx, svc) // want writeafterremoval "svc may be on its way out, its finalizer gone, when secret runs for it here: line 71 lets such an object pass, and what the cleanup has taken away is made again, with nothing that guards it; return for all objects that are being deleted" @86 "this is made again" @79 "the finalizer goes here"
}

func (r *nested) secret(ctx context.Context, svc *corev1.Service) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error { return nil })
	return err
}

// helped has a helper that sees to deleted objects and does not say that it has.
type helped struct{ reconciler }

func (r *helped) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.finalize(ctx, svc); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "balancers", Name: svc.Name}}) // want writeafterremoval "svc may be on its way out, its finalizer gone, when Create runs for it here: line 98 lets such an object pass, and what the cleanup has taken away is made again, with nothing that guards it; return for all objects that are being deleted" @101 "this is made again" @98 "the finalizer goes here"
}

func (r *helped) finalize(ctx context.Context, svc *corev1.Service) error {
	if svc.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := r.Delete(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "balancers", Name: svc.Name}}); client.IgnoreNotFound(err) != nil {
		return err
	}
	return r.release(ctx, svc)
}

// marks takes a mark off nodes, and puts it there again.
type marks struct{ reconciler }

func (r *marks) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	deleted, guarded := svc.DeletionTimestamp != nil, controllerutil.ContainsFinalizer(svc, guard)
	if deleted && guarded {
		if err := r.mark(ctx, svc, "false"); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, r.mark(ctx, svc, "true") // want writeafterremoval "svc may be on its way out, its finalizer gone, when mark runs for it here: line 122 lets such an object pass, and what the cleanup has taken away is made again, with nothing that guards it; return for all objects that are being deleted" @138 "this is made again" @127 "the finalizer goes here"
}

func (r *marks) mark(ctx context.Context, svc *corev1.Service, value string) error {
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: svc.Labels["node"]}, node); err != nil {
		return err
	}
	metav1.SetMetaDataAnnotation(&node.ObjectMeta, "example.com/balancer", value)
	return r.Update(ctx, node)
}

// returns leaves with all that are being deleted.
type returns struct{ reconciler }

func (r *returns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() {
		if controllerutil.ContainsFinalizer(svc, guard) {
			if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
				return ctrl.Result{}, err
			}
			if err := r.release(ctx, svc); err != nil {
				return ctrl.Result{}, err
			}
		}
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // ok: living ones alone
}

// refused adds the finalizer first, which the API server does not let it do (and which addedwhiledeleting is about).
type refused struct{ reconciler }

func (r *refused) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	if err := r.guard(ctx, svc); err != nil { // want addedbeforecheck "svc may be on its way out when it gets a finalizer here: the check at line 171 lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled" @171 "the check of the deletion timestamp"
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // ok: nothing comes here without the finalizer
}

func (r *refused) guard(ctx context.Context, svc *corev1.Service) error {
	controllerutil.AddFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

// owned makes what goes with its owner.
type owned struct{ reconciler }

func (r *owned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.Delete(ctx, &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	child := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}
	if err := controllerutil.SetControllerReference(svc, child, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, child) // ok: the garbage collector takes it
}

// other makes something that the cleanup has nothing to do with.
type other struct{ reconciler }

func (r *other) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "balancers"}})) // ok: nothing is taken away
}

// asks has somebody else say whether there is something to do.
type asks struct {
	reconciler
	wanted func(*corev1.Service) bool
}

func (r *asks) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	if !r.wanted(svc) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // ok: which may ask for the deletion
}

// looks asks for the deletion further down.
type looks struct{ reconciler }

func (r *looks) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, r.create(ctx, svc) // ok: it looks itself
}

func (r *looks) create(ctx context.Context, svc *corev1.Service) error {
	if svc.DeletionTimestamp != nil {
		return fmt.Errorf("%s is being deleted", svc.Name)
	}
	return r.cloud.CreateBalancer(ctx, svc.Name)
}

// before makes something in front of the choice, for all objects.
type before struct{ reconciler }

func (r *before) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.cloud.CreateBalancer(ctx, svc.Name); err != nil { // ok: it is there for the cleanup, too
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, nil
}

// guarded does nothing for what has no finalizer.
type guarded struct{ reconciler }

func (r *guarded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	_ = r.cloud.CreateBalancer(ctx, svc.Name) // ok: in front of the choice
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	if !controllerutil.ContainsFinalizer(svc, guard) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // ok: it has one
}

// anyKind has helpers for objects of any kind, which are others for living ones.
type anyKind struct{ reconciler }

func (r *anyKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(svc, guard) {
		if err := r.remove(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, r.add(ctx, &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name}}) // ok: of which kinds is not known there
}

func (r *anyKind) remove(ctx context.Context, obj client.Object) error {
	return client.IgnoreNotFound(r.Delete(ctx, obj))
}

func (r *anyKind) add(ctx context.Context, obj client.Object) error { return r.Create(ctx, obj) }
