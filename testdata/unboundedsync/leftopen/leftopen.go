// Package leftopen waits for channels that somebody closes, or not, and for itself.
package leftopen

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type loader struct {
	client.Client
	failed chan struct{} // closed on success only
	either chan struct{}
	erring chan struct{}
	late   chan struct{}
}

func newLoader(c client.Client) *loader {
	return &loader{c, make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})}
}

func (l *loader) load() error { return nil }

// Start gives up where it fails, and tells nobody.
func (l *loader) Start(context.Context) error {
	if err := l.load(); err != nil {
		return nil
	}
	close(l.failed)
	return nil
}

func (l *loader) closesAlways() {
	if err := l.load(); err != nil {
		close(l.either)
		return
	}
	close(l.either)
}

// fails ends the process where it fails.
func (l *loader) fails() error {
	if err := l.load(); err != nil {
		return err
	}
	close(l.erring)
	return nil
}

// tries is called again.
func (l *loader) tries() bool {
	if err := l.load(); err != nil {
		return false
	}
	close(l.late)
	return true
}

func (l *loader) retry() {
	for !l.tries() {
		time.Sleep(time.Second)
	}
}

func (l *loader) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	<-l.failed // want neverstops "this waits forever where (*loader).Start has come back at line 29 without having closed failed: nobody else does; close it there, too, or wait for a context as well" @29 "here it is not closed" @31 "it is closed here only"
	<-l.either
	<-l.erring
	<-l.late
	select {
	case <-l.failed: // ok: a context ends it
	case <-ctx.Done():
	}
	return ctrl.Result{}, nil
}

// A releaser works off what others put there, and what it puts there itself.
type releaser struct {
	todo, spare, alone, many chan string
	left                     []string
}

func newReleaser() *releaser {
	r := &releaser{todo: make(chan string, 8), spare: make(chan string, 8), alone: make(chan string, 1), many: make(chan string, 8)}
	go r.again()
	go r.keeps()
	go r.turns()
	for range 4 {
		go r.workers()
	}
	return r
}

func (r *releaser) release(string) error { return nil }

func (r *releaser) again() {
	for id := range r.todo {
		if err := r.release(id); err != nil {
			r.todo <- id // want neverstops "(*releaser).again waits for itself here once others have filled todo: it is the only one that receives from it (line 99); keep what is left over in a list of its own, or send in a select with a default" @99 "it receives here"
		}
	}
}

func (r *releaser) keeps() {
	for id := range r.spare {
		if err := r.release(id); err == nil {
			continue
		}
		select {
		case r.spare <- id: // ok: it goes on where there is no room
		default:
			r.left = append(r.left, id)
		}
	}
}

// turns puts back what it has taken out.
func (r *releaser) turns() {
	for id := range r.alone {
		r.alone <- id // ok: nobody else puts anything there
	}
}

func (r *releaser) workers() {
	for id := range r.many {
		if err := r.release(id); err != nil {
			r.many <- id // ok: there are others
		}
	}
}

func (r *releaser) add(ctx context.Context, id string) error {
	select {
	case r.todo <- id:
	case r.spare <- id:
	case r.many <- id:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
