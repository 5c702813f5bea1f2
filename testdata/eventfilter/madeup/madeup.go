// Package madeup has handlers of deletions whose loss others make up for, and some whose loss nobody does.
package madeup

import (
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"example.com/operators/eventfilter/madeup/desk"
)

type warden struct {
	queue    workqueue.TypedDelayingInterface[string]
	slow     workqueue.TypedDelayingInterface[string]
	pods     corelisters.PodLister
	services corelisters.ServiceLister
	lock     sync.Mutex
	size     int64
	key      string
	pool     []string
}

// poke queues one key, whatever the object: each other event does so, too.
func (w *warden) poke(secrets cache.SharedIndexInformer) {
	_, _ = secrets.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			s, ok := obj.(*corev1.Secret) // ok: the key is queued again
			return ok && s.Name == "ca"
		},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { w.queue.Add(w.key) },
			UpdateFunc: func(any, any) { w.queue.Add(w.key) },
			DeleteFunc: func(any) { w.queue.Add(w.key) },
		},
	})
}

// only queues the key for nothing but deletions.
func (w *warden) only(secrets cache.SharedIndexInformer) {
	_, _ = secrets.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			s, ok := obj.(*corev1.Secret) // want tombstone "FilterFunc (line 49) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Secret fails and the delete is lost; unwrap its Obj first" @49 "FilterFunc receives delete events here"
			return ok && s.Name == "ca"
		},
		Handler: cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(any) { w.queue.Add(w.key) },
		},
	})
}

// asked looks at the object to see whether it matters.
func (w *warden) asked(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { w.own(obj) },
		UpdateFunc: func(_, obj any) { w.own(obj) },
		DeleteFunc: func(obj any) { w.own(obj) },
	})
}

func (w *warden) own(obj any) {
	o, err := meta.Accessor(obj) // ok: the same key as for all others
	if err != nil {
		fmt.Println(err)
		return
	}
	if o.GetNamespace() == "garden" {
		w.queue.Add(w.key)
	}
}

// relists has all objects of an informer queued for each event.
func (w *warden) relists(d *desk.Desk, secrets, pods cache.SharedIndexInformer) {
	_, _ = secrets.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: desk.Named("ca"), // ok: the next event does the same
		Handler:    desk.All(func(any) { d.Relist(pods) }),
	})
	_, _ = secrets.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: desk.Named("cert"), // want tombstone "FilterFunc (line 86) ignores cache.DeletedFinalStateUnknown: in desk.Named, the type assertion to interface{GetName() string} fails and the delete is lost; unwrap its Obj first (and 1 more place)" @86 "FilterFunc receives delete events here" @90 "likewise here"
		Handler:    desk.Gone(func(any) { d.Relist(pods) }),
	})
	_, _ = secrets.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: desk.Named("bundle"),
		Handler:    desk.All(func(any) { w.recount() }),
	})
}

// recount keeps what it finds: nobody else does it again.
func (w *warden) recount() { w.pool = append(w.pool, w.key) }

// keeps keeps what the object says, for deletions as for updates.
func (w *warden) keeps(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(desk.All(func(obj any) { w.keep(obj) }))
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) { w.keep(obj) },
		DeleteFunc: func(obj any) { w.reset(obj) },
	})
}

func (w *warden) keep(obj any) {
	node, ok := obj.(*corev1.Node) // ok: the last update has told it
	if !ok {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	if node.Generation == 0 {
		w.size = 1
	} else {
		w.size = node.Generation
	}
}

func (w *warden) reset(obj any) {
	if _, ok := obj.(*corev1.Node); !ok { // want tombstone "DeleteFunc (line 103) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @103 "DeleteFunc receives delete events here"
		return
	}
	w.size = 0
}

// follow waits for the last word of an object, and does not ask whether it is there.
func follow(nodes cache.SharedIndexInformer) {
	updates := make(chan *corev1.Node)
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) {
			if node, ok := obj.(*corev1.Node); ok {
				updates <- node
			}
		},
		DeleteFunc: func(obj any) {
			if node, ok := obj.(*corev1.Node); ok { // ok: what it gets says nothing of a deletion
				updates <- node
			}
		},
	})
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-tick.C:
		case node, open := <-updates:
			if !open || node.Status.Phase == corev1.NodeTerminated {
				fmt.Printf("%s is %s\n", node.Name, node.Status.Phase)
				return
			}
		}
	}
}

// lookUp asks whether it is there.
func lookUp(nodes cache.SharedIndexInformer) error {
	updates := make(chan *corev1.Node)
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) {
			if node, ok := obj.(*corev1.Node); ok {
				updates <- node
			}
		},
		DeleteFunc: func(obj any) {
			if node, ok := obj.(*corev1.Node); ok { // want tombstone "DeleteFunc (line 165) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @165 "DeleteFunc receives delete events here"
				updates <- node
			}
		},
	})
	for node := range updates {
		if _, there, _ := nodes.GetStore().Get(node); !there {
			return errors.New("gone")
		}
	}
	return nil
}

// again looks at pods again after a time, whatever happens.
func (w *warden) again(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: w.ofNode,
	})
}

func (w *warden) ofNode(obj any) { w.toPod(obj) }

func (w *warden) toPod(obj any) {
	node, ok := obj.(*corev1.Node) // ok: the pod is looked at again after a time
	if !ok {
		return
	}
	enqueue(w.queue, node.Spec.PodCIDR)
}

func enqueue(q workqueue.TypedDelayingInterface[string], key string) { q.Add(key) }

func (w *warden) syncPod(key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	pod, err := w.pods.Pods(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if pod.Spec.NodeName == "" {
		w.later(pod, time.Second)
	} else {
		w.later(pod, time.Hour)
	}
	return nil
}

func (w *warden) later(pod *corev1.Pod, after time.Duration) {
	key, err := cache.MetaNamespaceKeyFunc(pod)
	if err != nil {
		return
	}
	w.queue.AddAfter(key, after)
}

// sometimes looks at services again only where they have no address.
func (w *warden) sometimes(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) {
			if node, ok := obj.(*corev1.Node); ok { // want tombstone "DeleteFunc (line 229) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @229 "DeleteFunc receives delete events here"
				enqueue(w.slow, node.Spec.PodCIDR)
			}
		},
	})
}

func (w *warden) syncService(key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	service, err := w.services.Services(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if service.Spec.ClusterIP == "" {
		w.slowly(service)
	}
	return nil
}

func (w *warden) slowly(service *corev1.Service) { w.slow.AddAfter(service.Name, time.Minute) }

var _ = []any{follow, lookUp, (*warden).poke, (*warden).only, (*warden).asked, (*warden).relists,
	(*warden).keeps, (*warden).again, (*warden).syncPod, (*warden).sometimes, (*warden).syncService}
