package mutates

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

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
			pod.Labels["owner"] = owner // want mutates "this filter writes to an entry of Labels of the event's Object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
			return err == nil
		},
	}
}

// labelled has a map that is no constant.
func labelled(owner string) predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.SetLabels(map[string]string{"owner": owner}) // want mutates "this filter writes to Labels of the event's Object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
			return true
		},
	}
}

// noted sets one of constants.
func noted() predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.SetLabels(map[string]string{"event": "created"}) // want marks "this filter leaves a mark in Labels of the event's Object, which belongs to the cache: the next update of the object takes it away, whoever has seen it by then, and a restart"
			return true
		},
	}
}

var _, _, _, _ = adopting, adopted, labelled, noted
