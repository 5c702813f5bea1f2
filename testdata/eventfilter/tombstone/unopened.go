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
	cm, ok := obj.(*corev1.ConfigMap) // want tombstone "DeleteFunc (line 37) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.ConfigMap is made on the tombstone itself and fails; assert its Obj" @37 "DeleteFunc receives delete events here"
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
