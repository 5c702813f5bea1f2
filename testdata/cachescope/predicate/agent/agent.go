// Package agent runs on each node, and acts on the Pods of its node only.
package agent

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type agent struct {
	client.Client
	NodeName string
}

// Setup adds the controllers of a node.
func Setup(mgr ctrl.Manager, node string) error {
	a := &agent{Client: mgr.GetClient(), NodeName: node}
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.Pod{}, "spec.nodeName", byNode); err != nil {
		return err
	}
	if err := a.setup(mgr); err != nil {
		return err
	}
	return a.setupSecond(mgr)
}

func (a *agent) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Node{}).
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(onNode(a.NodeName))). // want predicate "every watch and read of v1 Pod wants spec.nodeName = agent.NodeName, but the cache holds every Pod of the cluster; restrict it by ByObject" @44 "this watch wants the same" @79 "this read wants the same" @main.go:13 "the manager is made here"
		Complete(a)
}

// setupSecond says the same by a function of its own.
func (a *agent) setupSecond(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("second").
		For(&corev1.Pod{}, builder.WithPredicates(predicate.And(predicate.ResourceVersionChangedPredicate{}, predicate.NewPredicateFuncs(a.isHere)))).
		Complete(a)
}

func (a *agent) isHere(obj client.Object) bool {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return true // no watch gets there
	}
	return a.here(pod) && pod.Status.Phase == corev1.PodRunning
}

func (a *agent) here(pod *corev1.Pod) bool {
	if pod.Spec.NodeName != a.NodeName {
		return false
	}
	return !pod.Spec.HostNetwork
}

func onNode(name string) predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			pod, ok := e.Object.(*corev1.Pod)
			return ok && pod.Spec.NodeName == name
		},
		UpdateFunc: func(e event.UpdateEvent) bool {
			pod, ok := e.ObjectNew.(*corev1.Pod)
			return ok && pod.Spec.NodeName == name && pod.Status.Phase == corev1.PodRunning
		},
		DeleteFunc: func(event.DeleteEvent) bool { return false },
	}
}

func (a *agent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pods corev1.PodList
	return ctrl.Result{}, a.List(ctx, &pods, client.InNamespace(req.Namespace), client.MatchingFields{"spec.nodeName": a.NodeName})
}

func byNode(obj client.Object) []string { return []string{obj.(*corev1.Pod).Spec.NodeName} }
