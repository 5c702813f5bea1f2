// Package watch has functions for feeds that write to what they are given.
package watch

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/operators/cachemutation/fed/feed"
)

// mark writes to what it is given.
func mark(labels map[string]string) { labels["example.com/marked"] = "yes" }

// ranges is the only one that sees what its feed has.
func ranges(lw *cache.ListWatch) *feed.Feed[*corev1.LimitRange] {
	return feed.New(lw, &corev1.LimitRange{}, func(_, cur *corev1.LimitRange) { mark(cur.Labels) })
}

// endpointSlices writes itself.
func endpointSlices(lw *cache.ListWatch) *feed.Feed[*discoveryv1.EndpointSlice] {
	return feed.New(lw, &discoveryv1.EndpointSlice{}, func(_, cur *discoveryv1.EndpointSlice) { cur.Labels["example.com/marked"] = "yes" })
}

// templates are asked for.
func templates(lw *cache.ListWatch) *feed.Feed[*corev1.PodTemplate] {
	return feed.New(lw, &corev1.PodTemplate{}, func(_, cur *corev1.PodTemplate) { mark(cur.Labels) }) // want callee "mark (watch.go:19) writes an entry of labels of the PodTemplate that a cache still holds, given to this function through feed.New: all who read it there see the change, until the server sends another one; change a DeepCopy" @19 "it is written to here"
}

func template(f *feed.Feed[*corev1.PodTemplate], ns, name string) map[string]string {
	obj, err := f.Lister().ByNamespace(ns).Get(name)
	if err != nil {
		return nil
	}
	if found, ok := obj.(*corev1.PodTemplate); ok {
		return found.Labels
	}
	return nil
}

// leases comes again.
func leases(lw *cache.ListWatch) {
	again := &feed.Again{Changed: func(obj any) { mark(obj.(*coordinationv1.Lease).Labels) }} // want callee "mark (watch.go:19) writes an entry of labels of the Lease that a cache still holds, given to this function through feed.Again.Changed: all who read it there see the change, until the server sends another one; change a DeepCopy" @19 "it is written to here"
	again.Run(context.TODO(), lw, &coordinationv1.Lease{})
}

// roles is not the only one to hear of them.
func roles(lw *cache.ListWatch) {
	shared := &feed.Shared{Changed: func(obj any) { mark(obj.(*rbacv1.Role).Labels) }} // want callee "mark (watch.go:19) writes an entry of labels of the Role that a cache still holds, given to this function through feed.Shared.Changed: all who read it there see the change, until the server sends another one; change a DeepCopy" @19 "it is written to here"
	_, _ = shared.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, cur any) { println(cur.(*rbacv1.Role).Labels) }})
	shared.Run(context.TODO(), lw, &rbacv1.Role{})
}

// classes hears of what somebody else's informer has.
func classes(informer cache.SharedIndexInformer) {
	feed.NewTaken(informer, func(obj any) { mark(obj.(*storagev1.StorageClass).Labels) }) // want callee "mark (watch.go:19) writes an entry of labels of the StorageClass that a cache still holds, given to this function through feed.NewTaken: all who read it there see the change, until the server sends another one; change a DeepCopy" @19 "it is written to here"
}

// priorities is one of two.
func priorities(lw *cache.ListWatch) {
	two := &feed.Two{Changed: func(obj any) { mark(obj.(*schedulingv1.PriorityClass).Labels) }} // want callee "mark (watch.go:19) writes an entry of labels of the PriorityClass that a cache still holds, given to this function through feed.Two.Changed: all who read it there see the change, until the server sends another one; change a DeepCopy" @19 "it is written to here"
	two.Run(context.TODO(), lw, &schedulingv1.PriorityClass{})
}

var _ = []any{ranges, endpointSlices, templates, template, leases, roles, classes, priorities}
