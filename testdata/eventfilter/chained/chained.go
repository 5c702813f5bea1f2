// Package chained puts filters and handlers together of which another package has the code.
package chained

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

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
		FilterFunc: sieves.All(sieves.Unwrapped("living"), sieves.Labelled("counted")), // want tombstone "FilterFunc (line 30) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and in sieves.Labelled the object is dropped, as it is not v1.Object, and 1 more place" @30 "FilterFunc is called for deletions here" @23 "the same here"
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
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "the function for Each (line 60) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @60 "the function for Each is called for deletions here"
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
		DeleteFunc: func(obj any) { delete(c.names, sieves.NameOf(obj)) }, // want tombstone "DeleteFunc (line 79) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and in sieves.NameOf meta.Accessor fails on it, so that nobody hears of the deletion: take the object out of it first" @79 "DeleteFunc is called for deletions here"
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
		DeleteFunc: func(obj any) { sieves.Forget(c.names, obj) }, // want tombstone "DeleteFunc (line 96) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and in sieves.Forget the assertion to *v1.Pod panics on it" @96 "DeleteFunc is called for deletions here"
	}
}
