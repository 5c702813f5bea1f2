// Package private has informers that nothing but their handlers is given the objects of.
package private

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// marker writes an annotation to what it is given.
type marker struct{ client kubernetes.Interface }

func (m *marker) mark(claim *corev1.PersistentVolumeClaim) error {
	_, err := m.client.CoreV1().PersistentVolumeClaims(claim.Namespace).Update(context.TODO(), claim, metav1.UpdateOptions{})
	return err
}

// aloneWithIt is the only one that hears of the informer's objects.
func (m *marker) aloneWithIt(ctx context.Context, lw *cache.ListWatch) bool {
	handlers := cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			claim := obj.(*corev1.PersistentVolumeClaim)
			claim.Annotations["example.com/marked"] = "yes"
			_ = m.mark(claim)
		},
	}
	informer := cache.NewSharedIndexInformer(lw, &corev1.PersistentVolumeClaim{}, 0, cache.Indexers{})
	_, _ = informer.AddEventHandler(handlers)
	go informer.Run(ctx.Done())
	return cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
}

// withItsStore gives others the objects.
func (m *marker) withItsStore(ctx context.Context, lw *cache.ListWatch) cache.Store {
	handlers := cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			claim := obj.(*corev1.PersistentVolumeClaim)
			claim.Annotations["example.com/marked"] = "yes" // want param "this writes an entry of Annotations of the PersistentVolumeClaim that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
			_ = m.mark(claim)
		},
	}
	informer := cache.NewSharedIndexInformer(lw, &corev1.PersistentVolumeClaim{}, 0, cache.Indexers{})
	_, _ = informer.AddEventHandler(handlers)
	go informer.Run(ctx.Done())
	return informer.GetStore()
}

// besidesAnother shares the objects with another handler.
func (m *marker) besidesAnother(ctx context.Context, lw *cache.ListWatch) {
	informer := cache.NewSharedIndexInformer(lw, &corev1.PersistentVolumeClaim{}, 0, cache.Indexers{})
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			obj.(*corev1.PersistentVolumeClaim).Annotations["example.com/marked"] = "yes" // want param "this writes an entry of Annotations of the PersistentVolumeClaim that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
		},
	})
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { println(obj.(*corev1.PersistentVolumeClaim).Annotations["example.com/marked"]) },
	})
	informer.Run(ctx.Done())
}

// ofAnother leaves the informer to whoever else has it.
func (m *marker) ofAnother(informer cache.SharedIndexInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			obj.(*corev1.PersistentVolumeClaim).Annotations["example.com/marked"] = "yes" // want param "this writes an entry of Annotations of the PersistentVolumeClaim that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
		},
	})
}

// handedOn gives the informer to another function.
func (m *marker) handedOn(lw *cache.ListWatch) {
	informer := cache.NewSharedInformer(lw, &corev1.PersistentVolumeClaim{}, 0)
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			obj.(*corev1.PersistentVolumeClaim).Annotations["example.com/marked"] = "yes" // want param "this writes an entry of Annotations of the PersistentVolumeClaim that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
		},
	})
	keepsIt(informer)
}

func keepsIt(informer cache.SharedInformer) { kept = append(kept, informer) }

var kept []cache.SharedInformer
