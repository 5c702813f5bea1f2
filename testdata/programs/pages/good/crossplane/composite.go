// The map function and the predicate go by GetObjectKind, which is empty in typed objects, but all the watches are of unstructured objects, which always name their kind.
//
//adv:rule=eventfilter sub=constant claim=no
package crossplane

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/good/crossplane/kinds"
)

const compositeLabel = "acme.io/composite"

var compositeGVK = schema.GroupVersionKind{Group: "acme.io", Version: "v1", Kind: "Environment"}

// Composer sums up what an Environment is made of.
type Composer struct {
	client.Client
}

// ready says whether a composed object is done. Roles have no status.
func ready(u *unstructured.Unstructured) bool {
	if kinds.Is(u, "Role") {
		return true
	}
	conds, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	return slices.ContainsFunc(conds, func(c any) bool {
		m, ok := c.(map[string]any)
		return ok && m["type"] == "Ready" && m["status"] == "True"
	})
}

// Reconcile sums one Environment up.
func (c *Composer) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	env := &unstructured.Unstructured{}
	env.SetGroupVersionKind(compositeGVK)
	if err := c.Get(ctx, req.NamespacedName, env); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	total, done := int64(0), int64(0)
	for _, kind := range kinds.Composed {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kinds.New(kind + "List").GroupVersionKind())
		if err := c.List(ctx, list, client.MatchingLabels{compositeLabel: env.GetName()}); err != nil {
			return reconcile.Result{}, fmt.Errorf("list %s: %w", kind, err)
		}
		for i := range list.Items {
			total++
			if ready(&list.Items[i]) {
				done++
			}
		}
	}
	was, _, _ := unstructured.NestedInt64(env.Object, "status", "ready")
	all, _, _ := unstructured.NestedInt64(env.Object, "status", "total")
	if was == done && all == total {
		return reconcile.Result{}, nil
	}
	log.FromContext(ctx).Info("environment moves on", "ready", done, "total", total)
	if err := unstructured.SetNestedMap(env.Object, map[string]any{"ready": done, "total": total}, "status"); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, c.Status().Update(ctx, env)
}

// composite is the Environment of a composed object.
func composite(ctx context.Context, o client.Object) []reconcile.Request {
	if !slices.ContainsFunc(kinds.Composed, func(kind string) bool { return kinds.Is(o, kind) }) {
		log.FromContext(ctx).Info("not a composed object", "kind", o.GetObjectKind().GroupVersionKind())
		return nil
	}
	name, ok := o.GetLabels()[compositeLabel]
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: name}}}
}

// SetupWithManager sets the controller up.
func (c *Composer) SetupWithManager(mgr ctrl.Manager) error {
	env := &unstructured.Unstructured{}
	env.SetGroupVersionKind(compositeGVK)
	b := ctrl.NewControllerManagedBy(mgr).Named("composer").For(env)

	changed := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		if e.ObjectOld.GetLabels()[compositeLabel] != e.ObjectNew.GetLabels()[compositeLabel] {
			return true
		}
		if kinds.Is(e.ObjectNew, "Role") {
			return false // there or not there is all that matters
		}
		old, ok1 := e.ObjectOld.(*unstructured.Unstructured)
		cur, ok2 := e.ObjectNew.(*unstructured.Unstructured)
		return !ok1 || !ok2 || ready(old) != ready(cur)
	}}
	for _, kind := range kinds.Composed {
		b = b.Watches(kinds.New(kind), handler.EnqueueRequestsFromMapFunc(composite), builder.WithPredicates(changed))
	}
	return b.Complete(c)
}
