// Package loop has loops that do, or do not, end with their context.
package loop

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
)

type group struct {
	ready   chan int
	pending int
	err     error
}

func (g *group) wait(ctx context.Context) error {
	var result error
	for {
		select {
		case <-ctx.Done(): // want spins "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*group).wait spins, until another case leaves it"
			if !errors.Is(ctx.Err(), context.Canceled) {
				result = ctx.Err()
			}
		case n := <-g.ready:
			if n == g.pending {
				return result
			}
		}
	}
}

func breaks(ctx context.Context, in <-chan int) {
	for {
		select {
		case <-ctx.Done(): // want spins "case <-ctx.Done() does not leave the loop: once it is ready the loop in breaks spins, and nothing else ends the loop"
			break
		case n := <-in:
			work(n)
		}
	}
}

func polls(stopCh <-chan struct{}, in chan int) {
	for {
		select {
		case <-stopCh: // want spins "case <-stopCh does not leave the loop: once it is ready the loop in polls spins, and nothing else ends the loop"
		default:
			in <- 1
		}
	}
}

func closure(ctx context.Context, in chan int) {
	go func() {
		for {
			select {
			case n := <-in:
				work(n)
			case <-ctx.Done(): // want spins "case <-ctx.Done() does not leave the loop: once it is ready the loop in closure spins, and nothing else ends the loop"
				work(0)
			}
		}
	}()
}

func returns(ctx context.Context, in <-chan int) {
	for {
		select {
		case <-ctx.Done(): // ok: returns
			return
		case n := <-in:
			work(n)
		}
	}
}

func labelled(ctx context.Context, in <-chan int) {
loop:
	for {
		select {
		case <-ctx.Done(): // ok: leaves the loop
			break loop
		case n := <-in:
			work(n)
		}
	}
	work(0)
}

func drains(ctx context.Context, in <-chan int) {
	for {
		select {
		case <-ctx.Done(): // ok: one path leaves
			select {
			case n := <-in:
				work(n)
			default:
				return
			}
		case n := <-in:
			work(n)
		}
	}
}

func flagged(ctx context.Context, in <-chan int) {
	for run := true; run; {
		select {
		case <-ctx.Done(): // ok: the condition of the loop sees it
			run = false
		case n := <-in:
			work(n)
		}
	}
}

func nilled(stop <-chan struct{}, in <-chan int) {
	for {
		select {
		case <-stop: // ok: a nil channel is never ready
			stop = nil
		case n := <-in:
			if n < 0 {
				return
			}
		}
	}
}

func renewed(ctx context.Context, in <-chan int) {
	for {
		short, cancel := context.WithTimeout(ctx, time.Second)
		select {
		case <-short.Done(): // ok: another context on each pass
		case n := <-in:
			work(n)
		}
		cancel()
	}
}

func triggered(kick <-chan struct{}, in <-chan int) {
	for {
		select {
		case <-kick: // ok: not a stop channel
			work(0)
		case n := <-in:
			work(n)
		}
	}
}

func work(int) {}

type ticking struct{ every time.Duration }

func (t *ticking) Start(ctx context.Context) error {
	go func() {
		tick := time.NewTicker(t.every)
		for range tick.C { // ok: nobody waits for the goroutine
			work(1)
		}
	}()
	<-ctx.Done()
	return nil
}

type sleeping struct{ client func() error }

func (s *sleeping) Start(ctx context.Context) error {
	s.connect()
	<-ctx.Done()
	return nil
}

func (s *sleeping) connect() {
	for {
		if s.client() == nil {
			return
		}
		time.Sleep(time.Second) // want loop "time.Sleep in a loop of (*sleeping).connect that never looks at the context of (*sleeping).Start (line 181): the loop goes on after the manager has stopped"
	}
}

type forever struct{}

func (forever) Start(ctx context.Context) error {
	go wait.Forever(func() { work(1) }, time.Second) // ok: nobody waits for it
	<-ctx.Done()
	return nil
}

type fine struct {
	jobs  chan int
	tries int
}

func (f *fine) Start(ctx context.Context) error {
	for i := 0; i < f.tries; i++ { // ok: bounded by a counter
		time.Sleep(time.Second)
	}
	begin := time.Now()
	for {
		if time.Since(begin) > time.Minute { // ok: bounded by the clock
			break
		}
		time.Sleep(time.Second)
	}
	for { // ok: the error of step ends it, and step has ctx
		if err := f.step(ctx); err != nil {
			break
		}
		time.Sleep(time.Second)
	}
	for job := range f.jobs { // ok: ends when jobs is closed
		work(job)
	}
	for ctx.Err() == nil { // ok: asks the context
		time.Sleep(time.Second)
	}
	for {
		job, open := <-f.jobs
		if !open { // ok: ends when jobs is closed
			return nil
		}
		work(job)
	}
}

func (f *fine) step(ctx context.Context) error { return ctx.Err() }

func lister(client rest.Interface) cache.Store {
	lw := cache.NewListWatchFromClient(client, "pods", "", fields.Everything())
	store, controller := cache.NewInformer(lw, &corev1.Pod{}, 0, cache.ResourceEventHandlerFuncs{})
	stop := make(chan struct{})
	go controller.Run(stop) // want loop "controller.Run gets a stop channel that is made at line 246 and that nothing can close: what lister starts goes on forever" @246 "the channel is made here, and is not handed to anyone who could close it"
	return store
}

func factory(owner *corev1.Node, client kubernetes.Interface) informers.SharedInformerFactory {
	f := informers.NewSharedInformerFactory(client, 0)
	f.Start(make(chan struct{})) // want loop "f.Start gets a stop channel that is made at line 253 and that nothing can close: what factory starts goes on forever" @253 "the channel is made here, and is not handed to anyone who could close it"
	return f
}

func several(clients []kubernetes.Interface) (all []informers.SharedInformerFactory) {
	for _, client := range clients {
		f := informers.NewSharedInformerFactory(client, 0)
		f.Start(make(chan struct{})) // want loop "f.Start gets a stop channel that is made at line 260 and that nothing can close: what several starts goes on forever" @260 "the channel is made here, and is not handed to anyone who could close it"
		all = append(all, f)
	}
	return all
}

// eachAside starts one for each, in a goroutine of its own.
func eachAside(all []cache.SharedInformer) {
	for _, informer := range all {
		stop := make(chan struct{})
		go func() { informer.Run(stop) }() // want loop "informer.Run gets a stop channel that is made at line 269 and that nothing can close: what eachAside starts goes on forever" @269 "the channel is made here, and is not handed to anyone who could close it"
	}
}

func onNode(node *corev1.Node, informer cache.SharedInformer) {
	go func() { informer.Run(make(chan struct{})) }() // want loop "informer.Run gets a stop channel that is made at line 275 and that nothing can close: what onNode starts goes on forever" @275 "the channel is made here, and is not handed to anyone who could close it"
}

type replica struct {
	informer cache.SharedInformer
	begun    sync.Once
}

func (r *replica) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	go func() { r.informer.Run(make(chan struct{})) }() // want loop "r.informer.Run gets a stop channel that is made at line 284 and that nothing can close: what (*replica).Reconcile starts goes on forever" @284 "the channel is made here, and is not handed to anyone who could close it"
	r.begun.Do(func() {
		go r.informer.Run(make(chan struct{})) // ok: the first request does so alone
	})
	return ctrl.Result{}, nil
}

var begun bool

// begin starts all of them, once.
func begin(all []cache.SharedInformer) {
	if begun {
		return
	}
	begun = true
	for _, informer := range all {
		go func() { informer.Run(make(chan struct{})) }() // ok: they last as long as the process
	}
}

func handedOut(informer cache.SharedInformer) chan struct{} {
	stop := make(chan struct{})
	go informer.Run(stop) // ok: the caller can close it
	return stop
}

func deferred(informer cache.SharedInformer) bool {
	stop := make(chan struct{})
	defer close(stop)
	go informer.Run(stop) // ok: closed at the end of the function
	return informer.HasSynced()
}

func process(informer cache.SharedInformer) {
	stop := make(chan struct{})
	go informer.Run(stop) // ok: the function is the process
	<-stop
}

type impatient struct{ informer cache.SharedInformer }

func (i *impatient) Run(stopCh <-chan struct{}) {
	go i.informer.Run(stopCh)
	for !i.informer.HasSynced() { // want loop "the loop on i.informer.HasSynced of (*impatient).Run never looks at the stop channel of (*impatient).Run (line 325): it burns a processor until the cache has synced, and goes on after it was asked to stop"
	}
	<-stopCh
}

func runImpatiently(i *impatient, stopCh <-chan struct{}) { i.Run(stopCh) }

type patient struct{ informer cache.SharedInformer }

func (p *patient) Run(stopCh <-chan struct{}) {
	go p.informer.Run(stopCh)
	if !cache.WaitForCacheSync(stopCh, p.informer.HasSynced) { // ok: stopCh ends the wait
		return
	}
	<-stopCh
}

// A door lets connections in until it is shut.
type door struct{ address string }

func (d *door) NeedLeaderElection() bool { return false }

func (d *door) Start(ctx context.Context) error {
	listener, err := net.Listen("tcp", d.address)
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		_ = listener.Close()
	}()
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // ok: Accept fails once ctx has ended
			continue
		}
		_ = conn.Close()
	}
}

type watcher struct {
	events chan int
	done   chan bool
}

// loop has another case that leaves it, and tells that of its end.
func (w *watcher) loop(ctx context.Context) {
	for {
		select {
		case <-w.events:
		case <-ctx.Done(): // ok: the next turn leaves, or hangs
			w.end()
		case <-w.done:
			return
		}
	}
}

func (w *watcher) end() { w.done <- true }

// tellsOthers sends its end to somebody else, and stays.
func (w *watcher) tellsOthers(ctx context.Context, errs chan<- error) {
	for {
		select {
		case <-w.events:
		case <-ctx.Done(): // want spins "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*watcher).tellsOthers spins, and nothing else ends the loop"
			errs <- ctx.Err()
		}
	}
}
