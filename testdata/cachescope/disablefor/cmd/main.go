// Command cmd reads kinds live that its cache may hold.
package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{
			&corev1.Secret{},
			&corev1.ConfigMap{}, // ok: the metadata only are watched
			&corev1.Pod{},       // ok: nobody watches them
			&batchv1.Job{},      // ok: the cache has those of one namespace
			&appsv1.StatefulSet{},
		}}},
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
			&batchv1.Job{}: {Namespaces: map[string]cache.Config{"system": {}}},
		}},
	})
	if err != nil {
		panic(err)
	}
	if err := ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.Secret{}). // want disablefor "Owns has Secret keep every Secret in the cache, whose reads DisableFor (main.go:21) makes live: watch the metadata only, or read the cache" @21 "its reads are live by this option"
		Owns(&corev1.ConfigMap{}, builder.OnlyMetadata).
		Owns(&batchv1.Job{}).
		Owns(&appsv1.StatefulSet{}). //nolint:cachescope // ok: reads have to be current
		Complete(&reconciler{mgr.GetClient()}); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Get(ctx, req.NamespacedName, &corev1.Secret{})
}
