// The Runnable comes back at once and leaves a goroutine behind that is given no context and works with context.Background(), but it ends with the channel that context.AfterFunc closes when the manager stops.
//
//adv:rule=startctx sub=detached claim=no

package beacon

import (
	"context"
	"fmt"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Beacon shows on a Lease that the operator of the mesh lives.
type Beacon struct {
	client.Client
	Namespace, Identity string
	Interval            time.Duration

	once   sync.Once
	wakeup chan struct{}
}

func (b *Beacon) SetupWithManager(mgr ctrl.Manager) error {
	b.wakeup = make(chan struct{}, 1)
	if b.Interval <= 0 {
		b.Interval = 15 * time.Second
	}
	start := func(r manager.Runnable) error { return mgr.Add(r) }
	if err := start(manager.RunnableFunc(b.light)); err != nil {
		return fmt.Errorf("beacon: %w", err)
	}
	return ctrl.NewControllerManagedBy(mgr).Named("beacon").For(&corev1.Namespace{}).Complete(b)
}

// Reconcile wakes the beacon where the mesh has got a new Namespace.
func (b *Beacon) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := b.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ns.Labels["mesh"] == "on" {
		select {
		case b.wakeup <- struct{}{}:
		default:
		}
	}
	return ctrl.Result{}, nil
}

// light comes back at once: whoever adds Runnables later need not wait for it.
func (b *Beacon) light(ctx context.Context) error {
	quit := make(chan struct{})
	context.AfterFunc(ctx, func() { b.once.Do(func() { close(quit) }) })
	go b.shine(quit)
	return nil
}

func (b *Beacon) shine(quit <-chan struct{}) {
	logger := log.Log.WithName("beacon")
	tick := time.NewTicker(b.Interval)
	defer tick.Stop()
	for {
		ctx, cancel := context.WithTimeout(context.Background(), b.Interval)
		err := b.renew(ctx)
		cancel()
		if err != nil {
			logger.Error(err, "beacon was not renewed")
		}
		select {
		case <-quit:
			logger.Info("beacon goes out")
			return
		case <-tick.C:
		case <-b.wakeup:
		}
	}
}

func (b *Beacon) renew(ctx context.Context) error {
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: b.Namespace, Name: "mesh-beacon"}}
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, lease, func() error {
		now := metav1.NowMicro()
		lease.Spec.HolderIdentity = &b.Identity
		lease.Spec.RenewTime = &now
		return nil
	})
	return err
}
