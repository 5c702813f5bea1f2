// Package store has expectation stores of several shapes for the examples.
package store

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
)

// Births waits for objects to appear in the cache; how long to wait is up to the caller.
type Births interface {
	ExpectBirth(key, name string)
	ObserveBirth(key, name string)
	SatisfiedExpectations(key string) (bool, time.Duration, []string)
	DeleteExpectations(key string)
}

// Shared is a store that several controllers use.
var Shared Births

// Drop forgets all that Shared expects for key.
func Drop(key string) { Shared.DeleteExpectations(key) }

// Versions waits for the cache to reach a version.
type Versions struct {
	mu   sync.Mutex
	want map[string]time.Time
}

// Expect notes a write of name.
func (v *Versions) Expect(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.want[name] = time.Now()
}

// Observe notes that the cache has name.
func (v *Versions) Observe(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.want, name)
}

// IsSatisfied says whether the cache has name, and for how long it has not.
func (v *Versions) IsSatisfied(name string) (bool, time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	t, waiting := v.want[name]
	return !waiting, time.Since(t)
}

// Counts forgets what it expects after five minutes, by itself.
type Counts struct {
	mu    sync.Mutex
	since map[string]time.Time
}

// ExpectCreations notes that n objects are to come.
func (c *Counts) ExpectCreations(key string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > 0 {
		c.since[key] = time.Now()
	}
}

// CreationObserved notes one of them.
func (c *Counts) CreationObserved(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.since, key)
}

// SatisfiedExpectations says whether all have come, or were waited for long enough.
func (c *Counts) SatisfiedExpectations(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, waiting := c.since[key]
	return !waiting || time.Since(t) > 5*time.Minute
}

// CountsInterface is what Counts does.
type CountsInterface interface {
	ExpectCreations(key string, n int)
	CreationObserved(key string)
	SatisfiedExpectations(key string) bool
}

// Names waits for names, and keeps no time.
type Names struct {
	mu   sync.Mutex
	open map[types.NamespacedName]sets.Set[string]
}

// ExpectNames notes that names are to come.
func (n *Names) ExpectNames(key types.NamespacedName, names ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open[key] = sets.New(names...)
}

// ObservedName notes one of them.
func (n *Names) ObservedName(key types.NamespacedName, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open[key].Delete(name)
}

// Satisfied says whether all have come.
func (n *Names) Satisfied(key types.NamespacedName) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.open[key].Len() == 0
}

// Gaps waits for names, too, and says which are missing.
type Gaps interface {
	ExpectName(key, name string)
	ObserveName(key, name string)
	SatisfiedExpectations(key string) (bool, []string)
}

// NewGaps makes a store.
func NewGaps() Gaps { return &gaps{} }

type gaps struct {
	mu   sync.Mutex
	open map[string]sets.Set[string]
}

func (g *gaps) ExpectName(key, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[key].Insert(name)
}

func (g *gaps) ObserveName(key, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[key].Delete(name)
}

func (g *gaps) SatisfiedExpectations(key string) (bool, []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open[key].Len() == 0, g.open[key].UnsortedList()
}

// Tally counts what is to come and what is to go, in the manner of the workload controllers.
type Tally interface {
	ExpectCreations(key string, n int) error
	ExpectDeletions(key string, n int) error
	SetExpectations(key string, add, del int) error
	RaiseExpectations(key string, add, del int)
	LowerExpectations(key string, add, del int)
	CreationObserved(key string)
	DeletionObserved(key string)
	DeleteExpectations(key string)
	SatisfiedExpectations(key string) bool
}

// Scale waits for names to come or to go.
type Scale interface {
	ExpectScale(key, action, name string)
	ObserveScale(key, action, name string)
	SatisfiedExpectations(key string) (bool, time.Duration, []string)
	DeleteExpectations(key string)
}

// What a Scale waits for.
const (
	Create = "create"
	Delete = "delete"
)
