// The step that waits for the StatefulSet of a database turns in a loop of its own that takes no notice of the context, of a deadline or of the object being gone, so one broken image holds the only worker for good.
//
//adv:rule=unboundedsync sub=neverstops claim=near

package dbready

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type request struct {
	key types.NamespacedName
	db  *Database
}

type step struct {
	name string
	run  func(context.Context, *request) error
}

// DatabaseReconciler brings up what a Database asks for.
type DatabaseReconciler struct {
	client client.Client
	steps  []step
}

var _ reconcile.Reconciler = (*DatabaseReconciler)(nil)

// NewDatabaseReconciler makes the reconciler with its steps in order.
func NewDatabaseReconciler(c client.Client) *DatabaseReconciler {
	r := &DatabaseReconciler{client: c}
	r.steps = []step{
		{"service", r.ensureService},
		{"statefulset", r.ensureStatefulSet},
		{"ready", r.waitReady},
		{"endpoint", r.publishEndpoint},
	}
	return r
}

func (r *DatabaseReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	db := &Database{}
	if err := r.client.Get(ctx, req.NamespacedName, db); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if db.Spec.Paused || !db.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, nil
	}
	state := &request{key: req.NamespacedName, db: db}
	for _, s := range r.steps {
		if err := s.run(ctx, state); err != nil {
			return reconcile.Result{}, fmt.Errorf("step %s: %w", s.name, err)
		}
	}
	return reconcile.Result{}, nil
}

func (r *DatabaseReconciler) ensureService(ctx context.Context, req *request) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: req.key.Namespace, Name: req.key.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, svc, func() error {
		svc.Spec.ClusterIP = corev1.ClusterIPNone
		svc.Spec.Selector = map[string]string{"db": req.key.Name}
		return controllerutil.SetControllerReference(req.db, svc, r.client.Scheme())
	})
	return err
}

func (r *DatabaseReconciler) ensureStatefulSet(ctx context.Context, req *request) error {
	sts := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: req.key.Namespace, Name: req.key.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, sts, func() error {
		labels := map[string]string{"db": req.key.Name}
		if sts.CreationTimestamp.IsZero() {
			sts.Spec.ServiceName = req.key.Name
			sts.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		}
		sts.Spec.Template.Labels = labels
		sts.Spec.Template.Spec.Containers = []corev1.Container{{Name: "db", Image: req.db.Spec.Image}}
		return controllerutil.SetControllerReference(req.db, sts, r.client.Scheme())
	})
	return err
}

// waitReady comes back when the database takes connections.
func (r *DatabaseReconciler) waitReady(ctx context.Context, req *request) error {
	logger := log.FromContext(ctx).WithValues("database", req.key)
	for {
		sts := &appsv1.StatefulSet{}
		if err := r.client.Get(ctx, req.key, sts); err != nil {
			logger.Error(err, "cannot read the StatefulSet, will look again")
		} else if sts.Status.ObservedGeneration >= sts.Generation && sts.Status.ReadyReplicas > 0 {
			return nil
		}
		logger.V(1).Info("database is not ready yet")
		time.Sleep(5 * time.Second)
	}
}

func (r *DatabaseReconciler) publishEndpoint(ctx context.Context, req *request) error {
	endpoint := fmt.Sprintf("%s.%s.svc:5432", req.key.Name, req.key.Namespace)
	meta.SetStatusCondition(&req.db.Status.Conditions, metav1.Condition{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "AcceptsConnections",
		ObservedGeneration: req.db.Generation,
	})
	req.db.Status.Endpoint = endpoint
	if err := r.client.Status().Update(ctx, req.db); err != nil {
		return fmt.Errorf("publishing %s: %w", endpoint, err)
	}
	return nil
}
