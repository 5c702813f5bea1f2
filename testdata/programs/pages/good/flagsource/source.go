// The source's Start only registers its handler and its wait stands in WaitForSync, which has the controller's deadline; the other Start that waits is that of a Runnable.
//
//adv:rule=unboundedsync sub=sourcestart claim=no

package flagsource

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// flags tells of the feature flags that the control cluster has.
type flags struct {
	control cluster.Cluster
	synced  toolscache.InformerSynced
}

var _ source.SyncingSource = &flags{}

// Start implements source.Source.
func (f *flags) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	informer, err := f.informer(ctx)
	if err != nil {
		return err
	}
	reg, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { enqueue(queue, obj) },
		UpdateFunc: func(_, obj any) { enqueue(queue, obj) },
		DeleteFunc: func(obj any) { enqueue(queue, obj) },
	})
	if err != nil {
		return fmt.Errorf("watching flags: %w", err)
	}
	f.synced = reg.HasSynced
	return nil
}

func (f *flags) informer(ctx context.Context) (informer, error) {
	return f.control.GetCache().GetInformer(ctx, &corev1.ConfigMap{}, nonBlocking)
}

// WaitForSync implements source.SyncingSource.
func (f *flags) WaitForSync(ctx context.Context) error {
	if f.synced == nil {
		return errors.New("flags were not started")
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), f.synced) {
		return fmt.Errorf("flags: %w", context.Cause(ctx))
	}
	return nil
}

func enqueue(queue workqueue.TypedRateLimitingInterface[reconcile.Request], obj any) {
	name, err := toolscache.DeletionHandlingObjectToName(obj)
	if err != nil {
		return
	}
	queue.Add(reconcile.Request{NamespacedName: types.NamespacedName(name)})
}

// warmup logs how many flags there are as soon as that is known.
type warmup struct {
	control cluster.Cluster
}

// Start implements manager.Runnable.
func (w *warmup) Start(ctx context.Context) error {
	if !w.control.GetCache().WaitForCacheSync(ctx) {
		return ctx.Err()
	}
	list := &corev1.ConfigMapList{}
	if err := w.control.GetClient().List(ctx, list); err != nil {
		return err
	}
	ctrl.LoggerFrom(ctx).Info("flags are there", "count", len(list.Items))
	return nil
}

// FlagReconciler copies flags to the local cluster.
type FlagReconciler struct {
	client.Client
	control client.Reader
}

func (r *FlagReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	from := &corev1.ConfigMap{}
	err := r.control.Get(ctx, req.NamespacedName, from)
	to := &corev1.ConfigMap{}
	to.Namespace, to.Name = req.Namespace, req.Name
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(r.Delete(ctx, to))
	}
	_, err = ctrl.CreateOrUpdate(ctx, r.Client, to, func() error {
		to.Data = from.Data
		return nil
	})
	return ctrl.Result{}, err
}

// Setup wires everything.
func Setup(mgr ctrl.Manager, control cluster.Cluster) error {
	if err := mgr.Add(control); err != nil {
		return err
	}
	if err := mgr.Add(&warmup{control: control}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("flags").
		WatchesRawSource(&flags{control: control}).
		Complete(&FlagReconciler{Client: mgr.GetClient(), control: control.GetClient()})
}
