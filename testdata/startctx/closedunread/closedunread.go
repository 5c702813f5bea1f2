// Package closedunread has objects that are stopped by a channel, and do or do not read it.
package closedunread

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// Tenant runs with a context that never ends.
type Tenant struct {
	cache cache.Cache
	stop  chan struct{}
	ctx   context.Context
}

// NewTenant makes one.
func NewTenant(cache cache.Cache) *Tenant {
	return &Tenant{cache: cache, stop: make(chan struct{}), ctx: context.Background()}
}

func (t *Tenant) Start() error { return t.cache.Start(t.ctx) } // want loop "t.cache.Start goes on forever with what it is given here: (*Tenant).Stop closes stop, and nobody reads that; give it a context or stop channel that ends then" @28 "stop is closed here"

// Stop closes what nobody reads.
func (t *Tenant) Stop() { close(t.stop) }

// Poller runs as long as the process.
type Poller struct {
	once sync.Once
	stop chan struct{}
}

// NewPoller makes one.
func NewPoller() *Poller { return &Poller{stop: make(chan struct{})} }

func (p *Poller) poll() {}

func (p *Poller) Start() { go wait.Until(p.poll, time.Second, context.Background().Done()) } // want loop "wait.Until goes on forever with what it is given here: (*Poller).Close closes stop, and nobody reads that; give it a context or stop channel that ends then" @44 "stop is closed here"

// Close closes what nobody reads.
func (p *Poller) Close() { p.once.Do(func() { close(p.stop) }) }

// Read reads it.
type Read struct {
	cache cache.Cache
	stop  chan struct{}
}

// NewRead makes one.
func NewRead(cache cache.Cache) *Read { return &Read{cache, make(chan struct{})} }

func (r *Read) Start() {
	go func() {
		_ = r.cache.Start(context.Background()) // ok: the channel is read, if for something else
	}()
	<-r.stop
}

// Stop ends Start.
func (r *Read) Stop() { close(r.stop) }

// Ended has another way to end it.
type Ended struct {
	cache cache.Cache
	stop  chan struct{}
	end   func()
}

// NewEnded makes one.
func NewEnded(cache cache.Cache, end func()) *Ended { return &Ended{cache, make(chan struct{}), end} }

func (e *Ended) Start() error {
	return e.cache.Start(context.Background()) // ok: end may end it
}

// Stop ends it.
func (e *Ended) Stop() {
	close(e.stop)
	e.end()
}

// Bounded runs with a context that somebody ends.
type Bounded struct {
	cache cache.Cache
	stop  chan struct{}
}

// NewBounded makes one.
func NewBounded(cache cache.Cache) *Bounded { return &Bounded{cache, make(chan struct{})} }

func (b *Bounded) Start(ctx context.Context) error {
	return b.cache.Start(ctx) // ok: the channel is left over
}

// Stop ends nothing, and nothing is to end.
func (b *Bounded) Stop() { close(b.stop) }

// Shown gives its channel to others.
type Shown struct {
	cache cache.Cache
	stop  chan struct{}
}

// NewShown makes one.
func NewShown(cache cache.Cache) *Shown { return &Shown{cache, make(chan struct{})} }

// Stopped is for others.
func (s *Shown) Stopped() <-chan struct{} { return s.stop }

func (s *Shown) Start() error {
	return s.cache.Start(context.Background()) // ok: others read it
}

// Stop tells the others.
func (s *Shown) Stop() { close(s.stop) }
