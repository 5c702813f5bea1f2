// Package started reads and waits for informers that are started, that are not, and that are too late.
package started

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

var errNotSynced = errors.New("not synced")

func one(client kubernetes.Interface, name string) (*corev1.Namespace, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	namespaces := f.Core().V1().Namespaces().Lister()
	return namespaces.Get(name) // want neverstarted "the cache of Namespaces().Lister is read but stays empty: the factory created on line 23 is never started; call its Start" @23 "the factory is created or started here"
}

func ofNamespace(client kubernetes.Interface, stop <-chan struct{}, name string) (*corev1.Pod, error) {
	f := informers.NewSharedInformerFactoryWithOptions(client, time.Hour, informers.WithNamespace(name))
	if !cache.WaitForCacheSync(stop, f.Core().V1().Pods().Informer().HasSynced) { // want neverstarted "the cache of Pods().Informer is waited for but stays empty: the factory created on line 29 is never started; call its Start" @29 "the factory is created or started here"
		return nil, errNotSynced
	}
	return f.Core().V1().Pods().Lister().Pods(name).Get(name)
}

func waited(client kubernetes.Interface, stop <-chan struct{}) error {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	pods := f.Core().V1().Pods().Informer()
	if !cache.WaitForCacheSync(stop, pods.HasSynced) { // want neverstarted "the cache of Pods().Informer is waited for but stays empty: the factory created on line 37 is never started; call its Start" @37 "the factory is created or started here"
		return errNotSynced
	}
	return nil
}

func tooLate(client kubernetes.Interface, stop <-chan struct{}) ([]*corev1.Pod, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	nodes := f.Core().V1().Nodes().Informer()
	f.Start(stop)
	if !cache.WaitForCacheSync(stop, nodes.HasSynced) {
		return nil, errNotSynced
	}
	return f.Core().V1().Pods().Lister().List(labels.Everything()) // want neverstarted "the cache of Pods().Lister is read but stays empty: it is requested on line 52, after Start of the factory on line 48; request it before, or call Start again" @48 "the factory is created or started here"
}

func kept(client kubernetes.Interface, stop <-chan struct{}) listers.PodLister {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	f.Core().V1().Nodes().Informer()
	f.Start(stop)
	return f.Core().V1().Pods().Lister() // want neverstarted "the cache of Pods().Lister is stored but stays empty: it is requested on line 59, after Start of the factory on line 58; request it before, or call Start again" @58 "the factory is created or started here"
}

func startedAgain(client kubernetes.Interface, stop <-chan struct{}) listers.PodLister {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	f.Core().V1().Nodes().Informer()
	f.Start(stop)
	pods := f.Core().V1().Pods().Lister() // ok: started by the second Start
	f.Start(stop)
	return pods
}

func askedBefore(client kubernetes.Interface, stop <-chan struct{}) ([]*corev1.Pod, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	synced := f.Core().V1().Pods().Informer().HasSynced
	f.Start(stop)
	if !cache.WaitForCacheSync(stop, synced) {
		return nil, errNotSynced
	}
	return f.Core().V1().Pods().Lister().List(labels.Everything()) // ok: the same informer
}

func runItself(client kubernetes.Interface, stop <-chan struct{}) ([]*corev1.Pod, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	pods := f.Core().V1().Pods()
	go pods.Informer().Run(stop)
	if !cache.WaitForCacheSync(stop, pods.Informer().HasSynced) {
		return nil, errNotSynced
	}
	return pods.Lister().List(labels.Everything()) // ok: run by itself
}

func given(client kubernetes.Interface, start func(informers.SharedInformerFactory)) ([]*corev1.Pod, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	pods := f.Core().V1().Pods().Lister()
	start(f)
	return pods.List(labels.Everything()) // ok: who has the factory may start it
}

func givenKind(client kubernetes.Interface, run func(coreinformers.PodInformer)) ([]*corev1.Pod, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	pods := f.Core().V1().Pods()
	run(pods)
	return pods.Lister().List(labels.Everything()) // ok: who has the informer may run it
}

func inClosure(client kubernetes.Interface, stop <-chan struct{}) func() ([]*corev1.Pod, error) {
	f := informers.NewSharedInformerFactory(client, time.Hour)
	pods := f.Core().V1().Pods().Lister()
	return func() ([]*corev1.Pod, error) {
		f.Start(stop)
		return pods.List(labels.Everything()) // ok: started
	}
}

func dynamicKind(client dynamic.Interface, gvr schema.GroupVersionResource, stop <-chan struct{}) (cache.GenericLister, error) {
	f := dynamicinformer.NewDynamicSharedInformerFactory(client, time.Hour)
	lister := f.ForResource(gvr).Lister() // want neverstarted "the cache of ForResource().Lister is stored but stays empty: the factory created on line 115 is never started; call its Start" @115 "the factory is created or started here"
	f.WaitForCacheSync(stop) // ok: it waits for nothing
	return lister, nil
}
