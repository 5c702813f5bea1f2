// Package atonce has waits that are over when they begin, and some that look like them.
package atonce

import (
	"context"
	"os"
	"os/signal"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A miller waits once for all that the workers need.
type miller struct{ grain, flour, bread cache.InformerSynced }

func (m *miller) Run(stop <-chan struct{}) {
	if !cache.WaitForCacheSync(stop, m.grain, m.flour) {
		return
	}
	go m.grind()
	go m.bake()
	<-stop
}

func (m *miller) grind() {
	never := make(chan struct{})
	defer close(never)
	cache.WaitForCacheSync(never, m.grain, m.flour) // ok: Run has waited for both
}

func (m *miller) bake() {
	never := make(chan struct{})
	defer close(never)
	cache.WaitForCacheSync(never, m.flour, m.bread) // want neverstops "cache.WaitForCacheSync has no timeout: nothing can close its stop channel before the wait ends, so it hangs while the API server is down; pass a channel that is closed on shutdown" @35 "nothing can close its stop channel before the wait ends"
}

// empty asks its factory for nothing before it waits.
func empty(cs kubernetes.Interface) informers.SharedInformerFactory {
	never := make(chan struct{})
	f := informers.NewSharedInformerFactory(cs, time.Hour)
	f.Start(never)
	f.WaitForCacheSync(never) // ok: there is no informer yet
	return f
}

// asked has a lister.
func asked(cs kubernetes.Interface) informers.SharedInformerFactory {
	never := make(chan struct{})
	f := informers.NewSharedInformerFactory(cs, time.Hour)
	f.Core().V1().Pods().Lister()
	f.Start(never)
	f.WaitForCacheSync(never) // want neverstops "f.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @51 "nothing closes its stop channel"
	return f
}

// beside lets another goroutine wait, and can close the channel meanwhile.
func beside(m *miller) {
	stop := make(chan struct{})
	go m.Run(stop) // ok: it goes on here
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	close(stop)
}

// behind closes the channel when it is too late.
func behind(m *miller) {
	stop := make(chan struct{})
	m.Run(stop) // want neverstops "cache.WaitForCacheSync (atonce.go:20, via Run) has no timeout: nothing can close its stop channel before the wait ends, so it hangs while the API server is down; pass a channel that is closed on shutdown" @20 "waits here" @71 "nothing can close its stop channel before the wait ends"
	close(stop)
}

type again struct{}

// Reconcile comes to all of them for each request.
func (again) Reconcile(context.Context, reconcile.Request) (reconcile.Result, error) {
	_ = []any{(*miller).Run, (*miller).grind, (*miller).bake, empty, asked, beside, behind}
	return reconcile.Result{}, nil
}
