// The pods are listed without a copy, but only fields of the listed structs themselves are set, and the maps are replaced by clones before they are written to.
//
//adv:rule=cachemutation sub=disabled claim=no

package hugelist

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	maxNames       = 50
	summaryName    = "pod-summary"
	redactedMarker = "redacted"
)

var secretAnnotations = []string{"vault.acme.io/token", "iam.acme.io/key"}

// SummaryReconciler writes a summary of the pods of each namespace, for people without access to them.
type SummaryReconciler struct {
	client.Client
}

type line struct {
	Name        string            `json:"name"`
	Node        string            `json:"node"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

func (r *SummaryReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ns.Labels["summary.acme.io/enabled"] != "true" || !ns.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(ns.Name), client.UnsafeDisableDeepCopy); err != nil {
		return ctrl.Result{}, fmt.Errorf("listing pods: %w", err)
	}
	slices.SortFunc(pods.Items, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	total := len(pods.Items)
	pods.Items = pods.Items[:min(total, maxNames)]

	lines := make([]line, 0, len(pods.Items))
	for i := range pods.Items {
		pod := &pods.Items[i]
		pod.ManagedFields = nil
		if pod.Spec.NodeName == "" {
			pod.Spec.NodeName = "(none)"
		}
		if pod.Annotations != nil {
			pod.Annotations = maps.Clone(pod.Annotations)
			for _, secret := range secretAnnotations {
				if _, ok := pod.Annotations[secret]; ok {
					pod.Annotations[secret] = redactedMarker
				}
			}
			delete(pod.Annotations, corev1.LastAppliedConfigAnnotation)
		}
		lines = append(lines, line{Name: pod.Name, Node: pod.Spec.NodeName, Annotations: pod.Annotations})
	}
	body, err := json.MarshalIndent(lines, "", "  ")
	if err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: summaryName}}
	result, err := ctrl.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"total": fmt.Sprint(total), "pods.json": string(body)}
		return nil
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("writing summary: %w", err)
	}
	ctrl.LoggerFrom(ctx).V(1).Info("summary", "pods", total, "result", result)
	return ctrl.Result{RequeueAfter: 15 * time.Minute}, nil
}

// SetupWithManager registers the reconciler.
func (r *SummaryReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("pod-summary").
		For(&corev1.Namespace{}).
		Complete(r)
}
