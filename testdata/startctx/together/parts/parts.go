// Package parts has what runs beside a manager.
package parts

import (
	"context"
	"net/http"
	"time"
)

// Page is a server.
type Page struct{ Addr string }

// Serve serves until ctx ends.
func (p *Page) Serve(ctx context.Context) error { // want Serve:"Server.ListenAndServe goes on serving at parts.go:20" Serve:"serves"
	server := &http.Server{Addr: p.Addr, ReadHeaderTimeout: time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

// Poll asks again and again.
func Poll(ctx context.Context, ask func()) { // want Poll:"Poll goes on at parts.go:24"
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Minute):
			ask()
		}
	}
}

// Attempt asks until there is an answer.
func Attempt(ctx context.Context, ask func() bool) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Minute):
			if ask() {
				return nil
			}
		}
	}
}

// Finish waits for what it has started itself.
func Finish(ctx context.Context, work func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		work()
	}()
	<-ctx.Done()
}

// Closable is a server that its owner may close.
type Closable struct{ server *http.Server }

// Show serves.
func (c *Closable) Show() error { return c.server.ListenAndServe() }

// Close ends it.
func (c *Closable) Close() error { return c.server.Close() }
