package goneby

import (
	"errors"
	"io"
)

// packets gives whole packets, of a socket that has no end.
type packets interface {
	Read() (any, error)
}

type reason int

const (
	none reason = iota
	gone
	failed
)

// listener returns where a read has given io.EOF, which nothing in sight gives.
type listener struct {
	conn packets
	stop chan struct{}
}

func newListener(conn packets) *listener {
	l := &listener{conn: conn, stop: make(chan struct{})}
	go l.listen()
	return l
}

func (l *listener) Stop() { l.stop <- struct{}{} } // ok

func (l *listener) listen() {
	for {
		select {
		case <-l.stop:
			return
		default:
			if l.next() == gone {
				return
			}
		}
	}
}

func (l *listener) next() reason {
	if _, err := l.conn.Read(); err != nil {
		if errors.Is(err, io.EOF) {
			return gone
		}
		return failed
	}
	return none
}

// source gives bytes, as an io.Reader does.
type source interface {
	Read(to []byte) (int, error)
}

// bytewise reads bytes, which come to an end.
type bytewise struct {
	conn source
	stop chan struct{}
}

func newBytewise(conn source) *bytewise {
	b := &bytewise{conn: conn, stop: make(chan struct{})}
	go b.listen()
	return b
}

func (b *bytewise) Stop() {
	b.stop <- struct{}{} // want abandoned "this send waits forever once (*bytewise).listen has returned by itself (line 86): nobody else receives from stop; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @81 "the only one who receives" @86 "it returns here without a send"
}

func (b *bytewise) listen() {
	for {
		select {
		case <-b.stop:
			return
		default:
			if b.next() == gone {
				return
			}
		}
	}
}

func (b *bytewise) next() reason {
	if _, err := b.conn.Read(make([]byte, 100)); err != nil {
		if err == io.EOF {
			return gone
		}
		return failed
	}
	return none
}

// stubborn returns for a reason that its own function never gives.
type stubborn struct {
	conn packets
	stop chan struct{}
}

func newStubborn(conn packets) *stubborn {
	s := &stubborn{conn: conn, stop: make(chan struct{})}
	go s.listen()
	return s
}

func (s *stubborn) Stop() { s.stop <- struct{}{} } // ok

func (s *stubborn) listen() {
	for {
		select {
		case <-s.stop:
			return
		default:
			if s.next() == gone {
				return
			}
		}
	}
}

func (s *stubborn) next() reason {
	if _, err := s.conn.Read(); err != nil {
		return failed
	}
	return none
}

// ending returns for each error.
type ending struct {
	conn packets
	stop chan struct{}
}

func newEnding(conn packets) *ending {
	e := &ending{conn: conn, stop: make(chan struct{})}
	go e.listen()
	return e
}

func (e *ending) Stop() {
	e.stop <- struct{}{} // want abandoned "this send waits forever once (*ending).listen has returned by itself (line 159): nobody else receives from stop; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @154 "the only one who receives" @159 "it returns here without a send"
}

func (e *ending) listen() {
	for {
		select {
		case <-e.stop:
			return
		default:
			if e.next() == gone {
				return
			}
		}
	}
}

func (e *ending) next() reason {
	if _, err := e.conn.Read(); err != nil {
		return gone
	}
	return none
}
