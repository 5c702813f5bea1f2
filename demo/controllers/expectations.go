package controllers

import (
	"sync"
	"time"
)

// Expectations remember for which Backups a job was made that the cache does not show yet. Without them, a Backup that is
// looked at in between would have two. The zero value is ready for use.
type Expectations struct {
	pending sync.Map // since when, by key
}

// ExpectCreation notes that a job is about to be made for key.
func (e *Expectations) ExpectCreation(key string) { e.pending.Store(key, time.Now()) }

// CreationObserved notes that the cache shows it, or that nobody needs to know any more.
func (e *Expectations) CreationObserved(key string) { e.pending.Delete(key) }

// Satisfied says whether nothing is expected for key, and else for how long it has been.
func (e *Expectations) Satisfied(key string) (bool, time.Duration) {
	if since, ok := e.pending.Load(key); ok {
		return false, time.Since(since.(time.Time))
	}
	return true, 0
}
