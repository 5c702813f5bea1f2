// Command cmd starts informers that nobody profits from.
package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := index(mgr); err != nil {
		panic(err)
	}
	if err := ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.Event{}). // want deadwatch "Events have no owners, so this watch never queues a request, and the cache holds every Event: remove it"
		Complete(&reconciler{mgr.GetClient()}); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}

func index(mgr ctrl.Manager) error {
	for _, obj := range []client.Object{&corev1.Secret{}} { // its values are not read
		if err := mgr.GetFieldIndexer().IndexField(context.Background(), obj, "type", byName); err != nil { // want deadwatch "this index starts an informer of every Secret, and nothing reads or watches v1 Secret: remove it"
			return err
		}
	}
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.Pod{}, "spec.nodeName", byName); err != nil { // want deadwatch "this index starts an informer of every Pod, and nothing reads or watches v1 Pod: remove it"
		return err
	}
	return mgr.GetFieldIndexer().IndexField(context.Background(), &autoscalingv1.HorizontalPodAutoscaler{}, "name", byName) // want deadwatch "this index starts an informer of every autoscaling/v1 HorizontalPodAutoscaler, and everything else uses autoscaling/v2 HorizontalPodAutoscaler: index that"
}

func byName(obj client.Object) []string { return []string{obj.GetName()} }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.List(ctx, &autoscalingv2.HorizontalPodAutoscalerList{}, client.MatchingFields{"name": req.Name})
}
