package loop

import (
	"context"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// A dialer gives its context to what it calls, and goes on whatever comes of that.
type dialer struct {
	dial func(context.Context) error
}

var _ manager.Runnable = &dialer{}

func (d *dialer) Start(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for {
		if err := d.dial(ctx); err != nil {
			time.Sleep(time.Second) // want loop "loop around time.Sleep in (*dialer).Start does not exit with the context of (*dialer).Start (line 18): it continues after the manager has stopped; return when the context is done"
		}
	}
}

// A leaver ends with what it calls.
type leaver struct {
	dial func(context.Context) error
}

var _ manager.Runnable = &leaver{}

func (l *leaver) Start(ctx context.Context) error {
	for {
		if err := l.dial(ctx); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

// A processor waits in what it calls.
type processor struct {
	mu     sync.Mutex
	events chan string
	seen   map[string]int
}

var _ manager.Runnable = &processor{}

func (p *processor) Start(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.process()
	return nil
}

func (p *processor) process() {
	for {
		p.handle(p.next()) // want loop "loop around the receive from p.events (line 68) in (*processor).process never checks the context of (*processor).Start (line 54): it continues after the manager has stopped; return when the context is done"
	}
}

func (p *processor) next() string { return <-p.events }

func (p *processor) handle(e string) {
	p.mu.Lock()
	p.seen[e]++
	p.mu.Unlock()
}
