// Package kinded has reconcilers of kinds as Knative calls them.
package kinded

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/klog/v2"

	"example.com/operators/eventfilter/kinded/knative.dev/pkg/controller"
)

// services is called for services that there are.
type services struct{}

func (s *services) ReconcileKind(_ context.Context, svc *corev1.Service) error { return nil }

func newServices(informer coreinformers.ServiceInformer, namespaces coreinformers.NamespaceInformer) *controller.Impl {
	impl := controller.New("services")
	_, _ = informer.Informer().AddEventHandler(controller.HandleAll(func(obj any) {
		if svc, ok := obj.(*corev1.Service); ok { // ok: for one that is gone nothing is called
			ns, err := namespaces.Lister().Get(svc.Namespace)
			if err != nil {
				klog.ErrorS(err, "no namespace")
			} else if ns.Labels["class"] == "ours" {
				impl.Enqueue(obj)
			}
		}
	}))
	_, _ = namespaces.Informer().AddEventHandler(controller.HandleAll(func(obj any) {
		if ns, ok := obj.(*corev1.Namespace); ok { // want tombstone "the function passed to HandleAll (line 32) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Namespace fails and the delete is lost; unwrap its Obj first" @32 "the function passed to HandleAll receives delete events here"
			all, err := informer.Lister().Services(ns.Name).List(nil)
			if err != nil {
				return
			}
			for _, svc := range all {
				impl.Enqueue(svc)
			}
		}
	}))
	return impl
}

// pods is told of those that are gone.
type pods struct {
	addresses map[types.NamespacedName]string
}

func (p *pods) ReconcileKind(_ context.Context, pod *corev1.Pod) error { return nil }

func (p *pods) ObserveDeletion(_ context.Context, key types.NamespacedName) error {
	delete(p.addresses, key)
	return nil
}

func newPods(informer coreinformers.PodInformer) *controller.Impl {
	impl := controller.New("pods")
	_, _ = informer.Informer().AddEventHandler(controller.HandleAll(func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok && pod.Spec.HostNetwork { // want tombstone "the function passed to HandleAll (line 60) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @60 "the function passed to HandleAll receives delete events here"
			impl.Enqueue(obj)
		}
	}))
	return impl
}
