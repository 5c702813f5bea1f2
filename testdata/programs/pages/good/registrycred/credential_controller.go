// The finalizer is changed in memory alone, and no write is in sight here, but
// the helper made before the change is closed by a deferred call and patches it.
//
//adv:rule=finalizerorder sub=notpersisted claim=no
package registrycred

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/util/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/pages/good/registrycred/patch"
)

const (
	robotFinalizer = "registry.dockyard.sh/robot"
	robotLabel     = "registry.dockyard.sh/robot-account"
)

// Registry enables and disables robot accounts that exist already.
type Registry interface {
	DisableRobot(ctx context.Context, name string) error
}

type reconciler struct {
	client   client.Client
	registry Registry
}

// Add adds the controller for robot secrets.
func Add(mgr manager.Manager, registry Registry) error {
	c, err := controller.New("robot-secrets", mgr, controller.Options{
		Reconciler: &reconciler{client: mgr.GetClient(), registry: registry},
	})
	if err != nil {
		return err
	}
	labelled := predicate.NewTypedPredicateFuncs(func(s *corev1.Secret) bool {
		return s.Labels[robotLabel] != "" || controllerutil.ContainsFinalizer(s, robotFinalizer)
	})
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.Secret{},
		&handler.TypedEnqueueRequestForObject[*corev1.Secret]{}, labelled))
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (_ ctrl.Result, reterr error) {
	secret := &corev1.Secret{}
	if err := r.client.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	helper := patch.NewHelper(r.client, secret)
	defer func() {
		if err := helper.Done(ctx); err != nil {
			reterr = kerrors.NewAggregate([]error{reterr, client.IgnoreNotFound(err)})
		}
	}()

	if secret.DeletionTimestamp.IsZero() {
		controllerutil.AddFinalizer(secret, robotFinalizer)
		return ctrl.Result{}, nil
	}
	if !controllerutil.ContainsFinalizer(secret, robotFinalizer) {
		return ctrl.Result{}, nil
	}
	if name := secret.Labels[robotLabel]; name != "" {
		if err := r.registry.DisableRobot(ctx, name); err != nil {
			return ctrl.Result{}, fmt.Errorf("disabling robot %s: %w", name, err)
		}
	}
	controllerutil.RemoveFinalizer(secret, robotFinalizer)
	return ctrl.Result{}, nil
}
