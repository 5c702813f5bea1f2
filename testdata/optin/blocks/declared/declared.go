// Package declared calls functions of which only -lockheld.blocks says that they block without bound.
package declared

import (
	"context"
	"sync"
	"time"

	"example.com/operators/optin/blocks/store"
)

type cache struct {
	mu      sync.Mutex
	journal store.Journal
	stop    chan struct{}
}

func (c *cache) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = store.Flush() // want blocking/possible "c.mu (locked at line 19) is held across store.Flush, which may block forever waiting for an external event; unlock first" @19 "c.mu is locked here"
}

func (c *cache) save() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sync() // want blocking/possible "c.mu (locked at line 25) is held across c.journal.Sync (declared.go:32, via (*cache).sync), which may block forever waiting for an external event; unlock first" @25 "c.mu is locked here" @27 "calls (*cache).sync" @32 "blocks here"
}

func (c *cache) sync() {
	if c.journal.Len() > 0 { // ok: not named
		_ = c.journal.Sync()
	}
}

func (c *cache) deadline() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = store.FlushContext(ctx, "") // ok: the context ends
}

func (c *cache) unlocked(ctx context.Context) {
	_ = store.FlushContext(ctx, "") // ok: no lock is held
	c.mu.Lock()
	c.mu.Unlock()
}
