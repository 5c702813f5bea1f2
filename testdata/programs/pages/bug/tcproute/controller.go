// The filter of the endpoint slices sorts their endpoints in place to compare them, and these are those in the cache, which the reconciler reads at the same time.
//
//adv:rule=eventfilter sub=mutates claim=near
package tcproute

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// backend is where connections go.
type backend struct {
	address string
	ready   bool
}

func backends(slice *discoveryv1.EndpointSlice) []backend {
	endpoints := slice.Endpoints
	slices.SortStableFunc(endpoints, func(a, b discoveryv1.Endpoint) int {
		return cmp.Compare(first(a), first(b))
	})
	out := make([]backend, 0, len(endpoints))
	for _, endpoint := range endpoints {
		out = append(out, backend{first(endpoint), ptr.Deref(endpoint.Conditions.Ready, true)})
	}
	return out
}

func first(endpoint discoveryv1.Endpoint) string {
	if len(endpoint.Addresses) == 0 {
		return ""
	}
	return endpoint.Addresses[0]
}

// backendsMoved drops the many updates that only touch hints and topology.
var backendsMoved = predicate.TypedFuncs[client.Object]{
	UpdateFunc: func(e event.UpdateEvent) bool {
		was, ok := e.ObjectOld.(*discoveryv1.EndpointSlice)
		if !ok {
			return false
		}
		is, ok := e.ObjectNew.(*discoveryv1.EndpointSlice)
		if !ok {
			return false
		}
		return !equality.Semantic.DeepEqual(was.Ports, is.Ports) || !slices.Equal(backends(was), backends(is))
	},
}

// ProxyReconciler writes a stanza for each Service into the folder that the proxy reads.
type ProxyReconciler struct {
	client.Reader
	Folder string
	Reload func(context.Context) error
}

func (r *ProxyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := ctrl.LoggerFrom(ctx)
	path := filepath.Join(r.Folder, req.Namespace+"_"+req.Name+".cfg")

	service := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, service); err != nil {
		if client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return ctrl.Result{}, fmt.Errorf("removing stanza: %w", err)
		}
		return ctrl.Result{}, r.Reload(ctx)
	}

	found := &discoveryv1.EndpointSliceList{}
	if err := r.List(ctx, found, client.InNamespace(req.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: req.Name}); err != nil {
		return ctrl.Result{}, fmt.Errorf("listing slices: %w", err)
	}
	var stanza bytes.Buffer
	fmt.Fprintf(&stanza, "backend %s/%s\n", req.Namespace, req.Name)
	for i := range found.Items {
		for _, port := range found.Items[i].Ports {
			for _, b := range backends(found.Items[i].DeepCopy()) {
				if b.ready {
					fmt.Fprintf(&stanza, "  server %s:%d\n", b.address, ptr.Deref(port.Port, 0))
				}
			}
		}
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, stanza.Bytes()) {
		return ctrl.Result{}, nil
	}
	if err := os.WriteFile(path, stanza.Bytes(), 0o644); err != nil {
		return ctrl.Result{}, fmt.Errorf("writing stanza: %w", err)
	}
	logger.Info("Reloading proxy", "stanza", path)
	return ctrl.Result{}, r.Reload(ctx)
}

func serviceOf(_ context.Context, obj client.Object) []reconcile.Request {
	name := obj.GetLabels()[discoveryv1.LabelServiceName]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: obj.GetNamespace(), Name: name}}}
}

// SetupWithManager registers the controller.
func (r *ProxyReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Service{}).
		Watches(&discoveryv1.EndpointSlice{}, handler.EnqueueRequestsFromMapFunc(serviceOf), builder.WithPredicates(backendsMoved)).
		Complete(r)
}
