// Package expect remembers which Pods a pool has asked for and not seen yet.
package expect

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
)

// Action is what was asked for.
type Action string

const (
	Create Action = "create"
	Delete Action = "delete"
)

// Scale keeps the scale actions of all pools that the cache has not shown yet.
type Scale struct {
	mu    sync.Mutex
	pools map[string]*pool
}

type pool struct {
	open    map[Action]sets.Set[string]
	firstAt time.Time
}

func NewScale() *Scale { return &Scale{pools: map[string]*pool{}} }

func (s *Scale) ExpectScale(key string, action Action, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pools[key]
	if p == nil {
		p = &pool{open: map[Action]sets.Set[string]{}}
		s.pools[key] = p
	}
	if p.open[action] == nil {
		p.open[action] = sets.New[string]()
	}
	p.open[action].Insert(name)
}

func (s *Scale) ObserveScale(key string, action Action, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pools[key]
	if p == nil {
		return
	}
	p.open[action].Delete(name)
	for _, names := range p.open {
		if names.Len() > 0 {
			return
		}
	}
	delete(s.pools, key)
}

// SatisfiedExpectations says whether nothing is open, and else since when.
func (s *Scale) SatisfiedExpectations(key string) (bool, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pools[key]
	if p == nil {
		return true, 0
	}
	if p.firstAt.IsZero() {
		p.firstAt = time.Now()
	}
	return false, time.Since(p.firstAt)
}

func (s *Scale) DeleteExpectations(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pools, key)
}
