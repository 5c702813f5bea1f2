// WithEventFilter passes new generations only, but the Deployments come through WatchesRawSource, which that filter does not apply to, so their status wakes the reconciler.
//
//adv:rule=eventfilter sub=status claim=no
package warehouse

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Warehouse stores things.
type Warehouse struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Image string `json:"image"`
		Nodes int32  `json:"nodes"`
	} `json:"spec"`
	Status struct {
		Conditions []metav1.Condition `json:"conditions,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (w *Warehouse) DeepCopyObject() runtime.Object {
	out := *w
	w.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append([]metav1.Condition(nil), w.Status.Conditions...)
	return &out
}

type state int

const (
	rolling state = iota
	available
	stuck
)

// Controller runs warehouses.
type Controller struct {
	cl client.Client
}

// Reconcile runs one warehouse.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	w := &Warehouse{}
	if err := c.cl.Get(ctx, req.NamespacedName, w); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "warehouse-" + w.Name}}
	if _, err := controllerutil.CreateOrUpdate(ctx, c.cl, d, func() error { return c.shape(w, d) }); err != nil {
		return reconcile.Result{}, fmt.Errorf("deployment of %s: %w", w.Name, err)
	}

	cond := metav1.Condition{Type: "Ready", ObservedGeneration: w.Generation}
	switch observe(d) {
	case available:
		cond.Status, cond.Reason = metav1.ConditionTrue, "Available"
	case stuck:
		cond.Status, cond.Reason = metav1.ConditionFalse, "ProgressDeadlineExceeded"
	default:
		cond.Status, cond.Reason = metav1.ConditionFalse, "Progressing"
	}
	if !meta.SetStatusCondition(&w.Status.Conditions, cond) {
		return reconcile.Result{}, nil
	}
	log.FromContext(ctx).Info("warehouse changed", "ready", cond.Status, "reason", cond.Reason)
	return reconcile.Result{}, c.cl.Status().Update(ctx, w)
}

func (c *Controller) shape(w *Warehouse, d *appsv1.Deployment) error {
	labels := map[string]string{"warehouse": w.Name}
	d.Spec.Replicas = &w.Spec.Nodes
	if d.CreationTimestamp.IsZero() {
		d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		d.Spec.Template.Labels = labels
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "store"}}
	}
	d.Spec.Template.Spec.Containers[0].Image = w.Spec.Image
	return controllerutil.SetControllerReference(w, d, c.cl.Scheme())
}

func observe(d *appsv1.Deployment) state {
	if d.Status.ObservedGeneration < d.Generation {
		return rolling
	}
	for _, c := range d.Status.Conditions {
		if c.Type == appsv1.DeploymentProgressing && c.Reason == "ProgressDeadlineExceeded" {
			return stuck
		}
	}
	if d.Status.UpdatedReplicas == d.Status.Replicas && d.Status.AvailableReplicas >= d.Status.Replicas {
		return available
	}
	return rolling
}

// Setup adds the controller to the manager.
func Setup(mgr ctrl.Manager) error {
	deployments := source.Kind(mgr.GetCache(), &appsv1.Deployment{},
		handler.TypedEnqueueRequestForOwner[*appsv1.Deployment](mgr.GetScheme(), mgr.GetRESTMapper(), &Warehouse{}, handler.OnlyControllerOwner()))
	return ctrl.NewControllerManagedBy(mgr).
		For(&Warehouse{}).
		WatchesRawSource(deployments).
		WithEventFilter(predicate.GenerationChangedPredicate{}).
		Complete(&Controller{cl: mgr.GetClient()})
}
