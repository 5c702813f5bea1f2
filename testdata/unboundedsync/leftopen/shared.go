package leftopen

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

type shared struct {
	done chan struct{}
	id   string
}

// A flight makes each thing once, for all who ask at the same time.
type flight struct {
	mu    sync.Mutex
	calls map[string]*shared
	make  func(context.Context, string) (string, error)
}

func (f *flight) get(ctx context.Context, name string) (string, error) {
	f.mu.Lock()
	if c, ok := f.calls[name]; ok {
		f.mu.Unlock()
		<-c.done // want neverstops "this waits forever where (*flight).get, which has made the channel in done, comes back at line 39 without having closed it: nobody else does; close it in a deferred call" @34 "the channel is made here" @39 "here it is not closed"
		return c.id, nil
	}
	c := &shared{done: make(chan struct{})}
	f.calls[name] = c
	f.mu.Unlock()
	id, err := f.make(ctx, name)
	if err != nil {
		return "", err
	}
	c.id = id
	close(c.done)
	return id, nil
}

type deferred struct {
	over chan struct{}
	id   string
}

type closing struct {
	mu    sync.Mutex
	calls map[string]*deferred
	make  func(context.Context, string) (string, error)
}

func (f *closing) get(ctx context.Context, name string) (id string, err error) {
	f.mu.Lock()
	if c, ok := f.calls[name]; ok {
		f.mu.Unlock()
		<-c.over // ok: it is closed whatever comes
		return c.id, nil
	}
	c := &deferred{over: make(chan struct{})}
	f.calls[name] = c
	f.mu.Unlock()
	defer close(c.over)
	if c.id, err = f.make(ctx, name); err != nil {
		return "", err
	}
	return c.id, nil
}

type either struct {
	ended chan struct{}
	id    string
}

type closingTwice struct {
	calls map[string]*either
	make  func(context.Context, string) (string, error)
}

func (f *closingTwice) get(ctx context.Context, name string) (string, error) {
	if c, ok := f.calls[name]; ok {
		<-c.ended // ok: on both ways
		return c.id, nil
	}
	c := &either{ended: make(chan struct{})}
	f.calls[name] = c
	id, err := f.make(ctx, name)
	if err != nil {
		close(c.ended)
		return "", err
	}
	c.id = id
	close(c.ended)
	return id, nil
}

var errNotSynced = errors.New("not synced")

// An inventory starts its cache with the first call.
type inventory struct {
	once   sync.Once
	err    error
	client kubernetes.Interface
	stop   chan struct{}
	nodes  listers.NodeLister
}

func (i *inventory) Close() { close(i.stop) }

func (i *inventory) start(ctx context.Context) error {
	factory := informers.NewSharedInformerFactory(i.client, 0)
	nodes := factory.Core().V1().Nodes()
	i.nodes = nodes.Lister()
	synced := nodes.Informer().HasSynced
	factory.Start(i.stop)
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), synced) {
		return errNotSynced
	}
	return nil
}

// lister tells the first caller alone.
func (i *inventory) lister(ctx context.Context) (listers.NodeLister, error) {
	var err error
	i.once.Do(func() {
		factory := informers.NewSharedInformerFactory(i.client, 0)
		synced := factory.Core().V1().Nodes().Informer().HasSynced
		factory.Start(i.stop)
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if !cache.WaitForCacheSync(ctx.Done(), synced) {
			err = errNotSynced // want ignoredresult "only the caller of (*inventory).lister that runs the Once is told that cache.WaitForCacheSync has failed: the variable is that caller's own, and for all later ones the caches have synced; keep the error beside the Once" @137 "waits here" @131 "runs once"
		}
	})
	if err != nil {
		return nil, err
	}
	return i.nodes, nil
}

// listerWhile waits as long as the caller that is first.
func (i *inventory) listerWhile(ctx context.Context, synced cache.InformerSynced) (listers.NodeLister, error) {
	var err error
	i.once.Do(func() {
		if !cache.WaitForCacheSync(ctx.Done(), synced) {
			err = errNotSynced // want ignoredresult "only the caller of (*inventory).listerWhile that runs the Once is told that cache.WaitForCacheSync has failed: the variable is that caller's own, and for all later ones the caches have synced; keep the error beside the Once" @151 "waits here" @150 "runs once"
		}
	})
	return i.nodes, err
}

// filtered gives functions that all wait for as long as its caller lives.
func filtered(ctx context.Context, synced cache.InformerSynced) func(string) ([]string, error) {
	var once sync.Once
	return func(name string) ([]string, error) {
		var err error
		once.Do(func() {
			if !cache.WaitForCacheSync(ctx.Done(), synced) {
				err = errNotSynced // ok: whoever comes later has been stopped, too
			}
		})
		return []string{name}, err
	}
}

// listerToTheEnd waits until the inventory is closed.
func (i *inventory) listerToTheEnd(synced cache.InformerSynced) (listers.NodeLister, error) {
	var err error
	i.once.Do(func() {
		if !cache.WaitForCacheSync(i.stop, synced) {
			err = errNotSynced // ok
		}
	})
	return i.nodes, err
}

// listerForAll keeps it.
func (i *inventory) listerForAll(ctx context.Context) (listers.NodeLister, error) {
	i.once.Do(func() {
		i.err = i.start(ctx) // ok
	})
	return i.nodes, i.err
}

// made has an error of something else.
func (i *inventory) made() error {
	var err error
	i.once.Do(func() {
		err = errNotSynced // ok: no wait
	})
	return err
}

var (
	_ = (*flight).get
	_ = (*closing).get
	_ = (*closingTwice).get
	_ = (*inventory).lister
	_ = (*inventory).listerWhile
	_ = filtered
	_ = (*inventory).listerToTheEnd
	_ = (*inventory).listerForAll
	_ = (*inventory).made
)
