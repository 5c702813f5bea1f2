// A loop watches a list of kinds of which one is Secret, but the generation predicate is in the entry of the Deployments alone, and that of the Secrets has a predicate that compares the data.
//
//adv:rule=eventfilter sub=nogeneration claim=no
package tlswatcher

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const digestAnnotation = "restart.acme.io/secrets-digest"

// Restarter rolls Deployments whose secrets have changed.
type Restarter struct {
	client.Client
}

// Reconcile writes the digest of its secrets onto the template.
func (r *Restarter) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, d); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	names := secretsOf(d)
	if len(names) == 0 || !d.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, nil
	}
	h := sha256.New()
	for _, name := range names {
		s := &corev1.Secret{}
		if err := r.Get(ctx, types.NamespacedName{Namespace: d.Namespace, Name: name}, s); err != nil {
			if client.IgnoreNotFound(err) == nil {
				continue
			}
			return reconcile.Result{}, fmt.Errorf("secret %s: %w", name, err)
		}
		for _, k := range slices.Sorted(maps.Keys(s.Data)) {
			fmt.Fprintf(h, "%s/%s=%x\n", name, k, s.Data[k])
		}
	}
	digest := hex.EncodeToString(h.Sum(nil))
	if d.Spec.Template.Annotations[digestAnnotation] == digest {
		return reconcile.Result{}, nil
	}
	patch := client.StrategicMergeFrom(d.DeepCopy())
	if d.Spec.Template.Annotations == nil {
		d.Spec.Template.Annotations = map[string]string{}
	}
	d.Spec.Template.Annotations[digestAnnotation] = digest
	return reconcile.Result{}, r.Patch(ctx, d, patch)
}

// secretsOf are the names of the secrets that the pods mount.
func secretsOf(d *appsv1.Deployment) []string {
	var names []string
	for _, v := range d.Spec.Template.Spec.Volumes {
		if v.Secret != nil {
			names = append(names, v.Secret.SecretName)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (r *Restarter) users(ctx context.Context, o client.Object) (out []reconcile.Request) {
	list := &appsv1.DeploymentList{}
	if err := r.List(ctx, list, client.InNamespace(o.GetNamespace())); err != nil {
		return nil
	}
	for i := range list.Items {
		if slices.Contains(secretsOf(&list.Items[i]), o.GetName()) {
			out = append(out, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return out
}

// SetupWithManager sets the controller up.
func (r *Restarter) SetupWithManager(mgr ctrl.Manager) error {
	dataChanged := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, ok1 := e.ObjectOld.(*corev1.Secret)
		cur, ok2 := e.ObjectNew.(*corev1.Secret)
		return ok1 && ok2 && !maps.EqualFunc(old.Data, cur.Data, slices.Equal)
	}}
	watched := []struct {
		object client.Object
		by     handler.EventHandler
		when   predicate.Predicate
	}{
		{&appsv1.Deployment{}, &handler.EnqueueRequestForObject{}, predicate.GenerationChangedPredicate{}},
		{&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.users), dataChanged},
	}
	b := ctrl.NewControllerManagedBy(mgr).Named("restarter")
	for _, w := range watched {
		b = b.Watches(w.object, w.by, builder.WithPredicates(w.when))
	}
	return b.Complete(r)
}
