// The pool waits for status.ready of the unstructured infrastructure object, and the generation predicate on that watch drops the update that sets it.
//
//adv:rule=eventfilter sub=status claim=near
package machinepool

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

var infraGVK = schema.GroupVersionKind{Group: "infrastructure.acme.io", Version: "v1beta1", Kind: "ScaleSet"}

// MachinePool is a group of machines that a cloud scales.
type MachinePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MachinePoolSpec   `json:"spec"`
	Status MachinePoolStatus `json:"status,omitempty"`
}

// MachinePoolSpec is the wish.
type MachinePoolSpec struct {
	ClusterName string                      `json:"clusterName"`
	Replicas    *int32                      `json:"replicas,omitempty"`
	InfraRef    corev1.LocalObjectReference `json:"infrastructureRef"`
}

// MachinePoolStatus is what is known.
type MachinePoolStatus struct {
	InfrastructureReady bool     `json:"infrastructureReady"`
	ProviderIDs         []string `json:"providerIDs,omitempty"`
	BootstrapConfigMap  string   `json:"bootstrapConfigMap,omitempty"`
}

// DeepCopy copies.
func (in *MachinePool) DeepCopy() *MachinePool {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.Replicas != nil {
		n := *in.Spec.Replicas
		out.Spec.Replicas = &n
	}
	out.Status.ProviderIDs = append([]string(nil), in.Status.ProviderIDs...)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *MachinePool) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// MachinePoolReconciler reconciles a MachinePool.
type MachinePoolReconciler struct {
	Client client.Client
}

// Reconcile follows the infrastructure object and writes the bootstrap data when it is ready.
func (r *MachinePoolReconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, reterr error) {
	mp := &MachinePool{}
	if err := r.Client.Get(ctx, req.NamespacedName, mp); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !mp.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	patch := client.MergeFrom(mp.DeepCopy())
	defer func() {
		if err := r.Client.Status().Patch(ctx, mp, patch); err != nil && reterr == nil {
			reterr = fmt.Errorf("failed to patch MachinePool: %w", err)
		}
	}()

	infra := &unstructured.Unstructured{}
	infra.SetGroupVersionKind(infraGVK)
	if err := r.Client.Get(ctx, client.ObjectKey{Namespace: mp.Namespace, Name: mp.Spec.InfraRef.Name}, infra); err != nil {
		return ctrl.Result{}, fmt.Errorf("failed to retrieve infrastructure of %s: %w", klog.KObj(mp), err)
	}
	ready, found, err := unstructured.NestedBool(infra.Object, "status", "ready")
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("failed to read status.ready of %s: %w", infra.GetName(), err)
	}
	mp.Status.InfrastructureReady = found && ready
	if !mp.Status.InfrastructureReady {
		klog.FromContext(ctx).V(2).Info("Infrastructure provider is not ready yet")
		return ctrl.Result{}, nil
	}

	ids, _, err := unstructured.NestedStringSlice(infra.Object, "status", "instances")
	if err != nil {
		return ctrl.Result{}, err
	}
	mp.Status.ProviderIDs = ids

	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: mp.Namespace,
		Name:      mp.Name + "-bootstrap",
		Labels:    map[string]string{"cluster": mp.Spec.ClusterName},
	}, Data: map[string]string{"join": fmt.Sprintf("--instances=%d", len(ids))}}
	if err := r.Client.Create(ctx, cm); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	mp.Status.BootstrapConfigMap = cm.Name
	return ctrl.Result{}, nil
}

func (r *MachinePoolReconciler) poolsOfInfra(ctx context.Context, o client.Object) (reqs []ctrl.Request) {
	pools := &MachinePoolList{}
	if err := r.Client.List(ctx, pools, client.InNamespace(o.GetNamespace())); err != nil {
		klog.FromContext(ctx).Error(err, "failed to list MachinePools")
		return nil
	}
	for i := range pools.Items {
		if pools.Items[i].Spec.InfraRef.Name == o.GetName() {
			reqs = append(reqs, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&pools.Items[i])})
		}
	}
	return reqs
}

// SetupWithManager sets the controller up.
func (r *MachinePoolReconciler) SetupWithManager(mgr ctrl.Manager) error {
	infra := &unstructured.Unstructured{}
	infra.SetGroupVersionKind(infraGVK)
	return ctrl.NewControllerManagedBy(mgr).
		For(&MachinePool{}).
		Watches(infra, handler.EnqueueRequestsFromMapFunc(r.poolsOfInfra),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// MachinePoolList is a list.
type MachinePoolList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachinePool `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (in *MachinePoolList) DeepCopyObject() runtime.Object {
	out := &MachinePoolList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopy())
	}
	return out
}
