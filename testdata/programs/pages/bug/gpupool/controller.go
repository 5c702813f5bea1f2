// The disruption budget has its cases for creations and updates and none for deletions, so that one which somebody deletes is not made again and a drain takes all training nodes at once.
//
//adv:rule=eventfilter sub=cases claim=yes
package gpupool

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// GPUPool is a set of nodes with a driver on them.
type GPUPool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		NodeSelector  map[string]string `json:"nodeSelector"`
		DriverVersion string            `json:"driverVersion"`
	} `json:"spec"`
	Status struct {
		Ready int32 `json:"ready"`
	} `json:"status,omitempty"`
}

func (p *GPUPool) DeepCopyObject() runtime.Object {
	out := *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.NodeSelector = make(map[string]string, len(p.Spec.NodeSelector))
	for k, v := range p.Spec.NodeSelector {
		out.Spec.NodeSelector[k] = v
	}
	return &out
}

// PoolReconciler installs the driver.
type PoolReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PoolReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pool := &GPUPool{}
	if err := r.Get(ctx, req.NamespacedName, pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta := metav1.ObjectMeta{Name: "gpu-driver-" + pool.Name, Namespace: pool.Namespace}

	account := &corev1.ServiceAccount{ObjectMeta: meta}
	driver := &appsv1.DaemonSet{ObjectMeta: meta}
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: meta}
	err := errors.Join(
		r.part(ctx, pool, account, func() { account.AutomountServiceAccountToken = ptr.To(true) }),
		r.part(ctx, pool, driver, func() { r.driver(pool, driver) }),
		r.part(ctx, pool, budget, func() {
			budget.Spec.MaxUnavailable = ptr.To(intstr.FromInt32(1))
			budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{poolLabel: pool.Name}}
		}),
	)
	if err != nil {
		return ctrl.Result{}, err
	}
	if pool.Status.Ready != driver.Status.NumberReady {
		pool.Status.Ready = driver.Status.NumberReady
		return ctrl.Result{}, r.Status().Update(ctx, pool)
	}
	return ctrl.Result{}, nil
}

func (r *PoolReconciler) part(ctx context.Context, pool *GPUPool, obj client.Object, shape func()) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, obj, func() error {
		labels := obj.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels[poolLabel] = pool.Name
		obj.SetLabels(labels)
		shape()
		return controllerutil.SetControllerReference(pool, obj, r.Scheme)
	})
	if err != nil {
		return fmt.Errorf("applying %T %s: %w", obj, obj.GetName(), err)
	}
	return nil
}

func (r *PoolReconciler) driver(pool *GPUPool, set *appsv1.DaemonSet) {
	labels := map[string]string{poolLabel: pool.Name}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	set.Spec.Template.Labels = labels
	spec := &set.Spec.Template.Spec
	spec.NodeSelector, spec.ServiceAccountName = pool.Spec.NodeSelector, set.Name
	if len(spec.Containers) == 0 {
		spec.Containers = []corev1.Container{{Name: "driver"}}
	}
	spec.Containers[0].Image = "registry.hpc.example/driver:" + pool.Spec.DriverVersion
}

// SetupWithManager registers the controller.
func (r *PoolReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&GPUPool{}).
		Owns(&appsv1.DaemonSet{}).
		Owns(&corev1.ServiceAccount{}).
		Owns(&policyv1.PodDisruptionBudget{}).
		WithEventFilter(poolParts{}).
		Complete(r)
}
