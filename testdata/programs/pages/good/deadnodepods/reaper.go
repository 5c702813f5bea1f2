// The pods of a dead node are deleted first, and only those that are still there behind that, and are being deleted, lose their finalizers, by a patch that is bound to their version.
//
//adv:rule=finalizerorder sub=removedbeforedelete claim=no
package deadnodepods

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
)

// outOfService is the taint by which an operator says that a node never comes back.
const outOfService = corev1.TaintNodeOutOfService

// agentPrefix is that of the finalizers which the agents on each node take off its pods.
const agentPrefix = "agent.fleet.example/"

// Reaper clears nodes that are out of service for good.
type Reaper struct {
	Clients kubernetes.Interface
	Period  time.Duration
}

// Run clears nodes until the context ends.
func (r *Reaper) Run(ctx context.Context) {
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if err := r.sweep(ctx); err != nil {
			klog.FromContext(ctx).Error(err, "Sweep failed, trying again after the period")
		}
	}, r.Period)
}

func (r *Reaper) sweep(ctx context.Context) error {
	nodes, err := r.Clients.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	var failed []error
	for i := range nodes.Items {
		if dead(&nodes.Items[i]) {
			failed = append(failed, r.clear(ctx, nodes.Items[i].Name))
		}
	}
	return errors.Join(failed...)
}

func dead(node *corev1.Node) bool {
	for _, taint := range node.Spec.Taints {
		if taint.Key == outOfService && taint.Effect == corev1.TaintEffectNoExecute {
			return true
		}
	}
	return false
}

func (r *Reaper) clear(ctx context.Context, node string) error {
	pods, err := r.Clients.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{
		FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String(),
	})
	if err != nil {
		return fmt.Errorf("listing pods of node %s: %w", node, err)
	}
	var failed []error
	for i := range pods.Items {
		if err := r.evict(ctx, &pods.Items[i]); err != nil {
			failed = append(failed, fmt.Errorf("evicting %s: %w", klog.KObj(&pods.Items[i]), err))
		}
	}
	return errors.Join(failed...)
}

// evict deletes a pod, and takes off it what would have been done by agents on its node.
func (r *Reaper) evict(ctx context.Context, pod *corev1.Pod) error {
	api := r.Clients.CoreV1().Pods(pod.Namespace)
	err := api.Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: ptr.To[int64](0),
		Preconditions:      metav1.NewUIDPreconditions(string(pod.UID)),
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // gone, or another one of the name
	}
	if err != nil {
		return err
	}

	left, err := api.Get(ctx, pod.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if left.UID != pod.UID || left.DeletionTimestamp == nil || len(left.Finalizers) == 0 {
		return nil
	}
	if slices.ContainsFunc(left.Finalizers, func(f string) bool { return !strings.HasPrefix(f, agentPrefix) }) {
		return nil // its owner is somewhere else, and sees to it
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"finalizers":      nil,
		"resourceVersion": left.ResourceVersion,
	}})
	if err != nil {
		return err
	}
	klog.FromContext(ctx).Info("Taking finalizers off pod of dead node", "pod", klog.KObj(left), "finalizers", left.Finalizers)
	if _, err := api.Patch(ctx, left.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}
