package unwatched

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Before has done its work before it asks for the other object.
type Before struct{ client.Client }

func (r *Before) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	_ = work(ctx, r.Client, barn)
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: nothing would follow
	}
	ctrl.LoggerFrom(ctx).Info("there is one")
	return ctrl.Result{}, nil
}

func (r *Before) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Notes notes what has failed.
type Notes struct{ client.Client }

func (r *Notes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	err := r.Get(ctx, key(barn, barn.Spec.Silo), silo)
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, nil // ok: nothing would follow
	}
	if err != nil {
		_ = work(ctx, r.Client, barn)
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *Notes) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

var errClosed = errors.New("closed")

// Opens comes back unless it is closed.
type Opens struct {
	client.Client
	last error
}

func (r *Opens) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	err := r.Get(ctx, key(barn, barn.Spec.Silo), silo)
	if apierrors.IsNotFound(err) {
		if r.last != errClosed {
			return ctrl.Result{RequeueAfter: time.Minute}, nil
		}
		return ctrl.Result{}, nil // ok: that is the end
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Opens) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Mends makes something where there is none of it, which is an error that it expects.
type Mends struct{ client.Client }

func (r *Mends) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want unwatched "(*Mends).Reconcile gives up here while the *unwatched.Silo of line 98 is not there, and no watch of the controller tells of *unwatched.Silo: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @98 "the object is asked for here"
	}
	inner := &Barn{}
	if err := r.Get(ctx, key(barn, barn.Spec.Claims), inner); err != nil {
		if apierrors.IsNotFound(err) {
			inner.Name = barn.Spec.Claims
			return ctrl.Result{}, r.Create(ctx, inner)
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *Mends) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}
