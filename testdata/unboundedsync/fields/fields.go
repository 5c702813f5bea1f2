// Package fields keeps informer factories in fields.
package fields

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
)

type forgets struct {
	factory informers.SharedInformerFactory
}

func newForgets(client kubernetes.Interface) *forgets {
	return &forgets{factory: informers.NewSharedInformerFactory(client, time.Hour)}
}

func (f *forgets) pod(namespace, name string) (*corev1.Pod, error) {
	return f.factory.Core().V1().Pods().Lister().Pods(namespace).Get(name) // want neverstarted "the cache of Pods().Lister is read but stays empty: the factory created on line 19 is never started; call its Start" @19 "the factory is created or started here"
}

type started struct {
	factory informers.SharedInformerFactory
	pods    listers.PodLister
}

func newStarted(client kubernetes.Interface) *started {
	s := &started{factory: informers.NewSharedInformerFactory(client, time.Hour)}
	s.pods = s.factory.Core().V1().Pods().Lister() // ok: run starts it
	return s
}

func (s *started) run(ctx context.Context) { s.factory.Start(ctx.Done()) }

type handsOut struct {
	factory informers.SharedInformerFactory
}

func newHandsOut(client kubernetes.Interface) *handsOut {
	return &handsOut{factory: informers.NewSharedInformerFactory(client, time.Hour)}
}

func (h *handsOut) Factory() informers.SharedInformerFactory { return h.factory }

func (h *handsOut) pod(namespace, name string) (*corev1.Pod, error) {
	return h.factory.Core().V1().Pods().Lister().Pods(namespace).Get(name) // ok: who asks for the factory may start it
}
