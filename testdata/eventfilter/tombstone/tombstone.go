// Package tombstone has handlers of deletions.
package tombstone

import (
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type controller struct {
	queue workqueue.TypedInterface[string]
	known map[string]bool
	all   chan any
}

func (c *controller) handlers() []cache.ResourceEventHandler {
	return []cache.ResourceEventHandler{
		cache.ResourceEventHandlerFuncs{
			AddFunc: func(obj any) { c.add(obj.(*corev1.Pod)) }, // ok: what is added is there
			DeleteFunc: func(obj any) {
				c.remove(obj.(*corev1.Pod)) // want tombstone "DeleteFunc (line 26) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @26 "DeleteFunc receives delete events here"
			},
		},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.deleted},
		cache.ResourceEventHandlerDetailedFuncs{DeleteFunc: c.enqueue},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.pointer},
		cache.ResourceEventHandlerFuncs{DeleteFunc: forget},
		&cache.ResourceEventHandlerFuncs{DeleteFunc: c.viaCallee},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.unwraps},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.switches},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.viaHelper},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.key},
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(any) {}}, // ok: nothing is done
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.publish},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.rebuild},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.tooLate},
		cache.ResourceEventHandlerFuncs{DeleteFunc: c.inTime},
		cache.FilteringResourceEventHandler{
			FilterFunc: func(obj any) bool {
				pod, ok := obj.(*corev1.Pod) // want tombstone "FilterFunc (line 45) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @45 "FilterFunc receives delete events here"
				return ok && pod.Spec.NodeName != ""
			},
			Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: c.unwraps},
		},
		cache.FilteringResourceEventHandler{
			FilterFunc: func(obj any) bool { // ok: the handler does not care for deletions
				pod, ok := obj.(*corev1.Pod)
				if !ok {
					return false
				}
				return pod.Spec.NodeName != ""
			},
			Handler: cache.ResourceEventHandlerFuncs{AddFunc: func(any) {}},
		},
		cache.FilteringResourceEventHandler{
			FilterFunc: func(obj any) bool {
				m, err := meta.Accessor(obj) // want tombstone "FilterFunc (line 62) ignores cache.DeletedFinalStateUnknown: meta.Accessor fails and the delete is lost; unwrap its Obj first" @62 "FilterFunc receives delete events here"
				return err == nil && m.GetNamespace() == "mine"
			},
			Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: c.unwraps},
		},
	}
}

func (c *controller) add(p *corev1.Pod)    { c.queue.Add(p.Name) }
func (c *controller) remove(p *corev1.Pod) { delete(c.known, p.Name) }

func (c *controller) deleted(obj any) {
	pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 30) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @30 "DeleteFunc receives delete events here"
	if !ok {
		log.Printf("not a pod: %v", obj)
		return
	}
	c.remove(pod)
}

func (c *controller) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // want tombstone "DeleteFunc (line 31) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @31 "DeleteFunc receives delete events here"
	if err != nil {
		return
	}
	c.queue.Add(key)
}

func (c *controller) pointer(obj any) {
	if gone, ok := obj.(*cache.DeletedFinalStateUnknown); ok { // want tombstone "DeleteFunc (line 32) ignores cache.DeletedFinalStateUnknown: the informer sends a value, not a pointer; assert the type without *" @32 "DeleteFunc receives delete events here"
		obj = gone.Obj
	}
	if pod, ok := obj.(*corev1.Pod); ok {
		c.remove(pod)
	}
}

func forget(obj any) {
	o := obj.(metav1.Object) // want tombstone "DeleteFunc (line 33) panics on cache.DeletedFinalStateUnknown: the type assertion to v1.Object fails; unwrap its Obj first" @33 "DeleteFunc receives delete events here"
	log.Print(o.GetName())
}

func (c *controller) viaCallee(obj any) {
	log.Print("deleted ", obj)
	c.named(obj)
}

func (c *controller) named(obj any) {
	pod := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 34) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @34 "DeleteFunc receives delete events here"
	c.queue.Add(pod.Name)
}

func (c *controller) unwraps(obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	c.remove(obj.(*corev1.Pod)) // ok: unwrapped before
}

func (c *controller) switches(obj any) {
	switch o := obj.(type) { // ok: has the case
	case *corev1.Pod:
		c.remove(o)
	case cache.DeletedFinalStateUnknown:
		if pod, ok := o.Obj.(*corev1.Pod); ok {
			c.remove(pod)
		}
	}
}

func (c *controller) viaHelper(obj any) {
	pod := podOf(obj) // ok: the helper unwraps
	if pod != nil {
		c.remove(pod)
	}
}

func podOf(obj any) *corev1.Pod {
	if pod, ok := obj.(*corev1.Pod); ok {
		return pod
	}
	gone, ok := obj.(cache.DeletedFinalStateUnknown)
	if !ok {
		return nil
	}
	pod, _ := gone.Obj.(*corev1.Pod)
	return pod
}

func (c *controller) key(obj any) {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj) // ok: this one knows tombstones
	if err != nil {
		return
	}
	c.queue.Add(key)
}

func (c *controller) publish(obj any) { c.all <- obj } // ok: somebody else looks at it

func (c *controller) rebuild(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok { // ok: does something about it
		clear(c.known)
		c.queue.Add("*")
		return
	}
	c.remove(pod)
}

func (c *controller) tooLate(obj any) {
	pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 42) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @42 "DeleteFunc receives delete events here"
	if pod == nil {
		return // a tombstone leaves here
	}
	if !ok {
		gone, ok := obj.(cache.DeletedFinalStateUnknown)
		if !ok {
			return
		}
		pod = gone.Obj.(*corev1.Pod)
	}
	c.remove(pod)
}

func (c *controller) inTime(obj any) {
	pod, ok := obj.(*corev1.Pod) // ok: a tombstone is looked for when this fails
	if !ok {
		gone, ok := obj.(cache.DeletedFinalStateUnknown)
		if !ok {
			log.Printf("neither a pod nor a tombstone: %v", obj)
			return
		}
		pod, ok = gone.Obj.(*corev1.Pod)
		if !ok {
			return
		}
	}
	c.remove(pod)
}

// Gone is registered by another package.
func (c *controller) Gone(obj any) {
	pod, ok := obj.(*corev1.Pod) // want tombstone "(*controller).Gone (line 204) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @204 "(*controller).Gone receives delete events here"
	if pod == nil {
		return
	}
	if !ok {
		gone, ok := obj.(cache.DeletedFinalStateUnknown)
		if !ok {
			return
		}
		pod, _ = gone.Obj.(*corev1.Pod)
	}
	c.remove(pod)
}

type listener struct{ seen int }

func (l *listener) OnAdd(obj any, _ bool) { l.seen++ }
func (l *listener) OnUpdate(_, obj any)   { l.seen++ }
func (l *listener) OnDelete(obj any) {
	if obj.(*corev1.Node).Name != "" { // want tombstone "(*listener).OnDelete (line 223) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails; unwrap its Obj first" @223 "(*listener).OnDelete receives delete events here"
		l.seen--
	}
}

type typed[T metav1.Object] struct{ drop func(T) }

func (t typed[T]) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) {
			t.drop(obj.(T)) // want tombstone "DeleteFunc (line 233) panics on cache.DeletedFinalStateUnknown: the type assertion to T fails; unwrap its Obj first" @233 "DeleteFunc receives delete events here"
		},
	}
}

type other struct{}

func (other) OnDelete(obj any) { forget(obj.(*corev1.Pod)) } // ok: not an informer's handler

var known = predicate.Funcs{
	DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
	},
}

type present struct{ predicate.Funcs }

func (present) Delete(e event.DeleteEvent) bool {
	if e.DeleteStateUnknown { // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
		return false
	}
	return e.Object.GetNamespace() != ""
}

var logged = predicate.Funcs{
	DeleteFunc: func(e event.DeleteEvent) bool { // ok: it only tells
		if e.DeleteStateUnknown {
			log.Print("the deletion was missed")
		}
		return true
	},
}

func (c *controller) chain() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{DeleteFunc: c.first}
}

// However long the way is, the object comes to the last one as it was.
func (c *controller) first(obj any)  { c.second(obj) }
func (c *controller) second(obj any) { c.third(obj) }
func (c *controller) third(obj any)  { c.fourth(obj) }
func (c *controller) fourth(obj any) { c.fifth(obj) }
func (c *controller) fifth(obj any)  { c.sixth(obj) }
func (c *controller) sixth(obj any) {
	c.known[obj.(*corev1.Pod).Name] = false // want tombstone "DeleteFunc (line 268) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @268 "DeleteFunc receives delete events here"
}

func (c *controller) keyed() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) {},
		DeleteFunc: c.keyedAndAsserted,
	}
}

// With the other key function, the assertion would panic.
func (c *controller) keyedAndAsserted(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // want tombstone "DeleteFunc (line 284) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @284 "DeleteFunc receives delete events here"
	if err != nil {
		return
	}
	c.queue.Add(key)
	c.remove(obj.(*corev1.Pod))
}

func (c *controller) keyedBelow() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) {
			if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil { // want tombstone "DeleteFunc (line 300) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @300 "DeleteFunc receives delete events here"
				c.queue.Add(key)
				c.named(obj)
			}
		},
	}
}
