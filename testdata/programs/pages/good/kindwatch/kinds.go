// The wait for the informer of a kind is done with no lock but the one of that kind, which nobody but those who want the same kind takes, and with a deadline; the map's mutex is held for the map alone.
//
//adv:rule=lockheld sub=blocking claim=no

package kindwatch

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type kind struct {
	mu    sync.Mutex
	ready bool
}

type watcher struct {
	cache   cache.Cache
	seen    chan<- schema.GroupVersionKind
	timeout time.Duration

	mu    sync.Mutex
	kinds map[schema.GroupVersionKind]*kind
}

func (w *watcher) entry(gvk schema.GroupVersionKind) *kind {
	w.mu.Lock()
	defer w.mu.Unlock()
	k, ok := w.kinds[gvk]
	if !ok {
		k = &kind{}
		w.kinds[gvk] = k
	}
	return k
}

func (w *watcher) ensure(ctx context.Context, gvk schema.GroupVersionKind) error {
	k := w.entry(gvk)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ready {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(gvk)
	informer, err := w.cache.GetInformer(ctx, obj)
	if err != nil {
		return fmt.Errorf("kind %s: %w", gvk, err)
	}
	reg, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, _ any) { w.tell(gvk) },
	})
	if err != nil {
		return err
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), reg.HasSynced) {
		_ = informer.RemoveEventHandler(reg)
		return fmt.Errorf("kind %s: %w", gvk, context.Cause(ctx))
	}
	k.ready = true
	return nil
}

func (w *watcher) tell(gvk schema.GroupVersionKind) {
	select {
	case w.seen <- gvk:
	default: // one who is slow has enough to do
	}
}

// WatchReconciler watches the kinds that config maps ask for.
type WatchReconciler struct {
	client.Client
	watcher *watcher
	seen    chan schema.GroupVersionKind
}

func (r *WatchReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, name := range cm.Data {
		gvk, _ := schema.ParseKindArg(name)
		if gvk == nil {
			continue
		}
		if err := r.watcher.ensure(ctx, *gvk); err != nil {
			ctrl.LoggerFrom(ctx).Error(err, "kind is not watched")
			return ctrl.Result{RequeueAfter: time.Minute}, nil
		}
	}
	return ctrl.Result{}, nil
}

// Start implements manager.Runnable.
func (r *WatchReconciler) Start(ctx context.Context) error {
	counts := map[schema.GroupVersionKind]int{}
	for {
		select {
		case gvk := <-r.seen:
			counts[gvk]++
			ctrl.Log.V(1).Info("changed", "kind", gvk.String(), "times", counts[gvk])
		case <-ctx.Done():
			return nil
		}
	}
}

// SetupWithManager registers the reconciler.
func (r *WatchReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.seen = make(chan schema.GroupVersionKind, 16)
	r.watcher = &watcher{
		cache:   mgr.GetCache(),
		seen:    r.seen,
		timeout: 20 * time.Second,
		kinds:   map[schema.GroupVersionKind]*kind{},
	}
	if err := mgr.Add(r); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).WithEventFilter(labelled).Complete(r)
}
