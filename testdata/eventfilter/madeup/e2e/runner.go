// Package e2e ends with its tests.
package e2e

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func watch(pods cache.SharedIndexInformer, gone chan<- string) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok { // ok: the test runner ends it
				gone <- pod.Name
			}
		},
	})
}

var _ = watch
