// Package patient asks servers with locks held.
package patient

import (
	"context"
	"database/sql"
	"net/http"
	"sync"
	"time"
)

// A Prober has clients of several kinds.
type Prober struct {
	mu      sync.Mutex
	plain   *http.Client
	timed   *http.Client
	handed  *http.Client
	db      *sql.DB
	answers int
}

func New(handed *http.Client) *Prober {
	return &Prober{
		plain:  &http.Client{Transport: &http.Transport{MaxIdleConns: 3}},
		timed:  &http.Client{Timeout: time.Second},
		handed: handed,
	}
}

func (p *Prober) Answers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers
}

func (p *Prober) Default(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := http.Get(url) // want blocking/possible "p.mu (locked at line 37) is held across http.Get, which may block forever waiting for a server to respond (it takes no context): (*Prober).Answers cannot acquire the lock meanwhile; unlock first" @37 "p.mu is locked here"
	return err
}

func (p *Prober) Plain(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.plain.Get(url) // want blocking/possible "p.mu (locked at line 44) is held across p.plain.Get, which may block forever waiting for a server to respond (it takes no context): (*Prober).Answers cannot acquire the lock meanwhile; unlock first" @44 "p.mu is locked here"
	return err
}

func (p *Prober) Request(url string) error {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err = p.plain.Do(req) // want blocking/possible "p.mu (locked at line 55) is held across p.plain.Do, which may block forever waiting for a server to respond (it takes no context): (*Prober).Answers cannot acquire the lock meanwhile; unlock first" @55 "p.mu is locked here"
	return err
}

func (p *Prober) Background(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ask(context.Background(), url) // want blocking/possible "p.mu (locked at line 62) is held across p.plain.Do (patient.go:72, via (*Prober).ask), which may block forever waiting for a server to respond (context.Background() is never done): (*Prober).Answers cannot acquire the lock meanwhile; unlock first" @62 "p.mu is locked here" @64 "calls (*Prober).ask" @72 "blocks here"
}

func (p *Prober) ask(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	_, err = p.plain.Do(req)
	return err
}

func (p *Prober) WithDeadline(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ask(ctx, url)
}

func (p *Prober) Timed(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.timed.Get(url)
	return err
}

// Handed has a client of which others know whether it has a Timeout.
func (p *Prober) Handed(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.handed.Get(url)
	return err
}

// Database has a bound in the name of its data source, as far as one knows.
func (p *Prober) Database() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.db.Exec("vacuum")
	return err
}

func (p *Prober) DatabaseWith(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.db.ExecContext(ctx, "vacuum")
	return err
}

// Unlocked asks without the lock.
func (p *Prober) Unlocked(url string) error {
	_, err := http.Get(url)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers++
	return err
}
