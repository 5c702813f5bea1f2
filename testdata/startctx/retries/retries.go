// Package retries has loops that take the error of an ended context for one that passes.
package retries

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/startctx/retries/client"
)

type agent struct {
	pods *client.Pods
	seen map[string]*corev1.Pod
	work chan string
}

func (a *agent) Run(ctx context.Context) error {
	for {
		err := a.ready(ctx) // want loop "once ctx has ended a.ready fails at once, and the loop in (*agent).Run takes that for an error that passes: it asks again and again, and goes on after it was asked to stop; leave it where ctx.Err() is not nil" @25 "the context that has ended"
		if err == nil {
			break
		}
		klog.Warningf("not ready: %v", err)
	}
	a.gone(ctx)
	a.leaves(ctx)
	a.looks(ctx)
	a.tells(ctx)
	a.counts(ctx)
	a.remembered(ctx)
	a.another(ctx)
	a.handedOut(ctx)
	a.literal(ctx)
	return nil
}

func (a *agent) ready(ctx context.Context) error {
	if _, err := a.pods.Get(ctx, "a", "b"); err != nil {
		return fmt.Errorf("getting b: %w", err)
	}
	return nil
}

func (a *agent) gone(ctx context.Context) {
	for {
		_, err := a.pods.Get(ctx, "a", "c") // want loop "once ctx has ended a.pods.Get fails at once, and the loop in (*agent).gone takes that for an error that passes: it asks again and again, and goes on after it was asked to stop; leave it where ctx.Err() is not nil" @52 "the context that has ended"
		if apierrors.IsNotFound(err) || apierrors.IsTimeout(err) {
			return
		}
		if err != nil {
			time.Sleep(time.Second)
		}
	}
}

func (a *agent) leaves(ctx context.Context) {
	for {
		if _, err := a.pods.Get(ctx, "a", "b"); err != nil { // ok: any error leaves the loop
			return
		}
	}
}

func (a *agent) looks(ctx context.Context) {
	for {
		if _, err := a.pods.Get(ctx, "a", "b"); err == nil { // ok: the loop looks at the context
			return
		}
		if ctx.Err() != nil {
			return
		}
	}
}

func (a *agent) tells(ctx context.Context) {
	for {
		_, err := a.pods.Get(ctx, "a", "b") // ok: the error of the context is told from others
		if err == nil || errors.Is(err, context.Canceled) {
			return
		}
	}
}

func (a *agent) counts(ctx context.Context) {
	failed := 0
	for {
		if _, err := a.pods.Get(ctx, "a", "b"); err == nil { // ok: it tries three times
			return
		}
		if failed++; failed > 3 {
			return
		}
	}
}

func (a *agent) remembered(ctx context.Context) {
	for {
		if _, err := a.pods.Maybe(ctx, a.seen, "a", "b"); err == nil { // ok: it may have what it looks for
			return
		}
	}
}

func (a *agent) another(context.Context) {
	ctx := context.Background()
	for {
		if _, err := a.pods.Get(ctx, "a", "b"); err == nil { // ok: of this context nobody says that it ends
			return
		}
	}
}

func (a *agent) handedOut(ctx context.Context) {
	for {
		select {
		case name := <-a.work:
			if _, err := a.pods.Get(ctx, "a", name); err != nil { // ok: the end of the context is the other case
				klog.Error(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (a *agent) literal(ctx context.Context) {
	again := func() {
		for {
			if err := a.ready(ctx); err == nil { // want loop "once ctx has ended a.ready fails at once, and the loop in (*agent).literal takes that for an error that passes: it asks again and again, and goes on after it was asked to stop; leave it where ctx.Err() is not nil" @134 "the context that has ended"
				return
			}
		}
	}
	again()
}

type reconciler struct{ pods *client.Pods }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	for {
		if _, err := r.pods.Get(short, req.Namespace, req.Name); err == nil { // want loop "once ctx has ended r.pods.Get fails at once, and the loop in (*reconciler).Reconcile takes that for an error that passes: it asks again and again, and goes on after the manager has stopped; leave it where ctx.Err() is not nil" @147 "the context that has ended"
			return ctrl.Result{}, nil
		}
	}
}

// with a deadline the context ends whoever asks.
func (a *agent) timed() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return a.until(ctx)
}

func (a *agent) until(ctx context.Context) error {
	for {
		list, err := a.pods.Clientset.CoreV1().Pods("").List(ctx, metav1.ListOptions{}) // want loop `once ctx has ended a.pods.Clientset.CoreV1().Pods("").List fails at once, and the loop in (*agent).until takes that for an error that passes: it asks again and again, and goes on for ever; leave it where ctx.Err() is not nil` @164 "the context that has ended"
		if err == nil && len(list.Items) == 0 {
			return nil
		}
	}
}

// of whom nobody knows whether their context ends before the process.
func (a *agent) unknown(ctx context.Context) {
	for {
		if _, err := a.pods.Get(ctx, "a", "b"); err == nil { // ok
			return
		}
	}
}

// memory has methods like those of a client, and asks nobody.
type memory struct{ pods map[string]*corev1.Pod }

func (m *memory) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Pod, error) {
	if pod := m.pods[name]; pod != nil {
		return pod, nil
	}
	return nil, errors.New("not there yet")
}

type waiter struct{ memory *memory }

func (w *waiter) Run(ctx context.Context) error {
	for {
		if _, err := w.memory.Get(ctx, "a", metav1.GetOptions{}); err == nil { // ok: it does not fail for the context
			return nil
		}
	}
}
