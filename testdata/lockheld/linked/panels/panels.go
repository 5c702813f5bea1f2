// Package panels is as pages, and its server does not wait for its clients forever.
package panels

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
		write(w, l) // ok: the server has a WriteTimeout
	}
}

// Health writes little: there is room for that on the way.
func (b *Board) Health(w http.ResponseWriter, _ *http.Request) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	fmt.Fprintln(w, "ok") // ok: a line
}

func write(w io.Writer, line string) { _, _ = fmt.Fprintln(w, line) }
