package gone

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// askedFor deletes what it has found, whatever it asks the error of the lookup for.
func (r *reconciler) askedFor(ctx context.Context, obj *appsv1.StatefulSet) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	_, err := r.set.CoreV1().Services(obj.Namespace).Get(ctx, "web", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		if err := r.drop(ctx, obj.Namespace, "b"); err != nil { // ok: the service was there
			return err
		}
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) askedToIgnore(ctx context.Context, obj *appsv1.ReplicaSet) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	var svc corev1.Service
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: "a"}, &svc); client.IgnoreNotFound(err) == nil {
		if err := r.drop(ctx, obj.Namespace, "a"); err != nil { // ok: it has looked before
			return err
		}
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}
