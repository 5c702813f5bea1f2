// Command cmd disables the cache for Namespaces, and forgets Pods.
package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/cachescope/implicit/forgotten"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Namespace{}, &corev1.Endpoints{}}}},
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
			&corev1.Event{}: {Label: labels.SelectorFromSet(labels.Set{"app": "operator"})},
		}},
	})
	if err != nil {
		panic(err)
	}
	if err := forgotten.Setup(mgr); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}
