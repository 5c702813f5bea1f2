// Package startup has what programs do when they start: whether a signal ends them then is for those to say.
package startup

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// Execute is what a main package runs: until it is there, each signal ends the process.
func Execute(factory informers.SharedInformerFactory) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done()) // ok: one program begins with it, another one has it behind a function of this package
	prepare(factory)
}

func prepare(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(wait.NeverStop) // ok
}

// Begin leads to Execute, through another package of the program.
func Begin(factory informers.SharedInformerFactory) { Execute(factory) }

// Late is called when the program has asked for signals, and is not told what they end.
func Late(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // ok
}

// Often is called at the start, and by a handler of requests.
func Often(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // want neverstops "factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @37 "context.Background() is never done"
}

// Handed is given to somebody who calls it once, as far as anybody tells.
func Handed(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // ok
}

// Anew is called in each turn of a loop that goes on.
func Anew(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // want neverstops "factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @47 "context.Background() is never done"
}

// Tried is called in a loop that comes to its end.
func Tried(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // ok
}

// Refill is run again and again by who is given it.
func Refill() {
	shared.WaitForCacheSync(context.Background().Done()) // want neverstops "shared.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @57 "context.Background() is never done"
}

// OnAdd is told of each object.
func OnAdd(any) {
	shared.WaitForCacheSync(context.Background().Done()) // want neverstops "shared.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @62 "context.Background() is never done"
}

// A Shelf is told of each object that is gone, and of nothing else.
type Shelf struct {
	factory informers.SharedInformerFactory
}

// OnDelete is given away as a value.
func (s *Shelf) OnDelete(any) {
	s.factory.WaitForCacheSync(context.Background().Done()) // want neverstops "s.factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @72 "context.Background() is never done"
}

// Page answers requests.
func Page(w http.ResponseWriter, r *http.Request) {
	shared.WaitForCacheSync(context.Background().Done()) // want neverstops "shared.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @77 "context.Background() is never done"
	_, _ = w.Write([]byte(r.URL.Path))
}

var shared informers.SharedInformerFactory

// Nobody is called by none of the programs.
func Nobody(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // ok
}

// Watch asks again and again, before the program asks for signals.
func Watch(watcher cache.Controller) {
	go watcher.Run(wait.NeverStop)
	for {
		if watcher.HasSynced() { // ok
			break
		}
	}
}

// A Handler has its own end.
type Handler struct {
	ctx     context.Context
	factory informers.SharedInformerFactory
	ready   cache.InformerSynced
}

// NewHandler makes one.
func NewHandler(ctx context.Context, factory informers.SharedInformerFactory) *Handler {
	return &Handler{ctx, factory, func() bool { return true }}
}

// Handle waits for its end when the caches are there, and not before.
func Handle(h *Handler) {
	stop := make(chan struct{})
	h.factory.Start(stop)
	h.factory.WaitForCacheSync(stop) // want neverstops "h.factory.WaitForCacheSync has no timeout: nothing can close its stop channel before the wait ends, so it hangs while the API server is down; pass a channel that is closed on shutdown" @112 "nothing can close its stop channel before the wait ends" @115 "so does this wait"
	cache.WaitForCacheSync(stop, h.ready)
	<-h.ctx.Done()
	close(stop)
}

// Heedless is given what could end it.
func Heedless(watcher cache.Controller, stop <-chan struct{}) {
	go watcher.Run(stop)
	for {
		if watcher.HasSynced() { // want neverstops "this loop on watcher.HasSynced never checks stop: it never ends while the API server is down; return when it is closed" @121 "stop is declared here"
			break
		}
	}
}

// A Plugin is started by whom it is registered with.
type Plugin struct {
	factory informers.SharedInformerFactory
}

// Start waits for nothing that ends: no call of it is in sight.
func (p *Plugin) Start() {
	p.factory.WaitForCacheSync(context.Background().Done()) // ok
}

// A Server is started by its program, and perhaps by others who have it.
type Server struct {
	factory informers.SharedInformerFactory
}

// Run is a part of the start, as far as is in sight.
func (s *Server) Run() {
	s.factory.WaitForCacheSync(context.Background().Done()) // ok
}

// Promising waits where it is asked for an end and has it at hand.
func Promising(ctx context.Context, factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(context.Background().Done()) // want neverstops "factory.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @152 "context.Background() is never done"
}

// Serve has a goroutine poll until the caches are there, and does not wait for it.
func Serve(factory informers.SharedInformerFactory) {
	stop := make(chan struct{})
	go wait.PollUntil(time.Second, func() (bool, error) {
		factory.WaitForCacheSync(stop) // ok: nobody hears of its end
		return true, nil
	}, stop)
	wait.PollUntil(time.Second, func() (bool, error) {
		factory.WaitForCacheSync(stop) // ok: a part of the start
		return true, nil
	}, stop)
}
