// ensure asks the manager's cache for an informer with the mux's mutex held; GetInformer waits until the kind is listed, which for a kind that the account may not list is never, and event handlers and probes need that mutex.
//
//adv:rule=lockheld sub=blocking claim=near

package watchmux

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type kindCount struct {
	objects map[string]bool
	reg     toolscache.ResourceEventHandlerRegistration
}

// mux counts the objects of all kinds that policies speak of.
type mux struct {
	cache cache.Cache

	mu    sync.RWMutex
	kinds map[schema.GroupVersionKind]*kindCount
}

// ensure watches the kind, if nobody has asked for it.
func (m *mux) ensure(ctx context.Context, gvk schema.GroupVersionKind) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.kinds[gvk]; ok {
		return nil
	}
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(gvk)
	informer, err := m.cache.GetInformer(ctx, obj)
	if err != nil {
		return fmt.Errorf("informer of %s: %w", gvk, err)
	}
	count := &kindCount{objects: map[string]bool{}}
	count.reg, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { m.seen(gvk, obj, true) },
		DeleteFunc: func(obj any) { m.seen(gvk, obj, false) },
	})
	if err != nil {
		return fmt.Errorf("watching %s: %w", gvk, err)
	}
	m.kinds[gvk] = count
	return nil
}

func (m *mux) seen(gvk schema.GroupVersionKind, obj any, there bool) {
	key, err := toolscache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if count, ok := m.kinds[gvk]; ok {
		if there {
			count.objects[key] = true
		} else {
			delete(count.objects, key)
		}
	}
}

func (m *mux) count(gvk schema.GroupVersionKind) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if count, ok := m.kinds[gvk]; ok {
		return len(count.objects)
	}
	return 0
}

// healthy is the checker of the readiness probe.
func (m *mux) healthy(*http.Request) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for gvk, count := range m.kinds {
		if !count.reg.HasSynced() {
			return fmt.Errorf("%s is not counted yet", gvk)
		}
	}
	return nil
}

// PolicyReconciler checks how many objects of each kind there are.
type PolicyReconciler struct {
	client.Client
	mux *mux
}

func (r *PolicyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	policy := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, policy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var report []string
	for _, kind := range strings.Fields(policy.Data["kinds"]) {
		gvk, gk := schema.ParseKindArg(kind)
		if gvk == nil {
			report = append(report, gk.String()+": no version")
			continue
		}
		if err := r.mux.ensure(ctx, *gvk); err != nil {
			return ctrl.Result{}, err
		}
		report = append(report, fmt.Sprintf("%s: %d", kind, r.mux.count(*gvk)))
	}
	base := policy.DeepCopy()
	if policy.Data == nil {
		return ctrl.Result{}, nil
	}
	policy.Data["report"] = strings.Join(report, "\n")
	return ctrl.Result{}, r.Patch(ctx, policy, client.MergeFrom(base))
}

// SetupWithManager registers the reconciler and the probe.
func (r *PolicyReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.mux = &mux{cache: mgr.GetCache(), kinds: map[schema.GroupVersionKind]*kindCount{}}
	if err := mgr.AddReadyzCheck("kinds", r.mux.healthy); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("policy").For(&corev1.ConfigMap{}).Complete(r)
}
