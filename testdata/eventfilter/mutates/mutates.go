// Package mutates has filters and handlers that change what they are shown.
package mutates

import (
	"context"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var withoutVersion = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		was, ok := e.ObjectOld.(*corev1.Pod)
		if !ok {
			return false
		}
		is := e.ObjectNew.(*corev1.Pod)
		wasCopy, isCopy := was.DeepCopy(), is.DeepCopy()
		was.ResourceVersion = ""    // want mutates "this filter writes to ResourceVersion of the event's ObjectOld, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
		isCopy.ResourceVersion = "" // ok: a copy
		return !reflect.DeepEqual(wasCopy, isCopy)
	},
}

type noisy struct{ predicate.Funcs }

func (noisy) Update(e event.UpdateEvent) bool { // want Update:"sets seen" Update:"writes p1.ObjectNew->, writes p1.ObjectOld->"
	delete(e.ObjectNew.GetAnnotations(), "checksum") // want mutates "noisy.Update writes to an entry of Annotations of the event's ObjectNew, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
	pod := *e.ObjectOld.(*corev1.Pod)
	pod.Labels["seen"] = "yes" // want marks "noisy.Update leaves a mark in Labels of the event's ObjectOld, which belongs to the cache: the next update of the object takes it away, whoever has seen it by then, and a restart"
	return true
}

type quiet struct{ predicate.Funcs }

func (quiet) Update(e event.UpdateEvent) bool {
	pod := *e.ObjectOld.(*corev1.Pod)
	pod.ResourceVersion = "" // ok: a field of a copy
	pod.Labels = map[string]string{}
	pod.Labels["seen"] = "yes" // ok: a map of its own
	names := append([]string{}, e.ObjectNew.GetFinalizers()...)
	slices.Sort(names) // ok: a slice of its own
	fresh := e.ObjectNew.DeepCopyObject().(*corev1.Pod)
	strip(fresh) // ok: a copy
	return len(names) > 0
}

func strip(o client.Object) { o.SetManagedFields(nil) } // want strip:"writes p0" mutates "stripped.Update writes to ManagedFields of the event's ObjectNew, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @60 "the object is handed on here"

type stripped struct{ predicate.Funcs }

func (stripped) Update(e event.UpdateEvent) bool {
	strip(e.ObjectNew)
	return true
}

func (stripped) Create(e event.CreateEvent) bool {
	pod := e.Object.(*corev1.Pod)
	slices.SortFunc(pod.Spec.Containers, func(a, b corev1.Container) int { return len(a.Name) - len(b.Name) }) // want mutates "stripped.Create writes to the elements of the event's Object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
	return true
}

func mapping() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		pod := o.(*corev1.Pod)
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].Image = "" // want mutates "this filter writes to Image of the object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
		}
		return nil
	})
}

type seen struct{ last *corev1.Pod }

func handlers(s *seen) cache.ResourceEventHandler { // want handlers:"sets updated"
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			pod := obj.(*corev1.Pod)
			s.last = pod // ok: the object is kept, not changed
			if pod.Annotations == nil {
				pod.Annotations = map[string]string{}
			}
		},
		UpdateFunc: func(_, obj any) {
			pod := obj.(*corev1.Pod).DeepCopy()
			pod.Annotations["updated"] = "true" // ok: a copy
			s.last = pod
		},
	}
}

type pair struct{ old, new *corev1.Pod }

func changed(p pair) bool {
	p.new = p.new.DeepCopy()
	p.new.Labels = nil // ok: a copy
	return p.old.Name != p.new.Name
}

func touched(p pair) bool {
	p.new.Labels = nil // want mutates "this filter writes to Labels of the event's ObjectNew, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @120 "the object is handed on here"
	return p.old.Name != p.new.Name
}

var pairs = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return changed(pair{e.ObjectOld.(*corev1.Pod), e.ObjectNew.(*corev1.Pod)})
	},
}

var touching = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return touched(pair{e.ObjectOld.(*corev1.Pod), e.ObjectNew.(*corev1.Pod)})
	},
}

// readAgain asks for the object once more.
func readAgain(c client.Client) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		if err := c.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	})
}

// filled has a getter that makes what is not there.
func filled() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if affinityOf(o.(*corev1.Pod)).PodAffinity == nil { // ok: there is nothing in it
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	})
}

func affinityOf(pod *corev1.Pod) *corev1.Affinity {
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &corev1.Affinity{}
	}
	return pod.Spec.Affinity
}

// defaulted has one that says something.
func defaulted() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if contextOf(o.(*corev1.Pod)).RunAsUser == nil {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	})
}

func contextOf(pod *corev1.Pod) *corev1.PodSecurityContext {
	if pod.Spec.SecurityContext == nil {
		pod.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: new(int64)} // want mutates "this filter writes to SecurityContext of the object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @154 "the object is handed on here"
	}
	return pod.Spec.SecurityContext
}

// kept has one that keeps it to itself.
func kept() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		fill(o.(*corev1.Pod))
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	})
}

func fill(pod *corev1.Pod) {
	if pod.Spec.DNSConfig == nil {
		pod.Spec.DNSConfig = &corev1.PodDNSConfig{} // want mutates "this filter writes to DNSConfig of the object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @171 "the object is handed on here"
	}
}

type rereader struct{ client.Client }

// mapped has a method that does so.
func (r *rereader) mapped() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request { return r.requests(ctx, o) })
}

func (r *rereader) requests(ctx context.Context, o client.Object) []reconcile.Request {
	if err := r.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}

// filledFirst has one that somebody else fills first.
func filledFirst() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if readinessOf(o.(*corev1.Pod)).Path == "" {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	})
}

type defaults interface{ Set(any) }

var site defaults

func readinessOf(pod *corev1.Pod) *corev1.HostPathVolumeSource {
	if pod.Spec.Volumes[0].HostPath == nil {
		path := &corev1.HostPathVolumeSource{}
		site.Set(path)
		pod.Spec.Volumes[0].HostPath = path // want mutates "this filter writes to HostPath of the object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @199 "the object is handed on here"
	}
	return pod.Spec.Volumes[0].HostPath
}

// writtenBack compares the objects but for a field of the old one, which has left the cache, and puts that back.
var writtenBack = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		version := e.ObjectOld.GetResourceVersion()
		e.ObjectOld.SetResourceVersion(e.ObjectNew.GetResourceVersion())
		defer e.ObjectOld.SetResourceVersion(version)
		return !reflect.DeepEqual(e.ObjectOld, e.ObjectNew)
	},
}

// writtenTwice is about one thing, although two calls write it.
var writtenTwice = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		e.ObjectOld.SetResourceVersion(e.ObjectNew.GetResourceVersion()) // want mutates "this filter writes to ResourceVersion of the event's ObjectOld, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
		same := reflect.DeepEqual(e.ObjectOld, e.ObjectNew)
		e.ObjectOld.SetResourceVersion("") // ok: it is told of where it is written first
		return !same
	},
}
