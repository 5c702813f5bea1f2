// Package sites runs a syncer for each site.
package sites

import (
	"context"
	"sync"
	"time"
)

// Syncer pushes what has changed to one site.
type Syncer interface {
	Push(ctx context.Context, endpoint string) (revision string, err error)
}

type run struct {
	endpoint string
	cancel   context.CancelFunc
	wg       sync.WaitGroup
}

// Manager has a goroutine for each site.
type Manager struct {
	Syncer Syncer
	Every  time.Duration

	mu        sync.Mutex
	runs      map[string]*run
	revisions map[string]string
}

// New makes a manager without sites.
func New(s Syncer, every time.Duration) *Manager {
	return &Manager{Syncer: s, Every: every, runs: map[string]*run{}, revisions: map[string]string{}}
}

// Ensure starts the site, anew if its endpoint has changed.
func (m *Manager) Ensure(name, endpoint string) {
	m.mu.Lock()
	old := m.runs[name]
	if old != nil && old.endpoint == endpoint {
		m.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{endpoint: endpoint, cancel: cancel}
	r.wg.Add(1)
	m.runs[name] = r
	m.mu.Unlock()

	if old != nil {
		old.cancel()
		old.wg.Wait()
	}
	go func() {
		defer r.wg.Done()
		m.loop(ctx, name, endpoint)
	}()
}

// Remove ends the site and comes back when its goroutine has.
func (m *Manager) Remove(name string) {
	m.mu.Lock()
	r, ok := m.runs[name]
	delete(m.runs, name)
	m.mu.Unlock()
	if ok {
		r.cancel()
		r.wg.Wait()
	}
	m.mu.Lock()
	delete(m.revisions, name)
	m.mu.Unlock()
}

// Revision is what the site has.
func (m *Manager) Revision(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.revisions[name]
}

func (m *Manager) loop(ctx context.Context, name, endpoint string) {
	tick := time.NewTicker(m.Every)
	defer tick.Stop()
	for {
		if rev, err := m.Syncer.Push(ctx, endpoint); err == nil {
			m.mu.Lock()
			m.revisions[name] = rev
			m.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
