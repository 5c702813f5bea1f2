// Package gate asks its stores behind conditions of several parts and in helpers.
package gate

import (
	"context"
	"errors"
	"log"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/expectttl/store"
)

const patience = time.Minute

// moorings is a store with names of its own.
type moorings interface {
	ExpectBerth(port, ship string)
	BerthObserved(port, ship string)
	ForgetBerths(port string)
	BerthsFulfilled(port string) (bool, time.Duration)
}

var docks, piers moorings

// Harbour is like the controller that waits for a pod which came and went between two watches, under other names.
type Harbour struct{ gate bool }

func (h *Harbour) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if done, open := docks.BerthsFulfilled(req.Name); !done {
		if open >= patience {
			log.Println("late", req, open)
			return ctrl.Result{}, nil // want nowayout "returns without a requeue while docks is unsatisfied (line 31): if the event was lost, the object is never reconciled again; delete the expectation and requeue" @31 "BerthsFulfilled of docks returned false here"
		}
		return ctrl.Result{RequeueAfter: patience - open}, nil
	}
	docks.ExpectBerth(req.Name, "a")
	return ctrl.Result{}, nil
}

// Fixed is the same controller after its fix.
type Fixed struct{ gate bool }

func (h *Fixed) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if done, open := docks.BerthsFulfilled(req.Name); !done {
		if open >= patience {
			if h.gate {
				docks.ForgetBerths(req.Name)
				return ctrl.Result{RequeueAfter: time.Second}, nil
			}
			return ctrl.Result{}, nil // ok: a way out that may be taken
		}
		return ctrl.Result{RequeueAfter: patience - open}, nil
	}
	return ctrl.Result{}, nil
}

// Either waits for two stores in one condition.
type Either struct{}

func (e *Either) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	docked, _ := docks.BerthsFulfilled(req.Name)
	moored, _ := piers.BerthsFulfilled(req.Name)
	if !docked || !moored {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while docks is unsatisfied (line 63): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @63 "BerthsFulfilled of docks returned false here"
	}
	return ctrl.Result{}, nil
}

// Both goes on where both have it.
type Both struct{ sync func() error }

func (e *Both) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	docked, _ := docks.BerthsFulfilled(req.Name)
	moored, _ := piers.BerthsFulfilled(req.Name)
	ready := docked && moored
	if ready {
		return ctrl.Result{}, e.sync()
	}
	return ctrl.Result{}, nil // want nowayout "returns without a requeue while docks is unsatisfied (line 75): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @75 "BerthsFulfilled of docks returned false here"
}

// Paused stops for another reason, too, but comes back.
type Paused struct{ paused bool }

func (p *Paused) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	docked, _ := docks.BerthsFulfilled(req.Name)
	if p.paused || !docked {
		return ctrl.Result{RequeueAfter: time.Minute}, nil // ok: looks again
	}
	return ctrl.Result{}, nil
}

// Wrapped asks in a function that says yes or no.
type Wrapped struct{}

func (w *Wrapped) settled(port string) bool {
	done, _ := docks.BerthsFulfilled(port)
	if !done {
		log.Println("waiting for", port)
		return false
	}
	return true
}

func (w *Wrapped) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !w.settled(req.Name) {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while docks is unsatisfied (line 108): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @108 "BerthsFulfilled of docks returned false here"
	}
	return ctrl.Result{}, nil
}

// Patient asks in a function that ends the wait itself.
type Patient struct{}

func (p *Patient) settled(port string) bool {
	done, open := docks.BerthsFulfilled(port)
	if !done && open > patience {
		docks.ForgetBerths(port)
		return true
	}
	return done
}

func (p *Patient) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !p.settled(req.Name) {
		return ctrl.Result{}, nil // ok: settled lets go in the end
	}
	return ctrl.Result{}, nil
}

// status is what a step of a reconciler comes to.
type status struct{ ships int }

// Step drops the time in a function that returns something else than a Result.
type Step struct{ write func() error }

func (s *Step) advance(port string) (*status, error) {
	st := new(status)
	if done, _ := docks.BerthsFulfilled(port); !done {
		return st, nil // ok: hurry looks at the time of the same store
	}
	docks.ExpectBerth(port, "b")
	return st, s.write()
}

func (s *Step) dock(port string) (*status, error) {
	st := new(status)
	if done, _ := s.own().BerthsFulfilled(port); !done {
		return st, errors.New("not yet") // ok: an error is retried
	}
	return st, s.write()
}

func (s *Step) own() moorings { return piers }

func (s *Step) hurry(port string) time.Duration {
	done, open := docks.BerthsFulfilled(port)
	if !done && open > patience {
		docks.ForgetBerths(port)
	}
	return open
}

// Levels drops the time of a store that nobody else asks for it.
type Levels struct {
	levels *store.Versions
	write  func() error
}

func (l *Levels) advance(name string) (*status, error) {
	st := new(status)
	if done, _ := l.levels.IsSatisfied(name); !done {
		log.Println("waiting for", name)
		return st, nil // want nowayout "skips its work while l.levels is unsatisfied (line 174), however long that lasts: if the event was lost, it never works again; delete the expectation after a timeout" @174 "IsSatisfied of l.levels returned false here"
	}
	st.ships++
	if err := l.write(); err != nil {
		return st, err
	}
	l.levels.Expect(name)
	return st, nil
}

// hint answers with a number, and nothing is skipped.
func hint(levels *store.Versions, name string) int {
	if done, _ := levels.IsSatisfied(name); !done {
		return 1 // ok: nothing waits
	}
	return 0
}

var _, _, _, _ = (*Step).advance, (*Step).dock, (*Step).hurry, hint
