// The finalizer of the former version is replaced on objects that live alone, and a deleted one loses both in one write and is left by a return.
//
//adv:rule=finalizerorder sub=addedwhiledeleting claim=no
package licensegrant

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	seatFinalizer   = "licensing.cad.example/seat"
	legacyFinalizer = "cadlicense.finalizers.example"
)

// Hooks is what a kind adds to the generic reconciler.
type Hooks[T client.Object] struct {
	New     func() T
	Ensure  func(context.Context, T) error
	Cleanup func(context.Context, T) error

	Finalizer string
	Former    []string
}

// Generic reconciles objects of any kind by its hooks.
type Generic[T client.Object] struct {
	client.Client
	Hooks[T]
}

// Reconcile implements reconcile.Reconciler.
func (g *Generic[T]) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj := g.New()
	if err := g.Get(ctx, req.NamespacedName, obj); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}

	if obj.GetDeletionTimestamp() != nil {
		if !g.guarded(obj) {
			return reconcile.Result{}, nil
		}
		if err := g.Cleanup(ctx, obj); err != nil {
			return reconcile.Result{}, fmt.Errorf("cleaning up: %w", err)
		}
		controllerutil.RemoveFinalizer(obj, g.Finalizer)
		for _, former := range g.Former {
			controllerutil.RemoveFinalizer(obj, former)
		}
		return reconcile.Result{}, client.IgnoreNotFound(g.Update(ctx, obj))
	}

	changed := controllerutil.AddFinalizer(obj, g.Finalizer)
	for _, former := range g.Former {
		changed = controllerutil.RemoveFinalizer(obj, former) || changed
	}
	if changed {
		if err := g.Update(ctx, obj); err != nil {
			return reconcile.Result{}, fmt.Errorf("guarding: %w", err)
		}
	}
	return reconcile.Result{}, g.Ensure(ctx, obj)
}

func (g *Generic[T]) guarded(obj T) bool {
	for _, name := range append([]string{g.Finalizer}, g.Former...) {
		if controllerutil.ContainsFinalizer(obj, name) {
			return true
		}
	}
	return false
}

// LicenseGrant gives a user a seat of a floating licence.
type LicenseGrant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		User    string `json:"user"`
		Product string `json:"product"`
	} `json:"spec"`
}

func (g *LicenseGrant) DeepCopyObject() runtime.Object {
	out := *g
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Server is the license server.
type Server interface {
	CheckOut(ctx context.Context, user, product string) error
	CheckIn(ctx context.Context, user, product string) error
}

// SetupGrants registers the controller of grants.
func SetupGrants(mgr ctrl.Manager, server Server) error {
	r := &Generic[*LicenseGrant]{
		Client: mgr.GetClient(),
		Hooks: Hooks[*LicenseGrant]{
			New: func() *LicenseGrant { return &LicenseGrant{} },
			Ensure: func(ctx context.Context, grant *LicenseGrant) error {
				ctrl.LoggerFrom(ctx).V(1).Info("Checking out seat", "user", grant.Spec.User)
				return server.CheckOut(ctx, grant.Spec.User, grant.Spec.Product)
			},
			Cleanup: func(ctx context.Context, grant *LicenseGrant) error {
				return server.CheckIn(ctx, grant.Spec.User, grant.Spec.Product)
			},
			Finalizer: seatFinalizer,
			Former:    []string{legacyFinalizer},
		},
	}
	return ctrl.NewControllerManagedBy(mgr).For(&LicenseGrant{}).Complete(r)
}
