// Package athand waits for caches with what never ends, with and without something better at hand.
package athand

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
)

// A register has a factory, a context and a channel that Close closes.
type register struct {
	factory informers.SharedInformerFactory
	end     chan struct{}
}

// Close ends what the register has started.
func (r *register) Close() { close(r.end) }

func (r *register) fill() {
	r.factory.WaitForCacheSync(context.Background().Done()) // want neverstops "r.factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @27 "context.Background() is never done"
}

// A session ends with its context.
type session struct {
	life    context.Context
	factory informers.SharedInformerFactory
}

func (s *session) begin() {
	s.factory.WaitForCacheSync(context.TODO().Done()) // want neverstops "s.factory.WaitForCacheSync has no timeout: context.TODO() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @37 "context.TODO() is never done"
}

// A mirror has the channel that is waited for, which nobody else has before the wait is over.
type mirror struct{ done chan struct{} }

func mirrored(factory informers.SharedInformerFactory) *mirror {
	m := &mirror{done: make(chan struct{})}
	factory.Start(m.done)
	factory.WaitForCacheSync(m.done) // ok: the process has nothing else to do
	return m
}

func (m *mirror) shut() { close(m.done) }

// plain has nothing else, and nobody is known to call it again and again.
func plain(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // ok
}

// each waits for one after the other.
func each(all []informers.SharedInformerFactory) {
	for _, factory := range all {
		plain(factory)
	}
}

// below is called by one who is given a context.
func below(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

func above(ctx context.Context, factory informers.SharedInformerFactory) {
	below(factory)
	<-ctx.Done()
}

// aside is a goroutine of one who is given a context.
func aside(factory informers.SharedInformerFactory, ready chan<- string) {
	factory.WaitForCacheSync(nil) // ok: who starts it does not wait for it
	ready <- "pods"
}

func starts(ctx context.Context, factory informers.SharedInformerFactory, ready chan<- string) {
	go aside(factory, ready)
	<-ctx.Done()
}

// twice is done by a goroutine, and by who starts that.
func twice(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

func doubled(factory informers.SharedInformerFactory) {
	go twice(factory)
	twice(factory)
}

func doubles(ctx context.Context, factory informers.SharedInformerFactory) {
	doubled(factory)
	<-ctx.Done()
}

// renewed is called in each turn of a loop that goes on.
func renewed(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

func turns(factory informers.SharedInformerFactory, names chan string) {
	for {
		if name := <-names; name != "" {
			renewed(factory)
		}
	}
}

// heard asks for signals, and waits for them itself.
func heard(factory informers.SharedInformerFactory) {
	ctx := ctrl.SetupSignalHandler()
	factory.WaitForCacheSync(context.Background().Done()) // want neverstops "factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @116 "context.Background() is never done"
	<-ctx.Done()
}

// unheard makes what it waits for afterwards when the caches are there.
func unheard(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // ok
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go plain(factory)
	<-ctx.Done()
}

// derived has a context of the session behind it.
func derived(s *session) {
	s.factory.WaitForCacheSync(context.Background().Done()) // want neverstops "s.factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @131 "context.Background() is never done"
	<-s.life.Done()
}

// selected is called for each of many objects.
func selected(pod *corev1.Pod, factory informers.SharedInformerFactory) string {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
	return pod.Name
}

// healthy is asked by a probe, which gives up by itself.
func healthy(synced cache.InformerSynced) func(*http.Request) error {
	return func(*http.Request) error {
		cache.WaitForCacheSync(context.Background().Done(), synced) // ok
		return nil
	}
}

// A probe asks whether the caches are there.
type probe struct{ synced cache.InformerSynced }

func (p *probe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := healthy(p.synced)(r); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

// probes are asked by the kubelet: they do not look at who asks, and say how the wait went.
func probes(ctx context.Context, mux *http.ServeMux, caches cache.InformerSynced, names chan string) {
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !cache.WaitForCacheSync(context.Background().Done(), caches) { // ok
			http.Error(w, "not synced", http.StatusServiceUnavailable)
			return
		}
		log.Print("ready")
		_, _ = w.Write([]byte("ready"))
	})
	mux.HandleFunc("/list", func(w http.ResponseWriter, r *http.Request) {
		cache.WaitForCacheSync(context.Background().Done(), caches) // want neverstops "cache.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @169 "context.Background() is never done"
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte("some"))
		}
	})
	mux.HandleFunc("/count", func(w http.ResponseWriter, _ *http.Request) {
		cache.WaitForCacheSync(context.Background().Done(), caches) // want neverstops "cache.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @175 "context.Background() is never done"
		_, _ = fmt.Fprint(w, len(names))
	})
	mux.HandleFunc("/next", func(w http.ResponseWriter, _ *http.Request) {
		cache.WaitForCacheSync(context.Background().Done(), caches) // want neverstops "cache.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @179 "context.Background() is never done"
		names <- "next"
		w.WriteHeader(http.StatusOK)
	})
	<-ctx.Done()
}

var _ = []any{probes, (*register).fill, turns, (*session).begin, mirrored, (*mirror).shut, each, above, starts, doubles, heard, unheard, derived, selected, &probe{}}
