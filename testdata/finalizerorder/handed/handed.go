// Package handed cleans up for a loop of another package, or of a library.
package handed

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"

	"example.com/operators/finalizerorder/handed/loop"
)

// deletes takes away what it may have taken away before.
type deletes struct{ client.Client }

var _ loop.Worker = &deletes{}

func (w *deletes) Ensure(ctx context.Context, obj client.Object) error { return w.drop(ctx, obj) }

func (w *deletes) Finalize(ctx context.Context, obj client.Object) error {
	pod := obj.(*corev1.Pod)
	if pod.GetLabels() != nil && pod.GetLabels()["kind"] == "job" {
		return w.drop(ctx, pod) // want unreachable "obj keeps its finalizer if its Deployment is gone: this deletion fails and Finalize returns the error; ignore NotFound" @32 "this request fails"
	}
	return nil
}

func (w *deletes) drop(ctx context.Context, obj client.Object) error {
	return w.Delete(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}})
}

// ignores takes "not found" for done.
type ignores struct{ client.Client }

func (w *ignores) Ensure(ctx context.Context, obj client.Object) error {
	return w.Delete(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}) // ok: that is no deletion of obj
}

func (w *ignores) Finalize(ctx context.Context, obj client.Object) error {
	return client.IgnoreNotFound(w.Delete(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}))
}

// edits takes something out of a configuration.
type edits struct{ client.Client }

func (w *edits) Ensure(ctx context.Context, obj client.Object) error { return nil }

func (w *edits) Finalize(ctx context.Context, obj client.Object) error {
	var cm corev1.ConfigMap
	if err := w.Get(ctx, client.ObjectKey{Namespace: "system", Name: "shared"}, &cm); err != nil { // want unreachable "obj keeps its finalizer if its ConfigMap is gone: this lookup fails and Finalize returns the error; ignore NotFound"
		return err
	}
	return w.without(ctx, &cm, obj.GetName())
}

func (w *edits) without(ctx context.Context, cm *corev1.ConfigMap, name string) error {
	changed := cm.DeepCopy()
	delete(changed.Data, name)
	return w.Update(ctx, changed)
}

// needs cannot do without a password.
type needs struct{ client.Client }

func (w *needs) Ensure(ctx context.Context, obj client.Object) error { return nil }

func (w *needs) Finalize(ctx context.Context, obj client.Object) error {
	var secret corev1.Secret
	if err := w.Get(ctx, client.ObjectKey{Namespace: "system", Name: "password"}, &secret); err != nil {
		return err // ok: it may be what the cleanup needs
	}
	return logIn(ctx, secret.Data["password"], obj.GetName())
}

func logIn(context.Context, []byte, string) error { return nil }

// registered is called by the library.
type registered struct{ client.Client }

var _ finalizer.Finalizer = &registered{}

func (f *registered) Finalize(ctx context.Context, obj client.Object) (finalizer.Result, error) {
	var node corev1.Node
	if err := f.Get(ctx, client.ObjectKey{Name: obj.GetLabels()["node"]}, &node); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails and Finalize returns the error; ignore NotFound"
		return finalizer.Result{}, err
	}
	delete(node.Labels, obj.GetName())
	return finalizer.Result{}, f.Update(ctx, &node)
}
