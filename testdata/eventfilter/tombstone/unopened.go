package tombstone

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// A porter keeps count of parcels.
type porter struct{ parcels chan string }

func (p *porter) gone(obj any) {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = last // the wrapping, and not what is in it
	}
	cm, ok := obj.(*corev1.ConfigMap) // want tombstone "DeleteFunc (line 37) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and it is asserted to be *v1.ConfigMap itself, and not the object in its Obj" @37 "DeleteFunc is called for deletions here"
	if !ok {
		klog.Errorf("no parcel: %T", obj)
		return
	}
	p.parcels <- cm.Name
}

func (p *porter) taken(obj any) {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = last.Obj
	}
	cm, ok := obj.(*corev1.ConfigMap) // ok: what was in it
	if !ok {
		klog.Errorf("no parcel: %T", obj)
		return
	}
	p.parcels <- cm.Name
}

func (p *porter) watch(informer cache.SharedIndexInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: p.gone})
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: p.taken})
}

var _ = (*porter).watch
