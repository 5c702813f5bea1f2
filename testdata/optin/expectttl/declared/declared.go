// Package declared has an expectation store that does not look like one. What it is has to be said with
// -expectttl.types.
package declared

import (
	"context"
	"sync"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Ledger keeps what was written and has not come back.
type Ledger struct {
	mu   sync.Mutex
	open map[string]time.Time
}

// Open notes a write.
func (l *Ledger) Open(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[key] = time.Now()
}

// GetBack notes that a write has come back.
func (l *Ledger) GetBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, key)
}

// Balanced says whether nothing is open, and since when something is.
func (l *Ledger) Balanced(key string) (bool, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.open[key]
	return !ok, time.Since(t)
}

// Unsettled says whether something is open; nobody has to wait for that.
func (l *Ledger) Unsettled(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.open[key]
	return ok
}

// Waits gives up without a way out.
type Waits struct{ ledger *Ledger }

// Reconcile reconciles.
func (r *Waits) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, _ := r.ledger.Balanced(req.String()); !ok {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.ledger is unsatisfied (line 54): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @54 "Balanced of r.ledger returned false here"
	}
	r.ledger.Open(req.String())
	return ctrl.Result{}, nil
}

// Releases takes the expectation back when it has waited long enough.
type Releases struct{ ledger *Ledger }

// Reconcile reconciles.
func (r *Releases) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, since := r.ledger.Balanced(req.String()); !ok {
		if since < time.Minute {
			return ctrl.Result{RequeueAfter: time.Minute - since}, nil
		}
		r.ledger.GetBack(req.String())
		return ctrl.Result{}, nil // ok: the expectation is gone
	}
	r.ledger.Open(req.String())
	return ctrl.Result{}, nil
}

// Asks asks by a method that is no question about expectations.
type Asks struct{ ledger *Ledger }

// Reconcile reconciles.
func (r *Asks) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if r.ledger.Unsettled(req.String()) {
		return ctrl.Result{}, nil // ok: not a method that was declared
	}
	return ctrl.Result{}, nil
}
