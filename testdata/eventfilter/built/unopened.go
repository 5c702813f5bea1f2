package built

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// labelled makes filters for whoever registers them.
func labelled(key string) func(obj any) bool {
	return func(obj any) bool {
		if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = last
		}
		m, ok := obj.(metav1.Object) // want tombstone "this filter (line 12) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and it is asserted to be v1.Object itself, and not the object in its Obj" @12 "this filter is called for deletions here"
		if !ok {
			klog.Errorf("no object: %T", obj)
		}
		_, has := m.GetLabels()[key]
		return has
	}
}

// placed is for whoever registers it, too.
func placed(obj any) bool {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = last
	}
	pod, ok := obj.(*corev1.Pod) // want tombstone "placed (line 26) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and it is asserted to be *v1.Pod itself, and not the object in its Obj" @26 "placed is called for deletions here"
	return ok && pod.Spec.NodeName != ""
}

// notOf takes what is in it.
func notOf(obj any) bool {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = last.Obj
	}
	m, ok := obj.(metav1.Object) // ok: what is in it
	return ok && m.GetNamespace() != metav1.NamespaceSystem
}

// orGone lets each tombstone through.
func orGone(obj any) bool {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = last
	}
	m, ok := obj.(metav1.Object) // ok: it says yes to a tombstone
	if !ok {
		return true
	}
	return m.GetNamespace() != metav1.NamespaceSystem
}

// orLater looks into it in the end.
func orLater(obj any) bool {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		klog.Info("gone")
		obj = last
	}
	switch o := obj.(type) {
	case *corev1.Pod: // ok: the next case is for the tombstone
		return o.Spec.NodeName != ""
	case cache.DeletedFinalStateUnknown:
		pod, ok := o.Obj.(*corev1.Pod)
		return ok && pod.Spec.NodeName != ""
	}
	return false
}

// noneGone has nobody behind it who hears of deletions.
func noneGone(inf cache.SharedIndexInformer, t *teller) {
	_, _ = inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = last
			}
			m, ok := obj.(metav1.Object) // ok: nobody misses it
			return ok && m.GetName() != ""
		},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: t.drop},
	})
}

var _ = []any{labelled, placed, notOf, orGone, orLater, noneGone}
