// Command uncalled is a program that runs some of what its package parts has.
package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/operators/optin/eventfilter/uncalled/parts"
)

func main() {
	pods := cache.NewSharedIndexInformer(nil, &v1.Pod{}, 0, nil)
	counts := make(chan int)
	parts.Watch(pods, counts)
	start(parts.NewTally(counts), pods)
	parts.RingAll(pods, counts)
	parts.Registered["late"](pods, counts)
	pods.RunWithContext(context.Background())
}

// starter is how the program knows a Tally.
type starter interface {
	Start(pods cache.SharedInformer)
}

func start(s starter, pods cache.SharedInformer) { s.Start(pods) }

// Unused is of a main package: nobody imports it.
func Unused(pods cache.SharedInformer, counts chan int) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) },
	})
}
