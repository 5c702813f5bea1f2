// Package fewer has functions that may return before they receive from a channel to which goroutines of theirs send.
package fewer

import (
	"context"
	"errors"
	"sync"
)

var errEmpty = errors.New("nothing there")

type mirror struct {
	url   string
	fetch func(url string) ([]byte, error)
}

// early returns before it receives.
func (m *mirror) early(path string) ([]byte, error) {
	body := make(chan []byte)
	go func() {
		b, _ := m.fetch(m.url + path)
		body <- b // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*mirror).early, returns early (line 26); give the channel a buffer of 1" @19 "the channel is created here" @26 "returns here"
	}()
	sum, err := m.fetch(m.url + path + ".sum")
	if err != nil {
		return nil, err
	}
	return append(sum, <-body...), nil
}

// waits receives on all ways.
func (m *mirror) waits(path string) ([]byte, error) {
	body := make(chan []byte)
	go func() {
		b, _ := m.fetch(m.url + path)
		body <- b // ok
	}()
	sum, err := m.fetch(m.url + path + ".sum")
	b := <-body
	if err != nil {
		return nil, err
	}
	return append(sum, b...), nil
}

// same asks the same before it starts the goroutine and before it receives.
func (m *mirror) same(path string, both bool) []byte {
	body := make(chan []byte)
	if both {
		go func() {
			b, _ := m.fetch(m.url + path)
			body <- b // ok: where it is started, it is received
		}()
	}
	sum, _ := m.fetch(m.url + path + ".sum")
	if !both {
		return sum
	}
	return append(sum, <-body...)
}

// drops starts none where it returns early.
func (m *mirror) drops(path string) ([]byte, error) {
	body := make(chan []byte)
	if path == "" {
		return nil, errEmpty
	}
	go func() {
		b, _ := m.fetch(m.url + path)
		body <- b // ok
	}()
	return <-body, nil
}

// deferred receives when it returns.
func (m *mirror) deferred(path string) error {
	done := make(chan struct{})
	go func() {
		_, _ = m.fetch(m.url + path)
		done <- struct{}{} // ok
	}()
	defer func() { <-done }()
	if _, err := m.fetch(m.url); err != nil {
		return err
	}
	return nil
}

// forward gives its caller what is ready, and the goroutine goes on until that closes stop.
func forward(serve func(ready chan<- struct{}, stop <-chan struct{}) error) (stop chan struct{}, err error) {
	ready, stop := make(chan struct{}), make(chan struct{})
	failed := make(chan error)
	go func() {
		failed <- serve(ready, stop) // want abandoned "send blocks forever (goroutine leak) if its only receiver, forward, returns because it receives from another channel (line 96); give the channel a buffer of 1" @92 "the channel is created here" @96 "this select may take another case"
	}()
	select {
	case <-ready:
		return stop, nil
	case err := <-failed:
		return nil, err
	}
}

// forwardRoom has room for the end.
func forwardRoom(serve func(ready chan<- struct{}, stop <-chan struct{}) error) (stop chan struct{}, err error) {
	ready, stop := make(chan struct{}), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- serve(ready, stop) // ok
	}()
	select {
	case <-ready:
		return stop, nil
	case err := <-failed:
		return nil, err
	}
}

// eitherOf has two channels, one for each.
func eitherOf(a, b func() error) error {
	one, other := make(chan error), make(chan error)
	go func() { one <- a() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, eitherOf, returns because it receives from another channel (line 124); give the channel a buffer of 1" @121 "the channel is created here" @124 "this select may take another case"
	go func() { other <- b() }()
	select {
	case err := <-one:
		return err
	case err := <-other:
		return err
	}
}

// oneOf sends to one of two, and tells of the end behind that.
func oneOf(get func() ([]byte, error)) ([]byte, error) {
	got, failed := make(chan []byte), make(chan error)
	go func() {
		b, err := get()
		if err != nil {
			failed <- err
			return
		}
		got <- b // ok: the other one is not sent then
	}()
	select {
	case b := <-got:
		return b, nil
	case err := <-failed:
		return nil, err
	}
}

// behind tells of the end when all is sent.
func behind(get func() []byte) (all []byte) {
	got, done := make(chan []byte), make(chan struct{})
	go func() {
		got <- get() // ok: the end comes behind it
		close(done)
	}()
	for {
		select {
		case b := <-got:
			all = append(all, b...)
		case <-done:
			return all
		}
	}
}

// handedOn gives the channel to somebody who tells of the end when all is sent.
func handedOn(get func() []byte, tell func(done chan<- struct{})) (all []byte) {
	got, done := make(chan []byte), make(chan struct{})
	go func() {
		got <- get() // ok: the end comes behind it
		tell(done)
	}()
	for {
		select {
		case b := <-got:
			all = append(all, b...)
		case <-done:
			return all
		}
	}
}

// joined tells of the end when the sender has ended.
func joined(get func() []byte) (all []byte) {
	got, done := make(chan []byte), make(chan struct{})
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		got <- get() // ok: the end is told of behind it
	}()
	go func() {
		group.Wait()
		close(done)
	}()
	for {
		select {
		case b := <-got:
			all = append(all, b...)
		case <-done:
			return all
		}
	}
}

// asked is told by its caller when to leave.
func asked(get func() []byte, stop <-chan struct{}) []byte {
	got := make(chan []byte)
	go func() { got <- get() }() // ok: who closes stop ends with all of this
	select {
	case b := <-got:
		return b
	case <-stop:
		return nil
	}
}

type limiter struct{ ready chan struct{} }

func newLimiter() (*limiter, error) { return &limiter{ready: make(chan struct{})}, nil }

// hook waits for what the function around it has made.
func hook(serve func(*limiter) error) (func() error, error) {
	l, err := newLimiter()
	if err != nil {
		return nil, err
	}
	return func() error {
		failed := make(chan error)
		go func() {
			failed <- serve(l) // ok: it lasts as long as the limiter
		}()
		select {
		case err := <-failed:
			return err
		case <-l.ready:
			return nil
		}
	}, nil
}

// given starts a method that is given the channel.
func (m *mirror) given(ctx context.Context) ([]byte, error) {
	got := make(chan []byte)
	go m.get(got)
	select {
	case b := <-got:
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *mirror) get(got chan<- []byte) {
	b, _ := m.fetch(m.url)
	got <- b // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*mirror).given, returns because its context is done (line 248); give the channel a buffer of 1" @246 "the channel is created here" @248 "this select may take another case"
}

var _ = []any{(*mirror).early, (*mirror).waits, (*mirror).same, (*mirror).drops, (*mirror).deferred, (*mirror).given, forward, forwardRoom, eitherOf, oneOf, behind, handedOn, joined, asked, hook}
