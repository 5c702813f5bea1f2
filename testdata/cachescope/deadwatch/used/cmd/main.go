// Command cmd starts informers that somebody profits from.
package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

type reconciler struct{ client.Client }

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := index(context.Background(), mgr.GetFieldIndexer()); err != nil {
		panic(err)
	}
	if err := ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		Watches(&corev1.Event{}, handler.EnqueueRequestsFromMapFunc(involved)). // ok: not by owner
		Complete(&reconciler{mgr.GetClient()}); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}

func index(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &corev1.Pod{}, "spec.nodeName", byName); err != nil { // ok: it is listed
		return err
	}
	if err := indexer.IndexField(ctx, &corev1.ConfigMap{}, "name", byName); err != nil { // ok: a controller has the informer all the same
		return err
	}
	//lint:ignore ctrllint/cachescope ok: another program of ours lists them
	return indexer.IndexField(ctx, &batchv1.Job{}, "name", byName)
}

func byName(obj client.Object) []string { return []string{obj.GetName()} }

func involved(_ context.Context, obj client.Object) []ctrl.Request {
	event := obj.(*corev1.Event)
	return []ctrl.Request{{NamespacedName: client.ObjectKey{Namespace: event.Namespace, Name: event.InvolvedObject.Name}}}
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.List(ctx, &corev1.PodList{}, client.MatchingFields{"spec.nodeName": req.Name})
}
