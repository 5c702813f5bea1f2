// Package forgets has handlers of deletions that forget their objects, by what nobody or somebody asks for again.
package forgets

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/operators/eventfilter/forgets/kept"
)

var versions = kept.New()

// clients are kept by the UID.
type clients struct {
	all    sync.Map
	mu     sync.Mutex
	counts map[types.UID]int
	names  map[string]int
	owners map[types.UID]int
	total  map[types.UID]int
	shown  sync.Map
	stops  map[types.UID]func()
}

func (c *clients) watch(pods cache.SharedIndexInformer) {
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok { // ok: a pod of that name has another UID
				c.all.Delete(pod.GetUID())
				klog.InfoS("forgotten", "pod", pod.GetName())
			}
		},
	})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.uncount})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // ok: so says the package of the map
			versions.Delete(pod)
		}
	}})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // by its name // want tombstone "DeleteFunc (line 44) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @44 "DeleteFunc receives delete events here"
			delete(c.names, pod.Name)
		}
	}})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // of another one // want tombstone "DeleteFunc (line 49) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @49 "DeleteFunc receives delete events here"
			delete(c.owners, pod.OwnerReferences[0].UID)
		}
	}})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // sum counts it // want tombstone "DeleteFunc (line 54) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @54 "DeleteFunc receives delete events here"
			delete(c.total, pod.UID)
		}
	}})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // show shows it // want tombstone "DeleteFunc (line 59) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @59 "DeleteFunc receives delete events here"
			c.shown.Delete(pod.UID)
		}
	}})
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // what is kept for it runs on // want tombstone "DeleteFunc (line 64) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @64 "DeleteFunc receives delete events here"
			c.stops[pod.UID]()
			delete(c.stops, pod.UID)
		}
	}})
}

func (c *clients) uncount(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok { // ok: what was counted of it is not asked for
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(pod)
}

func (c *clients) drop(pod *corev1.Pod) {
	delete(c.counts, pod.UID)
	sync.NewCond(&c.mu).Broadcast()
}

func (c *clients) sum() (n int) {
	for _, more := range c.total {
		n += more
	}
	return n
}

func (c *clients) show() {
	c.shown.Range(func(key, _ any) bool {
		klog.InfoS("kept", "pod", key)
		return true
	})
}

func (c *clients) count(pod *corev1.Pod) int {
	c.counts[pod.UID]++
	c.names[pod.Name]++
	return c.counts[pod.UID]
}
