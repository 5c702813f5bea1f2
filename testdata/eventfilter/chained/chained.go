// Package chained puts filters and handlers together of which another package has the code.
package chained

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/operators/eventfilter/chained/sieves"
)

type census struct{ names map[string]bool }

func (c *census) forget(obj any) {
	if pod, ok := obj.(*corev1.Pod); ok { // ok: the filters in front let no tombstone through, and are told
		delete(c.names, pod.Name)
	}
}

func (c *census) forgetAll(any) { clear(c.names) }

func (c *census) behindMaker() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: sieves.Labelled("counted"),
		Handler:    cache.ResourceEventHandlerFuncs{DeleteFunc: c.forget},
	}
}

func (c *census) behindChain() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: sieves.All(sieves.Unwrapped("living"), sieves.Labelled("counted")), // want tombstone "FilterFunc (line 31) ignores cache.DeletedFinalStateUnknown: in sieves.Labelled, the type assertion to v1.Object fails and the delete is lost; unwrap its Obj first (and 1 more place)" @31 "FilterFunc receives delete events here" @24 "likewise here"
		Handler:    sieves.Each(c.forgetAll),
	}
}

// behindGood has filters that take what is gone out of the tombstone.
func (c *census) behindGood() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: sieves.All(sieves.Unwrapped("living"), sieves.Unwrapped("counted")),
		Handler:    sieves.Each(c.forgetAll),
	}
}

// behindOther lets a tombstone through by the second filter.
func (c *census) behindOther() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: sieves.Any(sieves.Labelled("counted"), sieves.Unwrapped("living")),
		Handler:    sieves.Each(c.forgetAll),
	}
}

// unheard is about what is new alone.
func (c *census) unheard() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: sieves.Labelled("counted"),
		Handler:    sieves.Born(c.forgetAll),
	}
}

func (c *census) handed(informer cache.SharedInformer) error {
	_, err := informer.AddEventHandler(sieves.Each(func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "the function passed to Each (line 61) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @61 "the function passed to Each receives delete events here"
			c.names[pod.Name] = true
		}
	}))
	return err
}

func (c *census) handedNew(informer cache.SharedInformer) error {
	_, err := informer.AddEventHandler(sieves.Born(func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // ok: it hears of no deletion
			c.names[pod.Name] = true
		}
	}))
	return err
}

func (c *census) asks() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { delete(c.names, sieves.NameOf(obj)) }, // want tombstone "DeleteFunc (line 80) ignores cache.DeletedFinalStateUnknown: in sieves.NameOf, meta.Accessor fails and the delete is lost; unwrap its Obj first" @80 "DeleteFunc receives delete events here"
	}
}

func (c *census) asksUnwrapped() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) {
			if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = gone.Obj
			}
			delete(c.names, sieves.NameOf(obj)) // ok: what was in the tombstone
		},
	}
}

func (c *census) crashes() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { sieves.Forget(c.names, obj) }, // want tombstone "DeleteFunc (line 97) panics on cache.DeletedFinalStateUnknown: in sieves.Forget, the type assertion to *v1.Pod fails; unwrap its Obj first" @97 "DeleteFunc receives delete events here"
	}
}

func isNode(obj any) bool {
	_, ok := obj.(*corev1.Node) // want tombstone "FilterFunc (line 145) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @145 "FilterFunc receives delete events here"
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
func (r *register) OnDelete(obj any)      { delete(r.names, obj.(*corev1.Node).Name) } // want tombstone "(*register).OnDelete (line 125) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails; unwrap its Obj first" @125 "(*register).OnDelete receives delete events here"

func typed(informer cache.SharedIndexInformer) {
	for _, h := range []cache.ResourceEventHandler{
		&cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { _, ok := obj.(*corev1.Node); return ok }, Handler: &counter{}},
		&cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { _, ok := obj.(*corev1.Node); return ok }, Handler: &teller{}},
		&cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { _, ok := obj.(*corev1.Node); return ok }, Handler: &register{names: map[string]bool{}}}, // want tombstone "FilterFunc (line 131) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @131 "FilterFunc receives delete events here"
	} {
		_, _ = informer.AddEventHandler(h)
	}
}

// A log of nodes stands behind a filter, and without one elsewhere.
type log struct{ names map[string]bool }

func (l *log) OnAdd(obj any, _ bool) { l.names[obj.(*corev1.Node).Name] = true }
func (l *log) OnUpdate(any, any)     {}
func (l *log) OnDelete(obj any)      { delete(l.names, obj.(*corev1.Node).Name) } // want tombstone "(*log).OnDelete (line 142) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails; unwrap its Obj first" @142 "(*log).OnDelete receives delete events here"

func logged(informer cache.SharedIndexInformer, l *log) {
	_, _ = informer.AddEventHandler(cache.FilteringResourceEventHandler{FilterFunc: isNode, Handler: l})
	_, _ = informer.AddEventHandler(l)
}
