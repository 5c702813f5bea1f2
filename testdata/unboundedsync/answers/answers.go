// Package answers has loops that answer requests, of which somebody may no longer wait for the answer.
package answers

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type request struct {
	name   string
	answer chan metav1.Time
}

type server struct {
	requests chan request
	done     chan struct{}
}

// ask leaves when its context ends.
func (s *server) ask(ctx context.Context, name string) (metav1.Time, error) {
	r := request{name: name, answer: make(chan metav1.Time)}
	s.requests <- r
	select {
	case t := <-r.answer:
		return t, nil
	case <-ctx.Done():
		return metav1.Time{}, ctx.Err()
	}
}

func (s *server) serve() {
	for {
		select {
		case r := <-s.requests:
			if r.name == "" {
				r.answer <- metav1.Time{} // want abandoned "this reply blocks (*server).serve forever, so it serves no further request, if (*server).ask has returned because its context is done (line 24); give r.answer a buffer of 1" @22 "the channel is created here" @24 "this select may take another case"
				continue
			}
			r.answer <- metav1.Now()
		case <-s.done:
			return
		}
	}
}

type roomy struct{ answer chan metav1.Time }

type quick struct {
	requests chan roomy
}

func (q *quick) ask(ctx context.Context) (metav1.Time, error) {
	r := roomy{answer: make(chan metav1.Time, 1)}
	q.requests <- r
	select {
	case t := <-r.answer:
		return t, nil
	case <-ctx.Done():
		return metav1.Time{}, ctx.Err()
	}
}

func (q *quick) serve() {
	for r := range q.requests {
		r.answer <- metav1.Now() // ok: there is room for it
	}
}

type bounded struct{ answer chan metav1.Time }

type polite struct {
	requests chan bounded
}

func (p *polite) ask(ctx context.Context) (metav1.Time, error) {
	r := bounded{answer: make(chan metav1.Time)}
	p.requests <- r
	select {
	case t := <-r.answer:
		return t, nil
	case <-ctx.Done():
		return metav1.Time{}, ctx.Err()
	}
}

func (p *polite) serve(ctx context.Context) {
	for r := range p.requests {
		select {
		case r.answer <- metav1.Now(): // ok: it waits for its context, too
		case <-ctx.Done():
			return
		}
	}
}

type faithful struct{ answer chan metav1.Time }

type patient struct {
	requests chan faithful
}

func (p *patient) ask() metav1.Time {
	r := faithful{answer: make(chan metav1.Time)}
	p.requests <- r
	return <-r.answer
}

func (p *patient) serve() {
	for r := range p.requests {
		r.answer <- metav1.Now() // ok: who asks waits
	}
}

// drained has somebody who takes what is left.
type drained struct{ answer chan metav1.Time }

type tidy struct {
	requests chan drained
}

func (t *tidy) ask(ctx context.Context) (metav1.Time, error) {
	r := drained{answer: make(chan metav1.Time)}
	t.requests <- r
	select {
	case at := <-r.answer:
		return at, nil
	case <-ctx.Done():
		go r.drain()
		return metav1.Time{}, ctx.Err()
	}
}

func (d drained) drain() { <-d.answer }

func (t *tidy) serve() {
	for r := range t.requests {
		r.answer <- metav1.Now() // ok: somebody takes it
	}
}

var _ = []any{(*server).ask, (*server).serve, (*quick).ask, (*quick).serve, (*polite).ask, (*polite).serve, (*patient).ask, (*patient).serve, (*tidy).ask, (*tidy).serve}
