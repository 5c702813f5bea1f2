// Package nottl waits for stores that keep no time.
package nottl

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/expectttl/store"
)

// Imported asks a store of another package whose fields can hold no time.
type Imported struct{ names *store.Names }

func (r *Imported) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.names.Satisfied(req.NamespacedName) {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.names is unsatisfied (line 20), and it has no timeout: if the event was lost, the object is never reconciled again; add a timeout and requeue" @20 "Satisfied of r.names returned false here"
	}
	return ctrl.Result{}, nil
}

// ByInterface asks an interface whose implementations are known to keep none.
type ByInterface struct{ gaps store.Gaps }

func (r *ByInterface) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, _ := r.gaps.SatisfiedExpectations(req.Name); !ok {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.gaps is unsatisfied (line 30), and it has no timeout: if the event was lost, the object is never reconciled again; add a timeout and requeue" @30 "SatisfiedExpectations of r.gaps returned false here"
	}
	return ctrl.Result{}, nil
}

// AnyCounts asks an interface that a store with a timeout implements.
type AnyCounts struct{ counts store.CountsInterface }

func (r *AnyCounts) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.counts.SatisfiedExpectations(req.Name) {
		return ctrl.Result{}, nil // ok: the timeout is inside
	}
	return ctrl.Result{}, nil
}

// Pending gives an error, so that the queue comes back.
type Pending struct{ names *store.Names }

func (r *Pending) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.names.Satisfied(req.NamespacedName) {
		return ctrl.Result{}, errors.New("pending") // ok: retried
	}
	return ctrl.Result{}, nil
}

// ledger is generic, home-made and keeps no time.
type ledger[T comparable] struct {
	open map[types.NamespacedName]sets.Set[T]
}

func (l *ledger[T]) expect(key types.NamespacedName, what ...T) { l.open[key] = sets.New(what...) }

func (l *ledger[T]) observed(key types.NamespacedName, what T) { l.open[key].Delete(what) }

func (l *ledger[T]) satisfied(key types.NamespacedName) bool { return l.open[key].Len() == 0 }

// Generic asks an instance of it.
type Generic struct{ open *ledger[types.UID] }

func (r *Generic) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.open.satisfied(req.NamespacedName) {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.open is unsatisfied (line 71), and it has no timeout: if the event was lost, the object is never reconciled again; add a timeout and requeue" @71 "satisfied of r.open returned false here"
	}
	r.open.expect(req.NamespacedName, "a")
	return ctrl.Result{}, nil
}

// stamped keeps the time of each expectation.
type stamped struct{ since map[string]time.Time }

func (s *stamped) Expect(key string)  { s.since[key] = time.Now() }
func (s *stamped) Observe(key string) { delete(s.since, key) }
func (s *stamped) Satisfied(key string) bool {
	t, open := s.since[key]
	return !open || time.Since(t) > time.Minute
}

// Stamped asks it.
type Stamped struct{ stamped stamped }

func (r *Stamped) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.stamped.Satisfied(req.Name) {
		return ctrl.Result{}, nil // ok: it forgets by itself
	}
	return ctrl.Result{}, nil
}
