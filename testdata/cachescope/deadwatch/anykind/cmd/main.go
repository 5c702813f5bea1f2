// Command cmd lists objects of a kind that its settings say.
package main

import (
	"context"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.Pod{}, "name", byName); err != nil { // ok: the list may be of Pods
		panic(err)
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).Complete(&reconciler{mgr.GetClient()}); err != nil {
		panic(err)
	}
	_ = mgr.Start(ctrl.SetupSignalHandler())
}

func byName(obj client.Object) []string { return []string{obj.GetName()} }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	obj, err := r.Scheme().New(schema.FromAPIVersionAndKind("v1", os.Getenv("KIND")))
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.List(ctx, obj.(client.ObjectList), client.MatchingFields{"name": req.Name})
}
