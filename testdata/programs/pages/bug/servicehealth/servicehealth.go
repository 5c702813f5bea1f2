// relevant takes a shallow copy of the PodStatus and filters its conditions in place (conds[:0]), so the predicate overwrites the conditions of the pods in the cache.
//
//adv:rule=eventfilter sub=mutates claim=near
package servicehealth

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const summaryAnnotation = "health.acme.io/summary"

// Summarizer writes a summary of the pods onto their services.
type Summarizer struct {
	client.Client
}

// Reconcile sums up one service.
func (s *Summarizer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := s.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(svc.Spec.Selector) == 0 {
		return ctrl.Result{}, nil
	}
	pods := &corev1.PodList{}
	if err := s.List(ctx, pods, client.InNamespace(svc.Namespace), client.MatchingLabels(svc.Spec.Selector)); err != nil {
		return ctrl.Result{}, fmt.Errorf("list pods of %s: %w", req, err)
	}
	total, ready := 0, 0
	var bad []string
	for i := range pods.Items {
		total++
		if isReady(&pods.Items[i]) {
			ready++
		} else {
			bad = append(bad, pods.Items[i].Name)
		}
	}
	text := fmt.Sprintf("%d/%d", ready, total)
	if len(bad) > 0 {
		text += " not ready: " + strings.Join(bad, ",")
	}
	if svc.Annotations[summaryAnnotation] == text {
		return ctrl.Result{}, nil
	}
	patch := client.MergeFrom(svc.DeepCopy())
	if svc.Annotations == nil {
		svc.Annotations = map[string]string{}
	}
	svc.Annotations[summaryAnnotation] = text
	return ctrl.Result{}, s.Patch(ctx, svc, patch)
}

func isReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// relevant is the status without what changes all the time.
func relevant(pod *corev1.Pod) corev1.PodStatus {
	status := pod.Status // a copy, the pod is not ours
	status.ContainerStatuses, status.InitContainerStatuses = nil, nil
	status.Message = ""

	kept := status.Conditions[:0]
	for _, c := range status.Conditions {
		if c.Type != corev1.PodReady && c.Type != corev1.PodScheduled {
			continue
		}
		c.LastProbeTime.Reset()
		kept = append(kept, c)
	}
	status.Conditions = kept
	return status
}

func (s *Summarizer) servicesOf(ctx context.Context, o client.Object) []ctrl.Request {
	all := &corev1.ServiceList{}
	if err := s.List(ctx, all, client.InNamespace(o.GetNamespace())); err != nil {
		return nil
	}
	var reqs []ctrl.Request
	for _, svc := range all.Items {
		if len(svc.Spec.Selector) > 0 && labels.SelectorFromSet(svc.Spec.Selector).Matches(labels.Set(o.GetLabels())) {
			reqs = append(reqs, ctrl.Request{NamespacedName: types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name}})
		}
	}
	return reqs
}

// SetupWithManager sets the controller up.
func (s *Summarizer) SetupWithManager(mgr ctrl.Manager) error {
	podChanged := predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			a, b := e.ObjectOld.(*corev1.Pod), e.ObjectNew.(*corev1.Pod)
			return !reflect.DeepEqual(a.Labels, b.Labels) || !reflect.DeepEqual(relevant(a), relevant(b))
		},
		GenericFunc: func(event.GenericEvent) bool { return false },
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Service{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(s.servicesOf), builder.WithPredicates(podChanged)).
		Complete(s)
}
