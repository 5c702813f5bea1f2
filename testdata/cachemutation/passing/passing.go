// Package passing has functions that read caches which are gone when they return, and others.
package passing

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

func mark(node *corev1.Node) { node.Labels["example.com/marked"] = "yes" }

// atFirst asks a cache that it ends.
func atFirst(client kubernetes.Interface) map[string]*corev1.Node {
	nodes := informers.NewSharedInformerFactory(client, 0).Core().V1().Nodes()
	_, _ = nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { println(obj.(*corev1.Node).Name) }})
	stop := make(chan struct{})
	defer close(stop)
	go nodes.Informer().Run(stop)
	cache.WaitForCacheSync(stop, nodes.Informer().HasSynced)
	found, err := nodes.Lister().List(labels.Everything())
	if err != nil {
		return nil
	}
	out := map[string]*corev1.Node{}
	for _, node := range found {
		out[node.Name] = node
	}
	return out
}

func markFirst(client kubernetes.Interface) {
	for _, node := range atFirst(client) {
		mark(node)
	}
}

// forGood asks a cache that stays.
func forGood(client kubernetes.Interface, stop chan struct{}) []*corev1.Node {
	factory := informers.NewSharedInformerFactory(client, 0)
	nodes := factory.Core().V1().Nodes().Lister()
	factory.Start(stop)
	found, _ := nodes.List(labels.Everything())
	return found
}

func markForGood(client kubernetes.Interface, stop chan struct{}) {
	for _, node := range forGood(client, stop) {
		mark(node) // want write "mark (passing.go:15) mutates an entry of Labels of the Node returned by forGood(): all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @52 "read from the cache here, without a copy" @47 "forGood() reads it from the cache here" @15 "written here"
	}
}

// untilLater does not end it when it returns.
func untilLater(client kubernetes.Interface, later func(func())) []*corev1.Node {
	factory := informers.NewSharedInformerFactory(client, 0)
	nodes := factory.Core().V1().Nodes().Lister()
	stop := make(chan struct{})
	factory.Start(stop)
	later(func() { close(stop) })
	found, _ := nodes.List(labels.Everything())
	return found
}

func markLater(client kubernetes.Interface, later func(func())) {
	for _, node := range untilLater(client, later) {
		mark(node) // want write "mark (passing.go:15) mutates an entry of Labels of the Node returned by untilLater(): all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @69 "read from the cache here, without a copy" @64 "untilLater() reads it from the cache here" @15 "written here"
	}
}

// inContext runs it as long as its caller wants.
func inContext(ctx context.Context, client kubernetes.Interface) []*corev1.Node {
	factory := informers.NewSharedInformerFactory(client, 0)
	nodes := factory.Core().V1().Nodes().Lister()
	factory.StartWithContext(ctx)
	found, _ := nodes.List(labels.Everything())
	return found
}

func markInContext(ctx context.Context, client kubernetes.Interface) {
	for _, node := range inContext(ctx, client) {
		mark(node) // want write "mark (passing.go:15) mutates an entry of Labels of the Node returned by inContext(): all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @84 "read from the cache here, without a copy" @79 "inContext() reads it from the cache here" @15 "written here"
	}
}

// kept gives others its lister.
func kept(client kubernetes.Interface, keep func(listers.NodeLister)) []*corev1.Node {
	factory := informers.NewSharedInformerFactory(client, 0)
	nodes := factory.Core().V1().Nodes().Lister()
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	keep(nodes)
	found, _ := nodes.List(labels.Everything())
	return found
}

func markKept(client kubernetes.Interface, keep func(listers.NodeLister)) {
	for _, node := range kept(client, keep) {
		mark(node) // want write "mark (passing.go:15) mutates an entry of Labels of the Node returned by kept(): all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @102 "read from the cache here, without a copy" @97 "kept() reads it from the cache here" @15 "written here"
	}
}

// ofOthers asks what others ask as well.
func ofOthers(factory informers.SharedInformerFactory) []*corev1.Node {
	nodes := factory.Core().V1().Nodes().Lister()
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	found, _ := nodes.List(labels.Everything())
	return found
}

func markOfOthers(factory informers.SharedInformerFactory) {
	for _, node := range ofOthers(factory) {
		mark(node) // want write "mark (passing.go:15) mutates an entry of Labels of the Node returned by ofOthers(): all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @118 "read from the cache here, without a copy" @113 "ofOthers() reads it from the cache here" @15 "written here"
	}
}
