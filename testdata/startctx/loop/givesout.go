package loop

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Lister gives its caller a lister, and nothing that ends what fills it.
func Lister(lw cache.ListerWatcher, handler cache.ResourceEventHandler) listers.PodLister {
	indexer, controller := cache.NewIndexerInformer(lw, &corev1.Pod{}, time.Hour, handler, cache.Indexers{})
	stop := make(chan struct{})
	go controller.Run(stop) // want loop "controller.Run gets a stop channel that is made at line 15 and that nothing can close: what Lister starts goes on forever" @15 "the channel is made here, and is not handed to anyone who could close it"
	return listers.NewPodLister(indexer)
}

// FactoryLister has it from a factory.
func FactoryLister(factory informers.SharedInformerFactory) listers.PodLister {
	pods := factory.Core().V1().Pods()
	stop := make(chan struct{})
	factory.Start(stop) // want loop "factory.Start gets a stop channel that is made at line 23 and that nothing can close: what FactoryLister starts goes on forever" @23 "the channel is made here, and is not handed to anyone who could close it"
	return pods.Lister()
}

// Counts has it for the process.
func Counts(lw cache.ListerWatcher, handler cache.ResourceEventHandler) int {
	_, controller := cache.NewIndexerInformer(lw, &corev1.Pod{}, time.Hour, handler, cache.Indexers{})
	stop := make(chan struct{})
	go controller.Run(stop) // ok: nobody is given anything of it
	return 1
}
