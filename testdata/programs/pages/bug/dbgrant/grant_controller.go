// The grant's own finalizer is removed before its protection on the Database,
// so when the second update fails the Database keeps the protection for good.
//
//adv:rule=finalizerorder sub=writeafterremoval claim=yes
package dbgrant

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	grantFinalizer     = "sql.rowhouse.io/grant"
	grantHoldFinalizer = "sql.rowhouse.io/grant-"
)

type (
	Database struct {
		metav1.TypeMeta
		metav1.ObjectMeta
		Status struct{ DSN string }
	}
	Grant struct {
		metav1.TypeMeta
		metav1.ObjectMeta
		Spec struct {
			DatabaseName string
			Role         string
			Privileges   []string
		}
		Status struct{ Applied bool }
	}
)

func (d *Database) DeepCopyObject() runtime.Object {
	out := *d
	out.ObjectMeta = *d.ObjectMeta.DeepCopy()
	return &out
}

func (g *Grant) DeepCopyObject() runtime.Object {
	out := *g
	out.ObjectMeta = *g.ObjectMeta.DeepCopy()
	out.Spec.Privileges = append([]string(nil), g.Spec.Privileges...)
	return &out
}

type SQL interface {
	Grant(ctx context.Context, dsn, role string, privileges []string) error
	RevokeAll(ctx context.Context, dsn, role string) error
}

type GrantReconciler struct {
	client.Client
	SQL SQL
}

func (r *GrantReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	grant := &Grant{}
	if err := r.Get(ctx, req.NamespacedName, grant); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	db := &Database{}
	dbKey := types.NamespacedName{Namespace: grant.Namespace, Name: grant.Spec.DatabaseName}
	dbErr := r.Get(ctx, dbKey, db)
	if dbErr != nil && !apierrors.IsNotFound(dbErr) {
		return ctrl.Result{}, dbErr
	}

	if !grant.GetDeletionTimestamp().IsZero() {
		if !controllerutil.ContainsFinalizer(grant, grantFinalizer) {
			return ctrl.Result{}, nil
		}
		if dbErr == nil {
			if err := r.SQL.RevokeAll(ctx, db.Status.DSN, grant.Spec.Role); err != nil {
				return ctrl.Result{}, fmt.Errorf("revoking from %s: %w", grant.Spec.Role, err)
			}
		}
		controllerutil.RemoveFinalizer(grant, grantFinalizer)
		if err := r.Update(ctx, grant); err != nil {
			logger.Error(err, "error resource updating")
			return ctrl.Result{}, err
		}
		if dbErr == nil && controllerutil.RemoveFinalizer(db, grantHoldFinalizer+grant.Name) {
			if err := r.Update(ctx, db); err != nil {
				logger.Error(err, "error releasing database", "database", dbKey)
				return ctrl.Result{}, err
			}
		}
		return ctrl.Result{}, nil
	}

	if dbErr != nil {
		return ctrl.Result{}, fmt.Errorf("database of grant: %w", dbErr)
	}
	if controllerutil.AddFinalizer(grant, grantFinalizer) {
		if err := r.Update(ctx, grant); err != nil {
			return ctrl.Result{}, err
		}
	}
	if db.DeletionTimestamp.IsZero() && controllerutil.AddFinalizer(db, grantHoldFinalizer+grant.Name) {
		if err := r.Update(ctx, db); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.SQL.Grant(ctx, db.Status.DSN, grant.Spec.Role, grant.Spec.Privileges); err != nil {
		return ctrl.Result{}, err
	}
	grant.Status.Applied = true
	return ctrl.Result{}, r.Status().Update(ctx, grant)
}

func (r *GrantReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Grant{}).Complete(r)
}
