// Package units expects as many objects as a loop has turns.
package units

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Ledger counts the objects that are to come, and forgets them after a while.
type Ledger struct {
	mu    sync.Mutex
	owed  map[string]int
	since time.Time
}

func (l *Ledger) add(key string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owed[key] += n
	l.since = time.Now()
}

func (l *Ledger) ExpectCreations(key string, n int)   { l.add(key, n) }
func (l *Ledger) CreationObserved(key string)         { l.add(key, -1) }
func (l *Ledger) LowerExpectations(key string, n int) { l.add(key, -n) }

func (l *Ledger) DeleteExpectations(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.owed, key)
}

func (l *Ledger) SatisfiedExpectations(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owed[key] <= 0 || time.Since(l.since) > time.Minute
}

type reconciler struct {
	client.Client
	ledger *Ledger
}

// stopsEarly takes one back, and leaves those that it has not come to.
func (r *reconciler) stopsEarly(ctx context.Context, key string, n int) error {
	r.ledger.ExpectCreations(key, n) // want notlowered "r.ledger keeps some of what ExpectCreations expects here (line 52): the loop may end at line 56 before its last turn: what it has not come to is not taken back, and whoever waits for r.ledger waits in vain" @51 "the loop is here"
	for range n {
		if err := r.Create(ctx, &corev1.Pod{}); err != nil {
			r.ledger.CreationObserved(key)
			return err
		}
	}
	return nil
}

// breaks does so, too.
func (r *reconciler) breaks(ctx context.Context, key string, n int) (err error) {
	r.ledger.ExpectCreations(key, n) // want notlowered "r.ledger keeps some of what ExpectCreations expects here (line 64): the loop may end at line 71 before its last turn: what it has not come to is not taken back, and whoever waits for r.ledger waits in vain" @65 "the loop is here"
	for i := 0; i < n; i++ {
		if err = r.Create(ctx, &corev1.Pod{}); err != nil {
			r.ledger.CreationObserved(key)
			break
		}
	}
	return err
}

// lowersBehind counts what it has made.
func (r *reconciler) lowersBehind(ctx context.Context, key string, n int) (err error) { // ok
	r.ledger.ExpectCreations(key, n)
	made := 0
	for range n {
		if err = r.Create(ctx, &corev1.Pod{}); err != nil {
			break
		}
		made++
	}
	if made < n {
		r.ledger.LowerExpectations(key, n-made)
	}
	return err
}

// lowersTheRest takes all back that it has not come to.
func (r *reconciler) lowersTheRest(ctx context.Context, key string, n int) error { // ok
	r.ledger.ExpectCreations(key, n)
	for i := 0; i < n; i++ {
		if err := r.Create(ctx, &corev1.Pod{}); err != nil {
			r.ledger.LowerExpectations(key, n-i)
			return err
		}
	}
	return nil
}

// goesOn comes to all of them.
func (r *reconciler) goesOn(ctx context.Context, key string, n int) (failed error) { // ok
	r.ledger.ExpectCreations(key, n)
	for i := 0; i < n; i++ {
		if err := r.Create(ctx, &corev1.Pod{}); err != nil {
			r.ledger.CreationObserved(key)
			failed = err
		}
	}
	return failed
}

// skips expects one for each name, and makes none for some.
func (r *reconciler) skips(ctx context.Context, key string, names []string, have map[string]bool) (failed error) {
	r.ledger.ExpectCreations(key, len(names)) // want notlowered "r.ledger keeps some of what ExpectCreations expects here (line 116): a turn of the loop may end without a request, and without taking back the one that was expected for it, and whoever waits for r.ledger waits in vain" @115 "the loop is here"
	for _, name := range names {
		if have[name] {
			continue
		}
		pod := &corev1.Pod{}
		pod.Name = name
		if err := r.Create(ctx, pod); err != nil {
			r.ledger.CreationObserved(key)
			failed = err
		}
	}
	return failed
}

// skipsAndTakesBack does so, too.
func (r *reconciler) skipsAndTakesBack(ctx context.Context, key string, names []string, have map[string]bool) (failed error) { // ok
	r.ledger.ExpectCreations(key, len(names))
	for _, name := range names {
		if have[name] {
			r.ledger.CreationObserved(key)
			continue
		}
		pod := &corev1.Pod{}
		pod.Name = name
		if err := r.Create(ctx, pod); err != nil {
			r.ledger.CreationObserved(key)
			failed = err
		}
	}
	return failed
}

// another loop has not as many turns as are expected.
func (r *reconciler) another(ctx context.Context, key string, names []string, missing int) (failed error) { // ok
	r.ledger.ExpectCreations(key, missing)
	for _, name := range names {
		if name == "" {
			continue
		}
		if err := r.Create(ctx, &corev1.Pod{}); err != nil {
			r.ledger.CreationObserved(key)
			failed = err
		}
	}
	return failed
}

// abroad starts what pays.
func (r *reconciler) abroad(ctx context.Context, key string, n int) { // ok: each goroutine makes one, or takes it back
	r.ledger.ExpectCreations(key, n)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if err := r.Create(ctx, &corev1.Pod{}); err != nil {
				r.ledger.CreationObserved(key)
			}
		})
	}
	wg.Wait()
}

func keyOf(o client.Object) string { return join(o.GetNamespace(), o.GetName()) }

func join(namespace, name string) string { return namespace + "/" + name }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &corev1.ReplicationController{}
	err := r.Get(ctx, req.NamespacedName, set)
	if apierrors.IsNotFound(err) {
		r.ledger.DeleteExpectations(keyOf(set)) // want neverdeleted "DeleteExpectations drops nothing: the object that its key is made of was not found (line 184), and has no name; take the name from the request" @184 "nothing is read into it here"
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if !r.ledger.SatisfiedExpectations(keyOf(set)) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if set.DeletionTimestamp != nil {
		r.ledger.DeleteExpectations(keyOf(set)) // ok: it was read
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.stopsEarly(ctx, keyOf(set), 3)
}

type named struct{ reconciler }

func (r *named) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &corev1.ReplicationController{}
	set.Name, set.Namespace = req.Name, req.Namespace
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.ledger.DeleteExpectations(keyOf(set)) // ok: it has a name
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, nil
}

type asked struct{ reconciler }

func (r *asked) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &corev1.ReplicationController{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.ledger.DeleteExpectations(set.Namespace + "/" + set.Name) // want neverdeleted "DeleteExpectations drops nothing: the object that its key is made of was not found (line 220), and has no name; take the name from the request" @220 "nothing is read into it here"
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.ledger.DeleteExpectations(req.String())
	return ctrl.Result{}, nil
}
