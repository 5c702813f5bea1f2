// Package watch has handlers that write to what they hear of, and send it.
package watch

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

type watcher struct {
	client  kubernetes.Interface
	pending chan *corev1.ServiceAccount
}

// claims is the only one in the program that sees claims: the server has what it writes to them.
func (w *watcher) claims(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().PersistentVolumeClaims().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			claim := obj.(*corev1.PersistentVolumeClaim)
			if claim.Status.Phase == "" {
				claim.Status.Phase = corev1.ClaimPending
			}
			if _, err := w.client.CoreV1().PersistentVolumeClaims(claim.Namespace).Update(context.TODO(), claim, metav1.UpdateOptions{}); err != nil {
				klog.Errorf("%v: %v", claim, err)
			}
		},
		UpdateFunc: w.changed,
	})
}

func (w *watcher) changed(old, cur any) {
	before, ok := old.(*corev1.PersistentVolumeClaim)
	if !ok {
		return
	}
	after, ok := cur.(*corev1.PersistentVolumeClaim)
	if ok && before.Status.Phase != after.Status.Phase {
		klog.Info(after.Name)
	}
}

// volumes keeps one change to itself.
func (w *watcher) volumes(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().PersistentVolumes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			volume := obj.(*corev1.PersistentVolume)
			volume.Spec.StorageClassName = "plain" // want param "this writes StorageClassName of the PersistentVolume that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 56 fails; change a DeepCopy"
			if volume.Spec.ClaimRef == nil {
				return
			}
			_, _ = w.client.CoreV1().PersistentVolumes().Update(context.TODO(), volume, metav1.UpdateOptions{})
		},
	})
}

// services are asked for by another package.
func (w *watcher) services(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			service := obj.(*corev1.Service)
			service.Spec.SessionAffinity = corev1.ServiceAffinityNone // want param "this writes SessionAffinity of the Service that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 67 fails; change a DeepCopy"
			_, _ = w.client.CoreV1().Services(service.Namespace).Update(context.TODO(), service, metav1.UpdateOptions{})
		},
	})
}

// nodes are heard of by two.
func (w *watcher) nodes(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			node := obj.(*corev1.Node)
			node.Spec.Unschedulable = true // want param "this writes Unschedulable of the Node that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 78 fails; change a DeepCopy"
			_, _ = w.client.CoreV1().Nodes().Update(context.TODO(), node, metav1.UpdateOptions{})
		},
	})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, cur any) { klog.Info(cur.(*corev1.Node).Spec.Unschedulable) },
	})
}

// accounts hands on what it hears of.
func (w *watcher) accounts(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().ServiceAccounts().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			account := obj.(*corev1.ServiceAccount)
			account.Secrets = nil // want param "this writes Secrets of the ServiceAccount that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 92 fails; change a DeepCopy"
			_, _ = w.client.CoreV1().ServiceAccounts(account.Namespace).Update(context.TODO(), account, metav1.UpdateOptions{})
		},
		UpdateFunc: func(_, cur any) { w.queue(cur.(*corev1.ServiceAccount)) },
	})
}

func (w *watcher) queue(account *corev1.ServiceAccount) { w.pending <- account }
