// The session to the server is opened before the deletion branch and needs the PostgresServer, which nothing keeps: with the server (or the namespace) deleted first, a grant never gets to where its finalizer goes.
//
//adv:rule=finalizerorder sub=unreachable claim=yes
package schemagrant

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/bug/schemagrant/pgconn"
	v1 "example.com/pages/bug/schemagrant/v1"
)

const finalizer = "postgres.dbaas.io/revoke-grant"

// SchemaGrantReconciler reconciles grants.
type SchemaGrantReconciler struct {
	client.Client
	Dial pgconn.Dialer
}

//+kubebuilder:rbac:groups=postgres.dbaas.io,resources=schemagrants,verbs=get;list;watch;update;patch
//+kubebuilder:rbac:groups=postgres.dbaas.io,resources=schemagrants/status,verbs=get;update;patch
//+kubebuilder:rbac:groups=postgres.dbaas.io,resources=postgresservers,verbs=get;list;watch

func (r *SchemaGrantReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)

	grant := &v1.SchemaGrant{}
	if err := r.Get(ctx, req.NamespacedName, grant); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	session, err := pgconn.ForGrant(ctx, r, r.Dial, grant)
	if err != nil {
		meta.SetStatusCondition(&grant.Status.Conditions, metav1.Condition{
			Type: "Ready", Status: metav1.ConditionFalse, Reason: "ServerUnavailable", Message: err.Error(),
		})
		if uerr := r.Status().Update(ctx, grant); uerr != nil {
			logger.Error(uerr, "Cannot write the status")
		}
		return ctrl.Result{}, err
	}
	defer session.Close()

	if !grant.DeletionTimestamp.IsZero() {
		return r.finalize(ctx, session, grant)
	}
	if controllerutil.AddFinalizer(grant, finalizer) {
		if err := r.Update(ctx, grant); err != nil {
			return ctrl.Result{}, fmt.Errorf("adding finalizer: %w", err)
		}
	}

	statement := fmt.Sprintf("GRANT %s ON ALL TABLES IN SCHEMA %q TO %q",
		strings.Join(grant.Spec.Privileges, ", "), grant.Spec.Schema, grant.Spec.Role)
	if err := session.Exec(ctx, statement); err != nil {
		return ctrl.Result{}, fmt.Errorf("granting: %w", err)
	}
	if meta.SetStatusCondition(&grant.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Granted", ObservedGeneration: grant.Generation,
	}) {
		return ctrl.Result{}, r.Status().Update(ctx, grant)
	}
	return ctrl.Result{}, nil
}

func (r *SchemaGrantReconciler) finalize(ctx context.Context, session pgconn.Session, grant *v1.SchemaGrant) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(grant, finalizer) {
		return ctrl.Result{}, nil
	}
	statement := fmt.Sprintf("REVOKE ALL ON ALL TABLES IN SCHEMA %q FROM %q", grant.Spec.Schema, grant.Spec.Role)
	if err := session.Exec(ctx, statement); err != nil {
		return ctrl.Result{}, fmt.Errorf("revoking: %w", err)
	}
	controllerutil.RemoveFinalizer(grant, finalizer)
	return ctrl.Result{}, r.Update(ctx, grant)
}

// SetupWithManager sets up the controller with the Manager.
func (r *SchemaGrantReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.SchemaGrant{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}
