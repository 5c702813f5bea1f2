// Each reconciliation that finds a new address starts a follower and puts its cancel function into the map, but it looks at the entry that is there first, cancels it and waits for its goroutine.
//
//adv:rule=startctx sub=pilesup claim=no

package shardwatch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"example.com/pages/good/shardwatch/stream"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type follower struct {
	url    string
	cancel context.CancelFunc
	done   chan struct{}
}

func (f *follower) stop() {
	f.cancel()
	<-f.done
}

// ShardReconciler follows the change log of each shard's Service.
type ShardReconciler struct {
	client.Client

	mu        sync.Mutex
	root      context.Context
	followers map[types.NamespacedName]*follower
	lines     atomic.Int64
}

func (r *ShardReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.followers = make(map[types.NamespacedName]*follower)
	if err := mgr.Add(r); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("shardwatch").For(&corev1.Service{}).Complete(r)
}

// Start gives the followers a context, and ends them.
func (r *ShardReconciler) Start(ctx context.Context) error {
	r.mu.Lock()
	r.root = ctx
	r.mu.Unlock()
	<-ctx.Done()
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, f := range r.followers {
		f.stop()
		delete(r.followers, key)
	}
	return nil
}

func (r *ShardReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	err := r.Get(ctx, req.NamespacedName, svc)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if err != nil || svc.Labels["db.example.com/shard"] == "" || svc.DeletionTimestamp != nil {
		r.drop(req.NamespacedName)
		return ctrl.Result{}, nil
	}
	if !r.follow(req.NamespacedName, "http://"+svc.Spec.ClusterIP+":7777/changes") {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	log.FromContext(ctx).V(1).Info("shard is followed", "lines", r.lines.Load())
	return ctrl.Result{}, nil
}

func (r *ShardReconciler) drop(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.followers[key]; f != nil {
		f.stop()
		delete(r.followers, key)
	}
}

// follow says no as long as there is no context to do so.
func (r *ShardReconciler) follow(key types.NamespacedName, url string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.root == nil {
		return false
	}
	if r.root.Err() != nil {
		return true
	}
	if old, ok := r.followers[key]; ok {
		if old.url == url {
			return true
		}
		old.stop()
	}
	ctx, cancel := context.WithCancel(r.root)
	f := &follower{url: url, cancel: cancel, done: make(chan struct{})}
	r.followers[key] = f
	go func() {
		defer close(f.done)
		logger := log.FromContext(ctx).WithValues("shard", key)
		wait.UntilWithContext(ctx, func(ctx context.Context) {
			if err := stream.Follow(ctx, url, func(string) { r.lines.Add(1) }); err != nil && ctx.Err() == nil {
				logger.Error(err, "stream broke off")
			}
		}, 5*time.Second)
	}()
	return true
}
