// No bug: the case for the end of the context only lets a flag down, which is the condition of the loop, so that what is batched is sent once more, with a context of its own, before Start returns.
//
//adv:rule=startctx sub=loop claim=no

// Package alertbatcher sends warnings of the cluster to a chat, some at a time.
package alertbatcher

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Alert is one line in the chat.
type Alert struct {
	Namespace, Object, Message string
	At                         time.Time
}

// Chat is where alerts go.
type Chat interface {
	Post(ctx context.Context, alerts []Alert) error
}

// Batcher is a Runnable.
type Batcher struct {
	chat  Chat
	in    chan Alert
	size  int
	every time.Duration
}

// Start implements manager.Runnable.
func (b *Batcher) Start(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("alerts")
	ticker := time.NewTicker(b.every)
	defer ticker.Stop()

	var batch []Alert
	post := func(ctx context.Context) {
		if len(batch) == 0 {
			return
		}
		if err := b.chat.Post(ctx, batch); err != nil {
			if ctx.Err() != nil {
				return // left for the last post
			}
			logger.Error(err, "alerts lost", "alerts", len(batch))
		}
		batch = nil
	}

	for running := true; running; {
		select {
		case <-ctx.Done():
			running = false
		case a := <-b.in:
			batch = append(batch, a)
			if len(batch) >= b.size {
				post(ctx)
			}
		case <-ticker.C:
			post(ctx)
		}
	}

	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	post(last)
	logger.Info("stopped")
	return nil
}

// Notify puts an alert into the next batch.
func (b *Batcher) Notify(ctx context.Context, a Alert) error {
	select {
	case b.in <- a:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Setup registers the batcher and the reconciler of events.
func Setup(mgr ctrl.Manager, chat Chat) error {
	b := &Batcher{chat: chat, in: make(chan Alert), size: 20, every: 10 * time.Second}
	if err := mgr.Add(b); err != nil {
		return fmt.Errorf("add batcher: %w", err)
	}
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).Named("alerts").For(&corev1.Event{}).
		Complete(reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
			e := &corev1.Event{}
			if err := c.Get(ctx, req.NamespacedName, e); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			if e.Type != corev1.EventTypeWarning {
				return reconcile.Result{}, nil
			}
			return reconcile.Result{}, b.Notify(ctx, Alert{
				Namespace: e.InvolvedObject.Namespace,
				Object:    e.InvolvedObject.Kind + "/" + e.InvolvedObject.Name,
				Message:   e.Message,
				At:        e.LastTimestamp.Time,
			})
		}))
}
