// The event filter asks for the generation or labels of the StatefulSet as well, whose readiness is in its status: the cluster never becomes Ready and no broker is ever rebalanced.
//
//adv:rule=eventfilter sub=status claim=yes
package brokercluster

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/bug/brokercluster/readiness"
)

type BrokerCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BrokerClusterSpec   `json:"spec"`
	Status BrokerClusterStatus `json:"status,omitempty"`
}

type BrokerClusterSpec struct {
	Brokers int32  `json:"brokers"`
	Image   string `json:"image"`
}

type BrokerClusterStatus struct {
	Phase      string `json:"phase,omitempty"`
	Rebalanced int32  `json:"rebalanced,omitempty"`
}

func (b *BrokerCluster) DeepCopyObject() runtime.Object {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Rebalancer moves partitions.
type Rebalancer interface {
	Rebalance(ctx context.Context, bootstrap string, brokers int32) error
}

// Reconciler runs clusters of brokers.
type Reconciler struct {
	client.Client
	Scheme     *runtime.Scheme
	Rebalancer Rebalancer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cluster BrokerCluster
	if err := r.Get(ctx, req.NamespacedName, &cluster); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	set, err := r.ensureSet(ctx, &cluster)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("ensuring stateful set: %w", err)
	}

	status := cluster.Status
	if !readiness.RolledOut(set) {
		status.Phase = "RollingOut"
		return ctrl.Result{}, r.writeStatus(ctx, &cluster, status)
	}
	if status.Rebalanced != cluster.Spec.Brokers {
		bootstrap := fmt.Sprintf("%s-0.%s.%s.svc:9092", cluster.Name, cluster.Name, cluster.Namespace)
		if err := r.Rebalancer.Rebalance(ctx, bootstrap, cluster.Spec.Brokers); err != nil {
			return ctrl.Result{}, fmt.Errorf("rebalancing: %w", err)
		}
		status.Rebalanced = cluster.Spec.Brokers
	}
	status.Phase = "Ready"
	return ctrl.Result{}, r.writeStatus(ctx, &cluster, status)
}

func (r *Reconciler) ensureSet(ctx context.Context, cluster *BrokerCluster) (*appsv1.StatefulSet, error) {
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: cluster.Name, Namespace: cluster.Namespace}}
	labels := map[string]string{"broker.mq.example.com/cluster": cluster.Name}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, set, func() error {
		set.Spec.Replicas = ptr.To(cluster.Spec.Brokers)
		set.Spec.ServiceName = cluster.Name
		set.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		set.Spec.Template.Labels = labels
		if len(set.Spec.Template.Spec.Containers) == 0 {
			set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "broker"}}
		}
		set.Spec.Template.Spec.Containers[0].Image = cluster.Spec.Image
		return controllerutil.SetControllerReference(cluster, set, r.Scheme)
	})
	if result != controllerutil.OperationResultNone {
		ctrl.LoggerFrom(ctx).Info("Stateful set reconciled", "result", result)
	}
	return set, err
}

func (r *Reconciler) writeStatus(ctx context.Context, cluster *BrokerCluster, status BrokerClusterStatus) error {
	if cluster.Status == status {
		return nil
	}
	cluster.Status = status
	return r.Status().Update(ctx, cluster)
}

// SetupWithManager registers the controller. Our own writes of the status must not wake us.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&BrokerCluster{}).
		Owns(&appsv1.StatefulSet{}).
		WithEventFilter(predicate.Or(
			predicate.GenerationChangedPredicate{},
			predicate.LabelChangedPredicate{},
		)).
		Complete(r)
}
