// Package drain waits under a lock for what others have under way: the handlers of informers, the requests of a server, the items of a
// queue, and a call that several share.
package drain

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type podView struct {
	mu      sync.Mutex
	factory informers.SharedInformerFactory
	cancel  context.CancelFunc
	nodes   map[string]string
}

func newPodView(ctx context.Context, cs kubernetes.Interface) (*podView, error) {
	ctx, cancel := context.WithCancel(ctx)
	v := &podView{factory: informers.NewSharedInformerFactory(cs, 0), cancel: cancel, nodes: map[string]string{}}
	_, err := v.factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: v.add})
	if err != nil {
		cancel()
		return nil, err
	}
	v.factory.Start(ctx.Done())
	return v, nil
}

func (v *podView) add(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.nodes[pod.Name] = pod.Spec.NodeName
}

func (v *podView) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cancel()
	v.factory.Shutdown() // want blocking/possible "v.mu (locked at line 50) is held across v.factory.Shutdown, which deadlocks: (*podView).add at drain.go:44 needs the same lock to unblock it; unlock first" @50 "v.mu is locked here" @44 "(*podView).add needs the same lock here" @39 "and ends the wait only here"
	clear(v.nodes)
}

// The handlers come to their end before the lock is taken.
func (v *podView) closeInOrder() {
	v.cancel()
	v.factory.Shutdown()
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.nodes)
}

// A nodeView has handlers that need another lock than the one that is held.
type nodeView struct {
	life, mu sync.Mutex
	factory  informers.SharedInformerFactory
	seen     int
}

func (v *nodeView) OnAdd(any, bool)   { v.mu.Lock(); v.seen++; v.mu.Unlock() }
func (v *nodeView) OnUpdate(any, any) {}
func (v *nodeView) OnDelete(any)      {}

func (v *nodeView) start(stop <-chan struct{}) error {
	if _, err := v.factory.Core().V1().Nodes().Informer().AddEventHandler(v); err != nil {
		return err
	}
	v.factory.Start(stop)
	return nil
}

func (v *nodeView) close() {
	v.life.Lock()
	defer v.life.Unlock()
	v.factory.Shutdown()
}

func (v *nodeView) closeSeen() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.factory.Shutdown() // want blocking/possible "v.mu (locked at line 92) is held across v.factory.Shutdown, which deadlocks: (*nodeView).OnAdd at drain.go:73 needs the same lock to unblock it; unlock first" @92 "v.mu is locked here" @73 "(*nodeView).OnAdd needs the same lock here" @73 "and ends the wait only here"
}

type pump struct {
	mu    sync.Mutex
	queue workqueue.TypedRateLimitingInterface[string]
	done  map[string]int
}

func newPump() *pump {
	return &pump{
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()), done: map[string]int{},
	}
}

func (p *pump) work() {
	for p.next() {
	}
}

func (p *pump) next() bool {
	key, quit := p.queue.Get()
	if quit {
		return false
	}
	defer p.queue.Done(key)
	p.mu.Lock()
	p.done[key]++
	p.mu.Unlock()
	return true
}

func (p *pump) stop() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue.ShutDownWithDrain() // want blocking/possible "p.mu (locked at line 127) is held across p.queue.ShutDownWithDrain, which deadlocks: (*pump).next at drain.go:120 needs the same lock to unblock it; unlock first" @127 "p.mu is locked here" @120 "(*pump).next needs the same lock here" @119 "and ends the wait only here"
	return len(p.done)
}

// A meter counts before it has an item: who has one needs no lock to be done with it.
type meter struct {
	mu    sync.Mutex
	queue workqueue.TypedRateLimitingInterface[string]
	turns int
}

func (m *meter) work() {
	for {
		m.mu.Lock()
		m.turns++
		m.mu.Unlock()
		key, quit := m.queue.Get()
		if quit {
			return
		}
		fmt.Println(key)
		m.queue.Done(key)
	}
}

func (m *meter) stop() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue.ShutDownWithDrain()
	return m.turns
}

type page struct {
	mu   sync.Mutex
	hits int
	srv  *http.Server
}

func newPage() *page {
	p := &page{}
	p.srv = &http.Server{Handler: p, ReadHeaderTimeout: time.Second}
	return p
}

func (p *page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hits++
	fmt.Fprintln(w, p.hits)
}

func (p *page) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.srv.Shutdown(context.Background()) // want blocking/possible "p.mu (locked at line 181) is held across p.srv.Shutdown, which deadlocks: (*page).ServeHTTP at drain.go:174 needs the same lock to unblock it; unlock first" @181 "p.mu is locked here" @174 "(*page).ServeHTTP needs the same lock here" @173 "and ends the wait only here"
}

// The deadline ends it.
func (p *page) closeSoon() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return p.srv.Shutdown(ctx)
}

type site struct {
	mu   sync.Mutex
	hits int
	srv  *http.Server
}

func newSite() *site {
	s := &site{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.hit)
	s.srv = &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	return s
}

func (s *site) hit(http.ResponseWriter, *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits++
}

func (s *site) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.srv.Shutdown(context.TODO()) // want blocking/possible "s.mu (locked at line 216) is held across s.srv.Shutdown, which deadlocks: (*site).hit at drain.go:210 needs the same lock to unblock it; unlock first" @216 "s.mu is locked here" @210 "(*site).hit needs the same lock here" @209 "and ends the wait only here"
}

type loader struct {
	mu    sync.Mutex
	group singleflight.Group
	vals  map[string]any
	load  func(string) any
}

func (l *loader) get(key string) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := <-l.group.DoChan(key, func() (any, error) { // want blocking/possible "l.mu (locked at line 229) is held across the receive from DoChan(), which deadlocks: (*loader).put at drain.go:240 needs the same lock to unblock it; unlock first" @229 "l.mu is locked here" @240 "(*loader).put needs the same lock here" @231 "and ends the wait only here"
		v := l.load(key)
		l.put(key, v)
		return v, nil
	})
	return r.Val
}

func (l *loader) put(key string, v any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vals[key] = v
}
