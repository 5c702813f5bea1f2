// Package stock has two shelves, whose locks two packages that know nothing of each other take.
package stock

import "sync"

// Store has a front and a back.
type Store struct {
	Front FrontShelf
	Back  BackShelf
}

// FrontShelf is the one in front.
type FrontShelf struct{ mu sync.Mutex }

// BackShelf is the one behind.
type BackShelf struct{ mu sync.Mutex }

// Lock locks.
func (f *FrontShelf) Lock() { f.mu.Lock() }

// Unlock unlocks.
func (f *FrontShelf) Unlock() { f.mu.Unlock() }

// Lock locks.
func (b *BackShelf) Lock() { b.mu.Lock() }

// Unlock unlocks.
func (b *BackShelf) Unlock() { b.mu.Unlock() }
