// The goroutine that reads pages sends by a select with the context that the sweep cancels when it leaves early, so nobody is left behind.
//
//adv:rule=unboundedsync sub=abandoned claim=no

package bucketpages

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Bucket is where artifacts lie.
type Bucket interface {
	Page(ctx context.Context, prefix, token string) (keys []string, next string, err error)
	Remove(ctx context.Context, key string) error
}

type sweeper struct {
	client client.Client
	bucket Bucket
	budget int
}

type page struct {
	keys []string
	err  error
}

// pages reads ahead by one page, until there are no more or the context ends.
func (s *sweeper) pages(ctx context.Context, prefix string) <-chan page {
	out := make(chan page)
	go func() {
		defer close(out)
		token := ""
		for {
			keys, next, err := s.bucket.Page(ctx, prefix, token)
			select {
			case out <- page{keys: keys, err: err}:
			case <-ctx.Done():
				return
			}
			if err != nil || next == "" {
				return
			}
			token = next
		}
	}()
	return out
}

func (s *sweeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var ns corev1.Namespace
	if err := s.client.Get(ctx, req.NamespacedName, &ns); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	prefix, ok := ns.Annotations["artifacts.acme.io/prefix"]
	if !ok {
		return reconcile.Result{}, nil
	}
	removed, done, err := s.sweep(ctx, ns.Name, prefix)
	log.FromContext(ctx).Info("swept", "prefix", prefix, "removed", removed, "done", done)
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("sweeping %s: %w", prefix, err)
	}
	if !done {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	return reconcile.Result{RequeueAfter: 6 * time.Hour}, nil
}

func (s *sweeper) sweep(ctx context.Context, namespace, prefix string) (removed int, done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for p := range s.pages(ctx, prefix) {
		if p.err != nil {
			return removed, false, p.err
		}
		for _, key := range p.keys {
			used, err := s.used(ctx, namespace, key)
			if err != nil {
				return removed, false, err
			}
			if used {
				continue
			}
			if err := s.bucket.Remove(ctx, key); err != nil {
				return removed, false, err
			}
			if removed++; removed >= s.budget {
				return removed, false, nil
			}
		}
	}
	return removed, ctx.Err() == nil, ctx.Err()
}

func (s *sweeper) used(ctx context.Context, namespace, key string) (bool, error) {
	name := strings.ReplaceAll(key, "/", "-")
	err := s.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &corev1.ConfigMap{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// Add creates the controller.
func Add(mgr manager.Manager, bucket Bucket) error {
	c, err := controller.New("artifact-sweeper", mgr, controller.Options{
		Reconciler: &sweeper{client: mgr.GetClient(), bucket: bucket, budget: 500},
	})
	if err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](mgr.GetCache(), &corev1.Namespace{}, &handler.EnqueueRequestForObject{}))
}
