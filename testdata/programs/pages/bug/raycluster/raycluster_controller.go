// When the cluster is gone its expectations are dropped under the key of the object that Get did not fill, which is empty, so those of the real key stay in the store.
//
//adv:rule=expectttl sub=neverdeleted claim=yes

package raycluster

import (
	"context"
	"fmt"
	"time"

	"example.com/pages/bug/raycluster/scale"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// InferenceCluster is a head with a number of workers.
type InferenceCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Workers  int                `json:"workers"`
		Template corev1.PodTemplate `json:"template"`
	} `json:"spec"`
	Status struct {
		Ready int `json:"ready"`
	} `json:"status"`
}

func (c *InferenceCluster) DeepCopyObject() runtime.Object {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	out.Spec.Template = *c.Spec.Template.DeepCopy()
	return &out
}

type ClusterReconciler struct {
	client.Client
	Log logr.Logger

	expectations *scale.Expectations
}

func NewReconciler(mgr ctrl.Manager) *ClusterReconciler {
	return &ClusterReconciler{
		Client:       mgr.GetClient(),
		Log:          mgr.GetLogger().WithName("inferencecluster"),
		expectations: scale.New(mgr.GetClient()),
	}
}

func (r *ClusterReconciler) SetupWithManager(mgr ctrl.Manager, concurrency int) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&InferenceCluster{}).
		Owns(&corev1.Pod{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: concurrency}).
		Complete(r)
}

func (r *ClusterReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var err error
	instance := &InferenceCluster{}
	if err = r.Get(ctx, request.NamespacedName, instance); err == nil {
		return r.reconcileCluster(ctx, instance)
	}
	if apierrors.IsNotFound(err) {
		r.Log.Info("cluster is gone", "cluster", request.NamespacedName)
		// Whoever makes it anew begins from scratch.
		r.expectations.Delete(client.ObjectKeyFromObject(instance))
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, fmt.Errorf("reading cluster: %w", err)
}

func (r *ClusterReconciler) reconcileCluster(ctx context.Context, c *InferenceCluster) (ctrl.Result, error) {
	if !c.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	key := types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
	if !r.expectations.IsSatisfied(ctx, key) {
		return ctrl.Result{RequeueAfter: 2 * time.Second}, nil
	}
	workers := &corev1.PodList{}
	if err := r.List(ctx, workers, client.InNamespace(c.Namespace), client.MatchingLabels{"inference/cluster": c.Name}); err != nil {
		return ctrl.Result{}, err
	}
	for i := len(workers.Items); i < c.Spec.Workers; i++ {
		if err := r.addWorker(ctx, c, key, i); err != nil {
			return ctrl.Result{}, fmt.Errorf("worker %d: %w", i, err)
		}
	}
	if c.Status.Ready != len(workers.Items) {
		c.Status.Ready = len(workers.Items)
		if err := r.Status().Update(ctx, c); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ClusterReconciler) addWorker(ctx context.Context, c *InferenceCluster, key types.NamespacedName, i int) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: c.Namespace,
			Name:      fmt.Sprintf("%s-worker-%d-%s", c.Name, i, utilrand.String(4)),
			Labels:    map[string]string{"inference/cluster": c.Name},
		},
		Spec: *c.Spec.Template.Template.Spec.DeepCopy(),
	}
	if err := ctrl.SetControllerReference(c, pod, r.Scheme()); err != nil {
		return err
	}
	r.expectations.ExpectCreated(key, client.ObjectKeyFromObject(pod))
	if err := r.Create(ctx, pod); err != nil {
		r.expectations.LowerCreated(key, client.ObjectKeyFromObject(pod))
		return err
	}
	return nil
}
