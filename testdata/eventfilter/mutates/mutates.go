// Package mutates has filters and handlers that change what they are shown.
package mutates

import (
	"context"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
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
		was.ResourceVersion = ""    // want mutates "this filter mutates ResourceVersion of the event's ObjectOld: the object is shared with the informer cache; modify a DeepCopy"
		isCopy.ResourceVersion = "" // ok: a copy
		return !reflect.DeepEqual(wasCopy, isCopy)
	},
}

type noisy struct{ predicate.Funcs }

func (noisy) Update(e event.UpdateEvent) bool { // want Update:"sets seen" Update:"writes p1.ObjectNew->, writes p1.ObjectOld->"
	delete(e.ObjectNew.GetAnnotations(), "checksum") // want mutates "noisy.Update mutates an entry of Annotations of the event's ObjectNew: the object is shared with the informer cache; modify a DeepCopy"
	pod := *e.ObjectOld.(*corev1.Pod)
	pod.Labels["seen"] = "yes" // want mutates "noisy.Update stores state in Labels of the event's ObjectOld: the next update of the cached object, or a restart, loses it; keep it elsewhere"
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

func strip(o client.Object) { o.SetManagedFields(nil) } // want strip:"writes p0" mutates "stripped.Update mutates ManagedFields of the event's ObjectNew: the object is shared with the informer cache; modify a DeepCopy" @59 "the object is passed on here"

type stripped struct{ predicate.Funcs }

func (stripped) Update(e event.UpdateEvent) bool {
	strip(e.ObjectNew)
	return true
}

func (stripped) Create(e event.CreateEvent) bool {
	pod := e.Object.(*corev1.Pod)
	slices.SortFunc(pod.Spec.Containers, func(a, b corev1.Container) int { return len(a.Name) - len(b.Name) }) // want mutates "stripped.Create mutates the elements of the event's Object: the object is shared with the informer cache; modify a DeepCopy"
	return true
}

func mapping() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		pod := o.(*corev1.Pod)
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].Image = "" // want mutates "this filter mutates Image of the object: the object is shared with the informer cache; modify a DeepCopy"
		}
		return nil
	})
}

type pair struct{ old, new *corev1.Pod }

func changed(p pair) bool {
	p.new = p.new.DeepCopy()
	p.new.Labels = nil // ok: a copy
	return p.old.Name != p.new.Name
}

func touched(p pair) bool {
	p.new.Labels = nil // want mutates "this filter mutates Labels of the event's ObjectNew: the object is shared with the informer cache; modify a DeepCopy" @100 "the object is passed on here"
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
		pod.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: new(int64)} // want mutates "this filter mutates SecurityContext of the object: the object is shared with the informer cache; modify a DeepCopy" @134 "the object is passed on here"
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
		pod.Spec.DNSConfig = &corev1.PodDNSConfig{} // want mutates "this filter mutates DNSConfig of the object: the object is shared with the informer cache; modify a DeepCopy" @151 "the object is passed on here"
	}
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
		e.ObjectOld.SetResourceVersion(e.ObjectNew.GetResourceVersion()) // want mutates "this filter mutates ResourceVersion of the event's ObjectOld: the object is shared with the informer cache; modify a DeepCopy"
		same := reflect.DeepEqual(e.ObjectOld, e.ObjectNew)
		e.ObjectOld.SetResourceVersion("") // ok: it is told of where it is written first
		return !same
	},
}

// marked tells the reconciler by an annotation what has happened: the filters of one set are told of once.
func marked() predicate.Funcs {
	mark := func(o client.Object, what string) {
		o.GetAnnotations()["example.com/event"] = what
	}
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.GetAnnotations()["example.com/event"] = "created" // want mutates "this filter stores state in Annotations of the event's Object: the next update of the cached object, or a restart, loses it; keep it elsewhere" @194 "so does this one"
			return true
		},
		UpdateFunc: func(e event.UpdateEvent) bool {
			if e.ObjectNew.GetDeletionTimestamp() != nil {
				e.ObjectNew.SetAnnotations(map[string]string{"example.com/event": "deleted"})
			}
			e.ObjectNew.(*corev1.Pod).Spec.NodeName = "" // want mutates "this filter mutates NodeName of the event's ObjectNew: the object is shared with the informer cache; modify a DeepCopy"
			return true
		},
		GenericFunc: func(e event.GenericEvent) bool {
			mark(e.Object, "asked")
			return true
		},
	}
}

// markedToo is another set.
func markedToo() predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.GetAnnotations()["example.com/event"] = "created" // want mutates "this filter stores state in Annotations of the event's Object: the next update of the cached object, or a restart, loses it; keep it elsewhere"
			return true
		},
	}
}

// A marker has methods for literals.
type marker struct{ predicate.Funcs }

func (marker) Create(e event.CreateEvent) bool {
	e.Object.SetLabels(nil) // want mutates "marker.Create mutates Labels of the event's Object: the object is shared with the informer cache; modify a DeepCopy" @225 "so does this one"
	return true
}

func (marker) Update(e event.UpdateEvent) bool {
	e.ObjectNew.SetLabels(nil)
	return true
}

// adopting writes into the object what it sends to the server.
func adopting(c client.Client, owner string) predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			pod := e.Object.(*corev1.Pod)
			pod.Labels["owner"] = owner // ok: the server is to have it, too
			return c.Update(context.TODO(), pod) == nil
		},
	}
}

// adopted has it sent before.
func adopted(c client.Client, owner string) predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			pod := e.Object.(*corev1.Pod)
			err := c.Update(context.TODO(), pod)
			pod.Labels["owner"] = owner // want mutates "this filter mutates an entry of Labels of the event's Object: the object is shared with the informer cache; modify a DeepCopy"
			return err == nil
		},
	}
}

// labelled has a map that is no constant.
func labelled(owner string) predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.SetLabels(map[string]string{"owner": owner}) // want mutates "this filter mutates Labels of the event's Object: the object is shared with the informer cache; modify a DeepCopy"
			return true
		},
	}
}

// noted sets one of constants.
func noted() predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.SetLabels(map[string]string{"event": "created"}) // want mutates "this filter stores state in Labels of the event's Object: the next update of the cached object, or a restart, loses it; keep it elsewhere"
			return true
		},
	}
}

var _, _, _, _ = adopting, adopted, labelled, noted

// tolerated leaves the taints out that do not matter, in the array of the node.
func tolerated(node *corev1.Node) []corev1.Taint {
	kept := node.Spec.Taints[:0]
	for _, t := range node.Spec.Taints {
		if t.Effect != corev1.TaintEffectPreferNoSchedule {
			kept = append(kept, t) // want mutates "this filter mutates the elements of Taints of the event's ObjectOld: the object is shared with the informer cache; modify a DeepCopy" @309 "the object is passed on here" @317 "so does this one"
		}
	}
	return kept
}

// mattering has an array of its own: no room is left behind what it begins with.
func mattering(node *corev1.Node) []corev1.Taint {
	kept := node.Spec.Taints[:0:0]
	for _, t := range node.Spec.Taints {
		if t.Effect != corev1.TaintEffectPreferNoSchedule {
			kept = append(kept, t)
		}
	}
	return kept
}

// known collects in an array of its own that is used again.
func known(node *corev1.Node, buf []corev1.Taint) []corev1.Taint {
	buf = buf[:0]
	for _, t := range node.Spec.Taints {
		buf = append(buf, t)
	}
	return buf
}

func taints() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
			return !slices.Equal(tolerated(was), tolerated(is))
		},
		DeleteFunc: func(e event.DeleteEvent) bool { // ok: it writes to none of the node's
			node := e.Object.(*corev1.Node)
			return len(mattering(node)) > 0 || len(known(node, make([]corev1.Taint, 0, 8))) > 0
		},
		CreateFunc: func(e event.CreateEvent) bool {
			spec := e.Object.(*corev1.Node).Spec
			spec.Taints = append(spec.Taints[:0], corev1.Taint{Key: "none"})
			return len(spec.Taints) > 0
		},
	}
}

var _ = taints
