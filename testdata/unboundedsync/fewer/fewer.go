// Package fewer has functions that receive less often from a channel than they have started goroutines which send to it.
package fewer

import (
	"context"
	"errors"
	"io"
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
		body <- b // want abandoned "this send waits forever where (*mirror).early has returned before it receives (line 27): nobody else receives from a channel without room; make it with room for one" @20 "the channel is made here" @27 "this returns"
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

// pipe copies in both directions, and is done with one of them.
func pipe(a, b io.ReadWriteCloser) error {
	done := make(chan error)
	go func() {
		_, err := io.Copy(a, b)
		done <- err
	}()
	go func() {
		_, err := io.Copy(b, a)
		done <- err // want abandoned "this send waits forever in some goroutine: pipe starts 2 such goroutines, and receives from one; the channel has no room, and nobody else receives: make room for all" @92 "the channel is made here" @97 "the goroutine is started here"
	}()
	err := <-done
	_ = a.Close()
	_ = b.Close()
	return err
}

// pipeBoth waits for both.
func pipeBoth(a, b io.ReadWriteCloser) error {
	done := make(chan error)
	go func() {
		_, err := io.Copy(a, b)
		done <- err // ok
	}()
	go func() {
		_, err := io.Copy(b, a)
		done <- err // ok
	}()
	err := <-done
	_ = a.Close()
	_ = b.Close()
	return errors.Join(err, <-done)
}

// pipeRoom has room for the other one.
func pipeRoom(a, b io.ReadWriteCloser) error {
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(a, b)
		done <- err // ok
	}()
	go func() {
		_, err := io.Copy(b, a)
		done <- err // ok
	}()
	return <-done
}

// three have room for one only.
func three(a, b, c func() error) error {
	done := make(chan error, 1)
	go func() { done <- a() }() // ok: there is room for one of them, and one is received
	go func() { done <- b() }()
	go func() { done <- c() }() // want abandoned "this send waits forever in some goroutine: three starts 3 such goroutines, and receives from one; the channel has room for 1, and nobody else receives: make room for all" @140 "the channel is made here" @143 "the goroutine is started here"
	return <-done
}

// failing sends where something has failed, which it may not have.
func failing(a, b func() error) error {
	failed := make(chan error)
	go func() {
		if err := a(); err != nil {
			failed <- err // ok: one of them may never send
		}
	}()
	go func() {
		if err := b(); err != nil {
			failed <- err
		}
	}()
	return <-failed
}

// fastest takes the first answer.
func fastest(mirrors []*mirror, path string) []byte {
	answers := make(chan []byte)
	for _, m := range mirrors {
		go func() {
			b, _ := m.fetch(m.url + path)
			answers <- b // want abandoned "this send waits forever in some goroutine: a loop starts such goroutines, and fastest receives from one; the channel has no room, and nobody else receives: make room for all" @165 "the channel is made here" @167 "the goroutine is started here"
		}()
	}
	return <-answers
}

// fixed starts as many as it receives from.
func fixed(m *mirror) []byte {
	answers := make(chan []byte)
	for _, path := range []string{"a", "b"} {
		go func() {
			b, _ := m.fetch(m.url + path)
			answers <- b // ok
		}()
	}
	return append(<-answers, <-answers...)
}

// each starts one and receives from it.
func each(mirrors []*mirror, path string) (all []byte) {
	answers := make(chan []byte)
	for _, m := range mirrors {
		go func() {
			b, _ := m.fetch(m.url + path)
			answers <- b // ok
		}()
		all = append(all, <-answers...)
	}
	return all
}

// Run lasts as long as the process.
func Run(a, b func() error) error {
	done := make(chan error)
	go func() { done <- a() }()
	go func() { done <- b() }() // ok: the process ends
	return <-done
}

// forward gives its caller what is ready, and the goroutine goes on until that closes stop.
func forward(serve func(ready chan<- struct{}, stop <-chan struct{}) error) (stop chan struct{}, err error) {
	ready, stop := make(chan struct{}), make(chan struct{})
	failed := make(chan error)
	go func() {
		failed <- serve(ready, stop) // want abandoned "this send waits forever where forward has returned before, as it does when it has received from another channel (line 215): nobody else receives from a channel without room; make it with room for one" @211 "the channel is made here" @215 "this may take another way"
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
	go func() { one <- a() }() // want abandoned "this send waits forever where eitherOf has returned before, as it does when it has received from another channel (line 243): nobody else receives from a channel without room; make it with room for one" @240 "the channel is made here" @243 "this may take another way"
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
	got <- b // want abandoned "this send waits forever where (*mirror).given has returned before, as it does when its context has ended (line 367): nobody else receives from a channel without room; make it with room for one" @365 "the channel is made here" @367 "this may take another way"
}

var _ = []any{
	(*mirror).early, (*mirror).waits, (*mirror).same, (*mirror).drops, (*mirror).deferred, (*mirror).given, pipe, pipeBoth, pipeRoom, three, failing,
	fastest, fixed, each, forward, forwardRoom, eitherOf, oneOf, behind, handedOn, joined, asked, hook,
}
