package negated

import (
	corev1 "k8s.io/api/core/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// A replacer only acts where another node has taken the name of one, whose end the informer has missed.
type replacer struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (r *replacer) register(nodes coreinformers.NodeInformer) {
	_, _ = nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(before, after any) { // ok
			was, is := before.(*corev1.Node), after.(*corev1.Node)
			if was.UID == is.UID {
				return
			}
			r.queue.Add(is.Name)
		},
	})
	_, _ = nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(before, after any) { // want constant "this function does nothing about any *v1.Node that the informer gives it: with each it leaves before it comes to what it does; a test is the wrong way round"
			was, is := before.(*corev1.Node), after.(*corev1.Node)
			if was.Name == is.Name {
				return
			}
			r.queue.Add(is.Name)
		},
	})
}
