// Package owned deletes a namespace that has an owner.
package owned

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

func (r *reconciler) make(ctx context.Context, node *corev1.Node) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: node.Name}}
	if err := controllerutil.SetControllerReference(node, namespace, r.Scheme()); err != nil {
		return err
	}
	return r.Create(ctx, namespace)
}

func (r *reconciler) delete(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	if err := r.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: node.Name}}); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, guard) // ok: it goes with its owner
	return r.Update(ctx, node)
}

var _ = []any{(*reconciler).make, (*reconciler).delete}
