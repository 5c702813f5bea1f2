package nottl

import (
	"context"
	"sync"

	ctrl "sigs.k8s.io/controller-runtime"
)

// A throttledStore has a field with ttl in its name, and keeps no time.
type throttledStore struct {
	mu        sync.Mutex
	want      map[string]int
	throttled bool
}

func (s *throttledStore) Expect(k string, n int) { s.mu.Lock(); s.want[k] = n; s.mu.Unlock() }
func (s *throttledStore) Observe(k string)       { s.mu.Lock(); s.want[k]--; s.mu.Unlock() }
func (s *throttledStore) AnnotationsSatisfied(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.want[k] == 0
}

// Throttled asks by a name that has not in it, as letters.
type Throttled struct{ s *throttledStore }

func (r *Throttled) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.s.AnnotationsSatisfied(req.String()) {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.s is unsatisfied (line 29), and it has no timeout: if the event was lost, the object is never reconciled again; add a timeout and requeue" @29 "AnnotationsSatisfied of r.s returned false here"
	}
	return ctrl.Result{}, nil
}
