// Ensure holds the lock of the watch set while GetInformer waits for the first list of the kind, so one kind that may not be listed stops all policies and the readiness probe.
//
//adv:rule=lockheld sub=blocking claim=near

// Package dynwatch watches the kinds that policies name, while the operator runs.
package dynwatch

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// WatchSet has the kinds that are watched.
type WatchSet struct {
	cache cache.Cache
	sink  chan<- event.GenericEvent

	mu    sync.RWMutex
	kinds map[schema.GroupVersionKind]sets.Set[string]
}

// Ensure watches a kind for a policy.
func (w *WatchSet) Ensure(ctx context.Context, gvk schema.GroupVersionKind, policy string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if users, ok := w.kinds[gvk]; ok {
		users.Insert(policy)
		return nil
	}
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(gvk)
	informer, err := w.cache.GetInformer(ctx, obj)
	if err != nil {
		return fmt.Errorf("informer of %s: %w", gvk.Kind, err)
	}
	if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    w.forward,
		UpdateFunc: func(_, obj any) { w.forward(obj) },
	}); err != nil {
		return fmt.Errorf("handler of %s: %w", gvk.Kind, err)
	}
	w.kinds[gvk] = sets.New(policy)
	return nil
}

// Drop ends the watches that only the policy wanted.
func (w *WatchSet) Drop(ctx context.Context, policy string) error {
	w.mu.Lock()
	var unused []schema.GroupVersionKind
	for gvk, users := range w.kinds {
		if users.Delete(policy); users.Len() == 0 {
			unused = append(unused, gvk)
			delete(w.kinds, gvk)
		}
	}
	w.mu.Unlock()
	for _, gvk := range unused {
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(gvk)
		if err := w.cache.RemoveInformer(ctx, obj); err != nil {
			return fmt.Errorf("remove informer of %s: %w", gvk.Kind, err)
		}
	}
	return nil
}

func (w *WatchSet) forward(obj any) {
	if o, ok := obj.(client.Object); ok {
		select {
		case w.sink <- event.GenericEvent{Object: o}:
		default: // the resync of the policies comes by it
		}
	}
}

// Ready is a healthz.Checker.
func (w *WatchSet) Ready(_ *http.Request) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if len(w.kinds) == 0 {
		return fmt.Errorf("no kind is watched yet")
	}
	return nil
}

// PolicyReconciler reads policies from ConfigMaps.
type PolicyReconciler struct {
	client.Client
	watches *WatchSet
}

// Reconcile implements reconcile.Reconciler.
func (r *PolicyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		if client.IgnoreNotFound(err) == nil {
			return ctrl.Result{}, r.watches.Drop(ctx, req.String())
		}
		return ctrl.Result{}, err
	}
	raw, ok := cm.Data["match"]
	if !ok {
		return ctrl.Result{}, nil
	}
	gvk, _ := schema.ParseKindArg(raw)
	if gvk == nil {
		log.FromContext(ctx).Info("policy does not name a kind", "match", raw)
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.watches.Ensure(ctx, *gvk, req.String())
}

// SetupWithManager registers the reconciler and its probe.
func SetupWithManager(mgr ctrl.Manager, sink chan<- event.GenericEvent) error {
	w := &WatchSet{cache: mgr.GetCache(), sink: sink, kinds: map[schema.GroupVersionKind]sets.Set[string]{}}
	if err := mgr.AddReadyzCheck("policies", w.Ready); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("policies").For(&corev1.ConfigMap{}).
		Complete(&PolicyReconciler{Client: mgr.GetClient(), watches: w})
}
