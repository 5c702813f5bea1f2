// Package pages answers under a lock, and leaves it to others to set up the server.
package pages

import (
	"fmt"
	"io"
	"net/http"
	"sync"
)

// Board has lines.
type Board struct {
	mu    sync.RWMutex
	lines []string
}

// Add needs the lock.
func (b *Board) Add(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
}

// ServeHTTP writes all lines under the lock.
func (b *Board) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, l := range b.lines {
		write(w, l) // want blocking/possible "b.mu (read-locked at line 26) is held across fmt.Fprintln (pages.go:40, through write), which waits without bound for a client that does not read: nothing in the program sets the WriteTimeout of an http.Server" @26 "b.mu is read-locked here" @29 "calls write" @40 "waits here"
	}
}

// Health writes little: there is room for that on the way.
func (b *Board) Health(w http.ResponseWriter, _ *http.Request) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	fmt.Fprintln(w, "ok") // ok: a line
}

func write(w io.Writer, line string) { _, _ = fmt.Fprintln(w, line) }
