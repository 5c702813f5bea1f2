package constant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func templates(q queue) []cache.ResourceEventHandler {
	return []cache.ResourceEventHandler{
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(newObj, oldObj any) { // that name may change // want swapped "this handler has its parameters the wrong way round: the informer hands over the old object first, which is named newObj here"
				if newObj.(*corev1.PodTemplate).Template.Name == "drain" {
					q.Add("drain")
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(newObj, oldObj any) { // ok: that one does not
				if newObj.(*corev1.PodTemplate).Name == "drain" {
					q.Add("drain")
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(newObj, oldObj any) { // ok: nor this one
				if newObj.(*corev1.PodTemplate).GetNamespace() == "drain" {
					q.Add("drain")
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(newObj, oldObj any) { // the names of others may // want swapped "this handler has its parameters the wrong way round: the informer hands over the old object first, which is named newObj here"
				if newObj.(*corev1.Endpoints).Subsets[0].Addresses[0].TargetRef.Name == "drain" {
					q.Add("drain")
				}
			},
		},
	}
}
