package abandoned

import (
	"context"
	"sync"

	ctrl "sigs.k8s.io/controller-runtime"
)

// connecting connects once for all that it reconciles.
type connecting struct {
	once    sync.Once
	connect func() error
}

// Reconcile connects at first.
func (c *connecting) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	var err error
	c.once.Do(func() { err = c.first(ctx) })
	return ctrl.Result{}, err
}

func (c *connecting) first(ctx context.Context) error {
	failed := make(chan error)
	go func() { failed <- c.connect() }() // ok: there is one of these
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// connections are a part of who reconciles.
type connections struct {
	once    sync.Once
	connect func() error
}

type parted struct{ all *connections }

// Reconcile connects at first.
func (p *parted) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	var err error
	p.all.once.Do(func() {
		failed := make(chan error)
		go func() { failed <- p.all.connect() }() // ok: there is one of these
		select {
		case err = <-failed:
		case <-ctx.Done():
		}
	})
	return ctrl.Result{}, err
}

// session is made anew again and again.
type session struct {
	once    sync.Once
	connect func() error
}

func (s *session) open(ctx context.Context) (err error) {
	s.once.Do(func() { err = s.dial(ctx) })
	return err
}

func (s *session) dial(ctx context.Context) error {
	failed := make(chan error)
	go func() { failed <- s.connect() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*session).dial, returns because its context is done (line 70); give the channel a buffer of 1" @68 "the channel is created here" @70 "this select may take another case"
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

var _ = (*session).open
