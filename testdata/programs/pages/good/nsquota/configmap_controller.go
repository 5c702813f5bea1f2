// The finalizers of a ConfigMap are changed by JSON patches that test what is
// there and touch one element alone, so those of others stay.
//
//adv:rule=finalizerorder sub=dropped claim=no
package nsquota

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	quotaLabel     = "quota.civicgrid.org/tenant"
	quotaFinalizer = "quota.civicgrid.org/billing"
)

// Billing may be told all things twice.
type Billing interface {
	OpenTenant(ctx context.Context, tenant string) error
	CloseTenant(ctx context.Context, tenant string) error
}

type op struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

type QuotaReconciler struct {
	client  client.Reader
	kube    kubernetes.Interface
	billing Billing
}

func Setup(mgr ctrl.Manager, billing Billing) error {
	kube, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	ours := predicate.NewPredicateFuncs(func(obj client.Object) bool {
		return obj.GetLabels()[quotaLabel] != "" || slices.Contains(obj.GetFinalizers(), quotaFinalizer)
	})
	return ctrl.NewControllerManagedBy(mgr).
		Named("quota").
		For(&corev1.ConfigMap{}).
		WithEventFilter(ours).
		Complete(&QuotaReconciler{client: mgr.GetClient(), kube: kube, billing: billing})
}

func (r *QuotaReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.client.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	tenant := string(cm.UID)
	at := slices.Index(cm.Finalizers, quotaFinalizer)

	if cm.DeletionTimestamp != nil {
		if at < 0 {
			return ctrl.Result{}, nil
		}
		if err := r.billing.CloseTenant(ctx, tenant); err != nil {
			return ctrl.Result{}, fmt.Errorf("closing tenant: %w", err)
		}
		path := fmt.Sprintf("/metadata/finalizers/%d", at)
		err := r.patch(ctx, &cm,
			op{Op: "test", Path: path, Value: quotaFinalizer},
			op{Op: "remove", Path: path})
		if apierrors.IsNotFound(err) {
			err = nil
		}
		return ctrl.Result{}, err
	}

	if at < 0 {
		if err := r.patch(ctx, &cm, guard(&cm)...); err != nil {
			return ctrl.Result{}, fmt.Errorf("guarding: %w", err)
		}
	}
	return ctrl.Result{}, r.billing.OpenTenant(ctx, tenant)
}

// guard adds the finalizer to the version of the object that was read.
func guard(cm *corev1.ConfigMap) []op {
	same := op{Op: "test", Path: "/metadata/resourceVersion", Value: cm.ResourceVersion}
	if len(cm.Finalizers) == 0 {
		return []op{same, {Op: "add", Path: "/metadata/finalizers", Value: []string{quotaFinalizer}}}
	}
	return []op{same, {Op: "add", Path: "/metadata/finalizers/-", Value: quotaFinalizer}}
}

func (r *QuotaReconciler) patch(ctx context.Context, cm *corev1.ConfigMap, ops ...op) error {
	body, err := json.Marshal(ops)
	if err != nil {
		return err
	}
	_, err = r.kube.CoreV1().ConfigMaps(cm.Namespace).Patch(ctx, cm.Name, types.JSONPatchType, body, metav1.PatchOptions{})
	return err
}
