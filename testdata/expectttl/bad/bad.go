// Package bad waits for expectations that nothing ends.
package bad

import (
	"context"
	"log"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/expectttl/store"
)

const patience = 5 * time.Minute

var births store.Births

// Overdue logs that it has waited long enough, and waits on.
type Overdue struct{}

func (r *Overdue) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if ok, since, missing := births.SatisfiedExpectations(req.String()); !ok {
		if since >= patience {
			log.Println("overdue", req, missing)
			return ctrl.Result{}, nil // want nowayout "returns without a requeue while births is unsatisfied (line 24): if the event was lost, the object is never reconciled again; delete the expectation and requeue" @24 "SatisfiedExpectations of births returned false here"
		}
		return ctrl.Result{RequeueAfter: patience - since}, nil
	}
	births.ExpectBirth(req.String(), "a")
	return ctrl.Result{}, nil
}

// Fields keeps its stores in fields and asks in a loop.
type Fields struct {
	versions *store.Versions
	names    []string
}

func (r *Fields) Reconcile(_ context.Context, req ctrl.Request) (res ctrl.Result, err error) {
	defer func() {
		if err == nil && res.RequeueAfter == 0 {
			log.Println("done with", req)
		}
	}()
	for _, name := range r.names {
		r.versions.Observe(name)
		satisfied, since := r.versions.IsSatisfied(name)
		if satisfied == false {
			if since < patience {
				return ctrl.Result{RequeueAfter: time.Second}, nil
			}
			log.Println("overdue", name)
			return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.versions is unsatisfied (line 49): if the event was lost, the object is never reconciled again; delete the expectation and requeue" @49 "IsSatisfied of r.versions returned false here"
		}
	}
	return ctrl.Result{}, nil
}

// Dropped does not even look how long it has waited.
type Dropped struct{}

func (r *Dropped) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	ok, _, missing := store.Shared.SatisfiedExpectations(req.String())
	if ok {
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	for _, m := range missing {
		log.Println("missing", m)
	}
	return ctrl.Result{}, nil // want nowayout "returns without a requeue while Shared is unsatisfied (line 65): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @65 "SatisfiedExpectations of Shared returned false here"
}

// Helper waits in a function whose result the reconciler hands on.
type Helper struct{ versions *store.Versions }

func (r *Helper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.sync(ctx, req.Name)
}

func (r *Helper) sync(_ context.Context, name string) (ctrl.Result, error) {
	result := ctrl.Result{}
	if ok, _ := r.versions.IsSatisfied(name); !ok {
		return result, nil // want nowayout "returns without a requeue while r.versions is unsatisfied (line 84): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @84 "IsSatisfied of r.versions returned false here"
	}
	result.RequeueAfter = time.Minute
	return result, nil
}

// Worker takes keys from a queue, and forgets those whose sync gives no error.
type Worker struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (w *Worker) next() bool {
	key, quit := w.queue.Get()
	if quit {
		return false
	}
	defer w.queue.Done(key)
	if err := w.sync(key); err != nil {
		w.queue.AddRateLimited(key)
		return true
	}
	w.queue.Forget(key)
	return true
}

func (w *Worker) sync(key string) error {
	if ok, since, _ := births.SatisfiedExpectations(key); !ok {
		log.Println("waiting since", since)
		return nil // want nowayout "returns without a requeue while births is unsatisfied (line 111): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @111 "SatisfiedExpectations of births returned false here"
	}
	return nil
}

// pending is home-made and keeps no time.
type pending struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (p *pending) Expect(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[key] = true
}

func (p *pending) Observe(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.keys, key)
}

func (p *pending) Satisfied(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.keys[key]
}

// Timeless waits for it.
type Timeless struct{ pending *pending }

func (r *Timeless) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.pending.Satisfied(req.Name) {
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while r.pending is unsatisfied (line 146), and it has no timeout: if the event was lost, the object is never reconciled again; add a timeout and requeue" @146 "Satisfied of r.pending returned false here"
	}
	return ctrl.Result{}, nil
}

// Status writes a status before it gives up.
type Status struct{ write func() error }

func (r *Status) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := r.write()
	if ok, _, _ := births.SatisfiedExpectations(req.String()); !ok {
		if err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil // want nowayout "returns without a requeue while births is unsatisfied (line 157): if the event was lost, the object is never reconciled again; requeue, and delete the expectation after a timeout" @157 "SatisfiedExpectations of births returned false here"
	}
	return ctrl.Result{}, nil
}
