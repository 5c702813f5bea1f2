package chained

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

func isNode(obj any) bool {
	_, ok := obj.(*corev1.Node) // want tombstone "FilterFunc (line 53) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Node" @53 "FilterFunc is called for deletions here"
	return ok
}

// A counter counts nodes that come, and has to do with none that goes.
type counter struct{ seen int }

func (c *counter) OnAdd(any, bool)   { c.seen++ }
func (c *counter) OnUpdate(any, any) {}
func (c *counter) OnDelete(any)      {}

// A teller only logs.
type teller struct{ seen int }

func (t *teller) OnAdd(any, bool)   { t.seen++ }
func (t *teller) OnUpdate(any, any) {}
func (t *teller) OnDelete(obj any)  { klog.InfoS("gone", "node", obj) }

// A register forgets the nodes that are gone.
type register struct{ names map[string]bool }

func (r *register) OnAdd(obj any, _ bool) { r.names[obj.(*corev1.Node).Name] = true }
func (r *register) OnUpdate(any, any)     {}
func (r *register) OnDelete(obj any)      { delete(r.names, obj.(*corev1.Node).Name) } // want tombstone "(*register).OnDelete (line 33) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Node panics on it" @33 "(*register).OnDelete is called for deletions here"

func typed(informer cache.SharedIndexInformer) {
	for _, h := range []cache.ResourceEventHandler{
		&cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { _, ok := obj.(*corev1.Node); return ok }, Handler: &counter{}},
		&cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { _, ok := obj.(*corev1.Node); return ok }, Handler: &teller{}},
		&cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { _, ok := obj.(*corev1.Node); return ok }, Handler: &register{names: map[string]bool{}}}, // want tombstone "FilterFunc (line 39) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Node" @39 "FilterFunc is called for deletions here"
	} {
		_, _ = informer.AddEventHandler(h)
	}
}

// A log of nodes stands behind a filter, and without one elsewhere.
type log struct{ names map[string]bool }

func (l *log) OnAdd(obj any, _ bool) { l.names[obj.(*corev1.Node).Name] = true }
func (l *log) OnUpdate(any, any)     {}
func (l *log) OnDelete(obj any)      { delete(l.names, obj.(*corev1.Node).Name) } // want tombstone "(*log).OnDelete (line 50) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Node panics on it" @50 "(*log).OnDelete is called for deletions here"

func logged(informer cache.SharedIndexInformer, l *log) {
	_, _ = informer.AddEventHandler(cache.FilteringResourceEventHandler{FilterFunc: isNode, Handler: l})
	_, _ = informer.AddEventHandler(l)
}
