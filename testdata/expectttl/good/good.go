// Package good waits for expectations and has a way out.
package good

import (
	"context"
	"errors"
	"log"
	"time"

	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/expectttl/store"
)

const patience = 5 * time.Minute

var (
	births store.Births
	gate   bool
)

// Gated releases the expectation, where a feature gate lets it.
type Gated struct{}

func (r *Gated) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, since, _ := births.SatisfiedExpectations(req.String()); !ok {
		if since >= patience {
			if gate {
				births.DeleteExpectations(req.String())
				return ctrl.Result{RequeueAfter: time.Second}, nil
			}
			return ctrl.Result{}, nil // ok: a way out that may be taken is one
		}
		return ctrl.Result{RequeueAfter: patience - since}, nil
	}
	return ctrl.Result{}, nil
}

// Inverted gives up waiting on the fall-through.
type Inverted struct{ versions *store.Versions }

func (r *Inverted) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, since := r.versions.IsSatisfied(req.Name); !ok {
		if since < patience {
			return ctrl.Result{}, nil // ok: the event of the write comes, and an overdue one is released below
		}
		r.versions.Observe(req.Name)
	}
	return ctrl.Result{}, nil
}

// InHelper releases in a function that it calls.
type InHelper struct{ versions *store.Versions }

func (r *InHelper) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, since := r.versions.IsSatisfied(req.Name); !ok {
		r.giveUp(req.Name, since)
		return ctrl.Result{}, nil // ok: giveUp releases
	}
	return ctrl.Result{}, nil
}

func (r *InHelper) giveUp(name string, since time.Duration) {
	if since > patience {
		go func() { r.versions.Observe(name) }()
	}
}

// Elsewhere calls the package that owns the store.
type Elsewhere struct{}

func (r *Elsewhere) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, _, _ := store.Shared.SatisfiedExpectations(req.String()); !ok {
		store.Drop(req.String())
		return ctrl.Result{}, nil // ok: a function beside the store may release
	}
	return ctrl.Result{}, nil
}

// Error gives an error, which makes the queue come back.
type Error struct{}

func (r *Error) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, _, _ := births.SatisfiedExpectations(req.String()); !ok {
		return ctrl.Result{}, errors.New("not yet") // ok: errors are retried
	}
	return ctrl.Result{}, nil
}

// Level looks again every second.
type Level struct{}

func (r *Level) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	res := ctrl.Result{}
	if ok, _, _ := births.SatisfiedExpectations(req.String()); !ok {
		res.RequeueAfter = time.Second
		return res, nil // ok: requeued
	}
	return res, nil
}

// BuiltIn asks a store with a timeout of its own.
type BuiltIn struct{ counts *store.Counts }

func (r *BuiltIn) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.counts.SatisfiedExpectations(req.String()) {
		return ctrl.Result{}, nil // ok: a plain bool of another package's type
	}
	return ctrl.Result{}, nil
}

// hint takes the answer as a hint only.
func hint(q workqueue.TypedRateLimitingInterface[string], key string) {
	if ok, _, _ := births.SatisfiedExpectations(key); !ok {
		q.Add(key)
		return // ok: nothing waits
	}
	q.AddAfter(key, time.Second)
}

// durations keeps when a key is to be looked at again.
type durations struct{ next map[string]time.Duration }

func (d *durations) Push(key string, after time.Duration) { d.next[key] = after }

// Pushes leaves the wake-up to another place.
type Pushes struct{ later durations }

func (r *Pushes) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, since, _ := births.SatisfiedExpectations(req.String()); !ok {
		r.later.Push(req.String(), patience-since)
		return ctrl.Result{}, nil // ok: the rest of the time is handed over
	}
	return ctrl.Result{}, nil
}

// Deferred changes its result on the way out.
type Deferred struct{}

func (r *Deferred) Reconcile(_ context.Context, req ctrl.Request) (res ctrl.Result, err error) {
	defer func() { res.RequeueAfter = time.Minute }()
	if ok, _, _ := births.SatisfiedExpectations(req.String()); !ok {
		return ctrl.Result{}, nil // ok: the deferred function sets RequeueAfter
	}
	return ctrl.Result{}, nil
}

// Deleting need not wait for anything.
type Deleting struct{ deleting bool }

func (r *Deleting) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, _, _ := births.SatisfiedExpectations(req.String()); !ok {
		if r.deleting {
			return ctrl.Result{}, nil // ok: another reason to stop
		}
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return ctrl.Result{}, nil
}

// Caller replaces what its helper returns.
type Caller struct{}

func (r *Caller) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	res, err := r.step(req.String())
	if res.RequeueAfter == 0 {
		res.RequeueAfter = time.Minute
	}
	return res, err
}

func (r *Caller) step(key string) (ctrl.Result, error) {
	if ok, _, _ := births.SatisfiedExpectations(key); !ok {
		return ctrl.Result{}, nil // ok: the caller requeues
	}
	return ctrl.Result{}, nil
}

// rules has the names of a store, and is none.
type rules struct{ facts map[string]bool }

func (s *rules) SetFact(name string)        { s.facts[name] = true }
func (s *rules) DeleteFact(name string)     { delete(s.facts, name) }
func (s *rules) Satisfied(name string) bool { return s.facts[name] }

// Solver asks it.
type Solver struct{ rules *rules }

func (r *Solver) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.rules.Satisfied(req.Name) {
		log.Println("no rule for", req)
		return ctrl.Result{}, nil // ok: no expectation
	}
	return ctrl.Result{}, nil
}

var _ = hint
