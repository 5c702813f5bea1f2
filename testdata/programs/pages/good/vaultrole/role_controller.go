// A finalizer of a former version is replaced by the new one, but only on roles
// that live; a deleted role loses both behind its cleanup and returns there.
//
//adv:rule=finalizerorder sub=addedwhiledeleting claim=no
package vaultrole

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	roleFinalizer = "secrets.cairnvault.io/role"
	// formerFinalizer was put on roles before v0.9.
	formerFinalizer = "role.finalizers.cairnvault"
)

type VaultRole struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Policies []string
	}
}

func (v *VaultRole) DeepCopyObject() runtime.Object {
	out := *v
	out.ObjectMeta = *v.ObjectMeta.DeepCopy()
	out.Spec.Policies = append([]string(nil), v.Spec.Policies...)
	return &out
}

// Backend is Vault; it deletes a role that is not there without an error.
type Backend interface {
	WriteRole(ctx context.Context, name string, policies []string) error
	DeleteRole(ctx context.Context, name string) error
}

// base has what all reconcilers of this operator need.
type base struct {
	client.Client
	Log logr.Logger
}

func (b *base) save(ctx context.Context, obj client.Object, what string) error {
	if err := b.Update(ctx, obj); err != nil {
		return fmt.Errorf("%s of %s: %w", what, client.ObjectKeyFromObject(obj), err)
	}
	b.Log.V(1).Info("saved", "what", what, "name", obj.GetName())
	return nil
}

type VaultRoleReconciler struct {
	base
	Backend Backend
}

func NewVaultRoleReconciler(c client.Client, l logr.Logger, b Backend) *VaultRoleReconciler {
	return &VaultRoleReconciler{base: base{Client: c, Log: l}, Backend: b}
}

func (r *VaultRoleReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	role := &VaultRole{}
	if err := r.Get(ctx, req.NamespacedName, role); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if done, err := r.finalize(ctx, role); done || err != nil {
		return ctrl.Result{}, err
	}
	if err := r.guard(ctx, role); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Backend.WriteRole(ctx, vaultName(role), role.Spec.Policies)
}

// guard puts the finalizer on and takes the former one off, in one write.
func (r *VaultRoleReconciler) guard(ctx context.Context, role *VaultRole) error {
	added := controllerutil.AddFinalizer(role, roleFinalizer)
	removed := controllerutil.RemoveFinalizer(role, formerFinalizer)
	if !added && !removed {
		return nil
	}
	return r.save(ctx, role, "finalizers")
}

// finalize says true for each role that is being deleted.
func (r *VaultRoleReconciler) finalize(ctx context.Context, role *VaultRole) (bool, error) {
	if role.GetDeletionTimestamp().IsZero() {
		return false, nil
	}
	guarded := controllerutil.ContainsFinalizer(role, roleFinalizer) ||
		controllerutil.ContainsFinalizer(role, formerFinalizer)
	if !guarded {
		return true, nil
	}
	if err := r.Backend.DeleteRole(ctx, vaultName(role)); err != nil {
		return true, fmt.Errorf("deleting role: %w", err)
	}
	controllerutil.RemoveFinalizer(role, roleFinalizer)
	controllerutil.RemoveFinalizer(role, formerFinalizer)
	return true, r.save(ctx, role, "release")
}

func vaultName(role *VaultRole) string { return role.Namespace + "." + role.Name }

func (r *VaultRoleReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&VaultRole{}).Complete(r)
}
