// The StatefulSet gets a plain owner reference (SetOwnerReference), and Owns wakes only the controller among the owners, so no event of the StatefulSet ever queues its CacheCluster.
//
//adv:rule=eventfilter sub=constant claim=yes
package cachecluster

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// CacheCluster is a cluster of caches.
type CacheCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CacheClusterSpec   `json:"spec"`
	Status            CacheClusterStatus `json:"status,omitempty"`
}

// CacheClusterSpec is the wish.
type CacheClusterSpec struct {
	Size          int32 `json:"size"`
	MemoryMB      int   `json:"memoryMB"`
	ContainerPort int32 `json:"containerPort,omitempty"`
}

// CacheClusterStatus is what is known.
type CacheClusterStatus struct {
	ReadyMembers int32              `json:"readyMembers"`
	Conditions   []metav1.Condition `json:"conditions,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *CacheCluster) DeepCopyObject() runtime.Object {
	out := &CacheCluster{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: in.Status}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append([]metav1.Condition(nil), in.Status.Conditions...)
	return out
}

const typeAvailable = "Available"

// CacheClusterReconciler reconciles a CacheCluster object
type CacheClusterReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=cache.acme.io,resources=cacheclusters,verbs=get;list;watch;update
// +kubebuilder:rbac:groups=apps,resources=statefulsets,verbs=get;list;watch;create;update;patch

// Reconcile is part of the main kubernetes reconciliation loop.
func (r *CacheClusterReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	cluster := &CacheCluster{}
	if err := r.Get(ctx, req.NamespacedName, cluster); err != nil {
		if errors.IsNotFound(err) {
			logger.Info("cluster resource not found, ignoring since object must be deleted")
			return ctrl.Result{}, nil
		}
		logger.Error(err, "failed to get cluster")
		return ctrl.Result{}, err
	}

	found := &appsv1.StatefulSet{}
	err := r.Get(ctx, req.NamespacedName, found)
	if errors.IsNotFound(err) {
		sts, err := r.statefulSetFor(cluster)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("define statefulset: %w", err)
		}
		if err := r.Create(ctx, sts); err != nil {
			return ctrl.Result{}, fmt.Errorf("create statefulset: %w", err)
		}
		found = sts
	} else if err != nil {
		return ctrl.Result{}, err
	}
	if found.Spec.Replicas == nil || *found.Spec.Replicas != cluster.Spec.Size {
		found.Spec.Replicas = &cluster.Spec.Size
		if err := r.Update(ctx, found); err != nil {
			return ctrl.Result{}, fmt.Errorf("scale statefulset: %w", err)
		}
	}

	cond := metav1.Condition{Type: typeAvailable, Status: metav1.ConditionFalse, Reason: "Scaling",
		Message: fmt.Sprintf("%d of %d members are ready", found.Status.ReadyReplicas, cluster.Spec.Size)}
	if found.Status.ReadyReplicas == cluster.Spec.Size {
		cond.Status, cond.Reason = metav1.ConditionTrue, "AllReady"
	}
	changed := meta.SetStatusCondition(&cluster.Status.Conditions, cond)
	if cluster.Status.ReadyMembers != found.Status.ReadyReplicas {
		cluster.Status.ReadyMembers = found.Status.ReadyReplicas
		changed = true
	}
	if !changed {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, cluster)
}

func (r *CacheClusterReconciler) statefulSetFor(cluster *CacheCluster) (*appsv1.StatefulSet, error) {
	ls := map[string]string{"app.kubernetes.io/name": "cache", "app.kubernetes.io/instance": cluster.Name}
	sts := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: cluster.Name, Namespace: cluster.Namespace, Labels: ls},
		Spec: appsv1.StatefulSetSpec{
			Replicas:    &cluster.Spec.Size,
			ServiceName: cluster.Name,
			Selector:    &metav1.LabelSelector{MatchLabels: ls},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: ls},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:  "memcached",
					Image: "memcached:1.6-alpine",
					Args:  []string{"memcached", fmt.Sprintf("-m=%d", cluster.Spec.MemoryMB), "modern"},
					Ports: []corev1.ContainerPort{{Name: "memcached", ContainerPort: cluster.Spec.ContainerPort}},
				}}},
			},
		},
	}
	if err := controllerutil.SetOwnerReference(cluster, sts, r.Scheme); err != nil {
		return nil, err
	}
	return sts, nil
}

// SetupWithManager sets up the controller with the Manager.
func (r *CacheClusterReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&CacheCluster{}).
		Owns(&appsv1.StatefulSet{}).
		Named("cachecluster").
		Complete(r)
}
