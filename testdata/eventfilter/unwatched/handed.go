package unwatched

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Hands hands functions of its own to others, which run them.
type Hands struct {
	client.Client
	scheme *runtime.Scheme
	missed map[string]bool
}

func (r *Hands) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); apierrors.IsNotFound(err) {
		time.AfterFunc(time.Minute, func() { r.again(barn.Name) })
		return ctrl.Result{}, nil // it is remembered
	} else if err != nil {
		return ctrl.Result{}, err
	}
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key(barn, "pool"), claim); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key(barn, barn.Spec.Key), secret); apierrors.IsNotFound(err) {
		if err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return r.Update(ctx, claim) }); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil // somebody answers that
	} else if err != nil {
		return ctrl.Result{}, err
	}
	notes := &corev1.ConfigMap{}
	if err := r.Get(ctx, key(barn, barn.Spec.Claims), notes); apierrors.IsNotFound(err) {
		if err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return r.Status().Update(ctx, barn) }); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil // want unwatched "(*Hands).Reconcile gives up here while the *v1.ConfigMap of line 48 is not there, and no watch of the controller tells of *v1.ConfigMap: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @48 "the object is asked for here"
	} else if err != nil {
		return ctrl.Result{}, err
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, key(barn, barn.Spec.Class), account); apierrors.IsNotFound(err) {
		ctrl.LoggerFrom(ctx).Info("no account", "name", barn.Spec.Class)
		if err := ctrl.SetControllerReference(account, barn, r.scheme); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil // want unwatched "(*Hands).Reconcile gives up here while the *v1.ServiceAccount of line 57 is not there, and no watch of the controller tells of *v1.ServiceAccount: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @57 "the object is asked for here"
	} else if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Hands) again(name string) { r.missed[name] = true }

func (r *Hands) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}
