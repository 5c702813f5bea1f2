// In the list of teardown steps the finalizer is removed and written before the
// realm is deleted at the identity provider: if that fails nobody tries again.
//
//adv:rule=finalizerorder sub=writeafterremoval claim=near
package tenantsteps

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/bug/tenantsteps/steps"
)

const finalizer = "saas.hearthstone.cloud/tenant"

type Tenant struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Plan string
	}
	Status struct {
		RealmID  string
		SchemaID string
	}
}

func (t *Tenant) DeepCopyObject() runtime.Object {
	c := *t
	c.ObjectMeta = *t.ObjectMeta.DeepCopy()
	return &c
}

type Identity interface {
	CreateRealm(ctx context.Context, name string) (string, error)
	DeleteRealm(ctx context.Context, id string) error
}

type Schemas interface {
	CreateSchema(ctx context.Context, name, plan string) (string, error)
	DropSchema(ctx context.Context, id string) error
}

type Reconciler struct {
	client   client.Client
	identity Identity
	schemas  Schemas

	teardown []steps.Step[*Tenant]
}

func New(c client.Client, identity Identity, schemas Schemas) *Reconciler {
	r := &Reconciler{client: c, identity: identity, schemas: schemas}
	r.teardown = []steps.Step[*Tenant]{
		{Name: "schema", Run: r.dropSchema},
		{Name: "finalizer", Run: r.releaseTenant},
		{Name: "realm", Run: r.deleteRealm}, // added with single sign-on
	}
	return r
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	t := &Tenant{}
	if err := r.client.Get(ctx, req.NamespacedName, t); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !t.DeletionTimestamp.IsZero() {
		if !controllerutil.ContainsFinalizer(t, finalizer) {
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, steps.RunAll(ctx, t, r.teardown)
	}
	if controllerutil.AddFinalizer(t, finalizer) {
		if err := r.client.Update(ctx, t); err != nil {
			return ctrl.Result{}, err
		}
	}
	if t.Status.SchemaID == "" {
		id, err := r.schemas.CreateSchema(ctx, t.Name, t.Spec.Plan)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("schema: %w", err)
		}
		t.Status.SchemaID = id
		if err := r.client.Status().Update(ctx, t); err != nil {
			return ctrl.Result{}, err
		}
	}
	if t.Status.RealmID == "" {
		id, err := r.identity.CreateRealm(ctx, t.Name)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("realm: %w", err)
		}
		t.Status.RealmID = id
		return ctrl.Result{}, r.client.Status().Update(ctx, t)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) dropSchema(ctx context.Context, t *Tenant) error {
	if t.Status.SchemaID == "" {
		return nil
	}
	return r.schemas.DropSchema(ctx, t.Status.SchemaID)
}

func (r *Reconciler) releaseTenant(ctx context.Context, t *Tenant) error {
	if !controllerutil.RemoveFinalizer(t, finalizer) {
		return nil
	}
	return r.client.Update(ctx, t)
}

func (r *Reconciler) deleteRealm(ctx context.Context, t *Tenant) error {
	if t.Status.RealmID == "" {
		return nil
	}
	return r.identity.DeleteRealm(ctx, t.Status.RealmID)
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Tenant{}).Complete(r)
}
