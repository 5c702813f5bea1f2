// Package built has handlers that make something of the object for their log, and filters that functions make.
package built

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type teller struct{ told map[string]int }

// built makes what it logs of the object first.
func built(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // ok: all comes to the log
		if pod == nil || !ok {
			return
		}
		key := client.ObjectKeyFromObject(pod)
		if klog.V(4).Enabled() {
			klog.Info(key.String(), toJSON(pod))
		}
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 34) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @34 "DeleteFunc receives delete events here"
		if !ok {
			return
		}
		klog.Info(t.tell(pod))
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 41) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @41 "DeleteFunc receives delete events here"
		if !ok {
			return
		}
		klog.Info(count(pod))
	}})
}

func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}

func (t *teller) tell(pod *corev1.Pod) int {
	t.told[pod.Name]++
	return t.told[pod.Name]
}

var counted int

func count(pod *corev1.Pod) int {
	counted += len(pod.Name)
	return counted
}

// kept makes a filter that says no to tombstones.
func kept(name string) func(any) bool {
	return func(obj any) bool {
		object, ok := obj.(client.Object)
		if !ok {
			return false
		}
		return object.GetName() == name
	}
}

func both(name string) func(any) bool {
	return func(obj any) bool { return kept(name)(obj) && kept("all")(obj) } // want tombstone "FilterFunc (line 88) ignores cache.DeletedFinalStateUnknown: the function returned by kept returns false for it and the delete is lost; unwrap its Obj first" @88 "FilterFunc receives delete events here"
}

// behindMade has a handler behind a filter that says no to tombstones: it is the filter that is told.
func behindMade(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: both("a"),
		Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok {
				t.tell(pod)
			}
		}},
	})
}

var _ = []any{built, behindMade}

// isPod lets pods through, and tombstones with one.
var isPod func(any) bool = func(obj any) bool {
	switch t := obj.(type) {
	case *corev1.Pod:
		return true
	case cache.DeletedFinalStateUnknown:
		_, ok := t.Obj.(*corev1.Pod)
		return ok
	}
	return false
}

func isTombstone(obj any) bool {
	_, ok := obj.(cache.DeletedFinalStateUnknown)
	return ok
}

// takesTombstones does what there is to do for them.
func (t *teller) takesTombstones(obj any) bool {
	d, ok := obj.(cache.DeletedFinalStateUnknown)
	if !ok {
		return false
	}
	pod, ok := d.Obj.(*corev1.Pod)
	if !ok {
		return false
	}
	t.told[pod.Name]++
	return true
}

// inNamespace asserts what it has asked for, and not what it has then.
func inNamespace(ns string) func(any) bool {
	return func(obj any) bool {
		if !isPod(obj) {
			return false
		}
		return obj.(*corev1.Pod).Namespace == ns // want tombstone "FilterFunc (line 143) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @143 "FilterFunc receives delete events here"
	}
}

// asked has handlers that ask first what they are given.
func asked(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: inNamespace("a"),
		Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			t.told[obj.(*corev1.Pod).Name]++ // ok: the filter panics before
		}},
	})
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: isPod,
		Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			t.told[obj.(*corev1.Pod).Name]++ // want tombstone "DeleteFunc (line 150) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @150 "DeleteFunc receives delete events here"
		}},
	})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if isTombstone(obj) {
			return
		}
		t.told[obj.(*corev1.Pod).Name]++ // ok: no tombstone comes here
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if t.takesTombstones(obj) {
			return
		}
		t.told[obj.(*corev1.Pod).Name]++ // ok
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if !isTombstone(obj) {
			return
		}
		t.told[obj.(*corev1.Pod).Name]++ // want tombstone "DeleteFunc (line 166) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @166 "DeleteFunc receives delete events here"
	}})
}

var _ = asked

func wanted(obj any) bool {
	secret, ok := obj.(*corev1.Secret) // ok: the sync of one that is gone does nothing
	return ok && secret.Type == corev1.SecretTypeDockercfg
}

func wantedByOther(obj any) bool {
	secret, ok := obj.(*corev1.Secret) // want tombstone "FilterFunc (line 233) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Secret fails and the delete is lost; unwrap its Obj first" @233 "FilterFunc receives delete events here"
	return ok && secret.Type == corev1.SecretTypeDockercfg
}

// idle does nothing about what is gone.
type idle struct {
	queue   workqueue.TypedRateLimitingInterface[string]
	secrets corelisters.SecretLister
}

func (c *idle) register(inf cache.SharedIndexInformer) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: wanted,
		Handler: cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(_, obj any) {
				if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
			DeleteFunc: func(obj any) {
				if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
		},
	})
}

func (c *idle) sync(key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	secret, err := c.secrets.Secrets(ns).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return use(secret)
}

// busy makes what is gone again.
type busy struct {
	queue   workqueue.TypedRateLimitingInterface[string]
	secrets corelisters.SecretLister
}

func (c *busy) register(inf cache.SharedIndexInformer) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: wantedByOther,
		Handler: cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj any) {
				if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
		},
	})
}

func (c *busy) sync(key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	if _, err := c.secrets.Secrets(ns).Get(name); apierrors.IsNotFound(err) {
		return again(ns, name)
	}
	return nil
}

func use(*corev1.Secret) error    { return nil }
func again(ns, name string) error { return nil }

var _ = []any{(*idle).register, (*idle).sync, (*busy).register, (*busy).sync}

// unheeded does not ask whether the object is what it is taken for.
func unheeded(inf cache.SharedIndexInformer, t *teller, gone func(*corev1.Pod)) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, _ := obj.(*corev1.Pod)
		t.told[pod.Name]++ // want tombstone "DeleteFunc (line 262) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod yields nil, which is dereferenced here; unwrap its Obj first" @262 "DeleteFunc receives delete events here"
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		u, _ := obj.(*unstructured.Unstructured)
		t.told[u.GetName()]++ // want tombstone "DeleteFunc (line 266) panics on cache.DeletedFinalStateUnknown: the type assertion to *unstructured.Unstructured yields nil, which is dereferenced here; unwrap its Obj first" @266 "DeleteFunc receives delete events here"
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, _ := obj.(*corev1.Pod)
		gone(pod) // ok: it may ask
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if d, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = d.Obj
		}
		pod, _ := obj.(*corev1.Pod) // ok: it was taken out
		t.told[pod.Name]++
	}})
}

var _ = unheeded

// first panics before it comes to what drops the tombstone.
func first(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if _, ok := obj.(*corev1.Pod); !ok {
			u, _ := obj.(*unstructured.Unstructured)
			t.told[u.GetName()]++ // want tombstone "DeleteFunc (line 287) panics on cache.DeletedFinalStateUnknown: the type assertion to *unstructured.Unstructured yields nil, which is dereferenced here; unwrap its Obj first" @287 "DeleteFunc receives delete events here"
		}
		t.drop(obj)
	}})
}

func (t *teller) drop(obj any) {
	if pod, ok := obj.(*corev1.Pod); ok {
		t.told[pod.Name]++
	}
}

var _ = first

// labelled makes filters for whoever registers them.
func labelled(key string) func(obj any) bool {
	return func(obj any) bool {
		if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = last
		}
		m, ok := obj.(metav1.Object) // want tombstone "this filter function (line 306) panics on cache.DeletedFinalStateUnknown: the type assertion to v1.Object is made on the tombstone itself and fails; assert its Obj" @306 "this filter function receives delete events here"
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
	pod, ok := obj.(*corev1.Pod) // want tombstone "placed (line 320) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod is made on the tombstone itself and fails; assert its Obj" @320 "placed receives delete events here"
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

type keeper struct {
	informer cache.SharedIndexInformer
	queue    chan runtime.Object
	node     string
}

// pointers has the handler behind a filter that lets no tombstone through: the filter is told, and not the method behind it.
func (k *keeper) pointers() error {
	_, err := k.informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			pod, ok := obj.(*corev1.Pod) // want tombstone "FilterFunc (line 390) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @390 "FilterFunc receives delete events here"
			if !ok {
				return false
			}
			return pod.Spec.NodeName == k.node
		},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: k.add, DeleteFunc: k.OnDelete},
	})
	return err
}

// OnAdd hands an object on.
func (k *keeper) OnAdd(obj any, _ bool) { k.add(obj) }

func (k *keeper) add(obj any) {
	if o, ok := obj.(runtime.Object); ok {
		k.queue <- o
	}
}

// OnUpdate does so with the new one.
func (k *keeper) OnUpdate(_, obj any) { k.add(obj) }

// OnDelete does so, too.
func (k *keeper) OnDelete(obj any) { k.add(obj) }
