// The predicate compares the spec, and lets the update that marks the tenant for deletion through besides; the deletion itself is dropped, since the finalizer has seen to all before.
//
//adv:rule=eventfilter sub=deletion claim=no
package tenantspace

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/tenantspace/filters"
)

const directoryFinalizer = "tenancy.corp.example/directory-group"

// Tenant is a team with a namespace and a group in the directory.
type Tenant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TenantSpec `json:"spec"`
}

type TenantSpec struct {
	Owner   string   `json:"owner"`
	Members []string `json:"members,omitempty"`
}

func (t *Tenant) DeepCopyObject() runtime.Object {
	out := *t
	t.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Members = append([]string(nil), t.Spec.Members...)
	return &out
}

// Directory is the LDAP of the company. DropGroup succeeds where there is no such group.
type Directory interface {
	PutGroup(ctx context.Context, name, owner string, members []string) error
	DropGroup(ctx context.Context, name string) error
}

// TenantReconciler reconciles tenants.
type TenantReconciler struct {
	client.Client
	Directory Directory
}

func (r *TenantReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	tenant := &Tenant{}
	if err := r.Get(ctx, req.NamespacedName, tenant); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if tenant.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, r.offboard(ctx, tenant)
	}
	if controllerutil.AddFinalizer(tenant, directoryFinalizer) {
		if err := r.Update(ctx, tenant); err != nil {
			return ctrl.Result{}, fmt.Errorf("adding finalizer: %w", err)
		}
	}
	if err := r.Directory.PutGroup(ctx, "k8s-"+tenant.Name, tenant.Spec.Owner, tenant.Spec.Members); err != nil {
		return ctrl.Result{}, fmt.Errorf("writing group: %w", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name:   "tenant-" + tenant.Name,
		Labels: map[string]string{"tenancy.corp.example/tenant": tenant.Name},
	}}
	if err := r.Create(ctx, namespace); err != nil && !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, fmt.Errorf("creating namespace: %w", err)
	}
	return ctrl.Result{}, nil
}

// offboard drops the group. The namespace stays: it is deleted by hand, when the team has fetched its data.
func (r *TenantReconciler) offboard(ctx context.Context, tenant *Tenant) error {
	if !controllerutil.ContainsFinalizer(tenant, directoryFinalizer) {
		return nil
	}
	if err := r.Directory.DropGroup(ctx, "k8s-"+tenant.Name); err != nil {
		return fmt.Errorf("dropping group: %w", err)
	}
	controllerutil.RemoveFinalizer(tenant, directoryFinalizer)
	if err := r.Update(ctx, tenant); err != nil {
		return fmt.Errorf("releasing tenant: %w", err)
	}
	log.FromContext(ctx).Info("Tenant has left", "owner", tenant.Spec.Owner)
	return nil
}

// SetupWithManager registers the controller.
func (r *TenantReconciler) SetupWithManager(mgr ctrl.Manager) error {
	plan := func(tenant *Tenant) TenantSpec { return tenant.Spec }
	return ctrl.NewControllerManagedBy(mgr).
		For(&Tenant{}, builder.WithPredicates(filters.SpecOrLeaving(plan))).
		Complete(r)
}
