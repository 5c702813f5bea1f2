// Package awaited waits until what it deletes is gone, or does not.
package awaited

import (
	"context"
	"errors"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// namespace is let go of while all that is in it is still there.
func (r *reconciler) namespace(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: obj.Name}}); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // want removedonerror "obj loses its finalizer here as soon as the deletion of its Namespace is asked for, at line 27: that has finalizers itself, is still there, and may need it; look whether it is gone, and come back else" @27 "this asks for the deletion"
	return r.Update(ctx, obj)
}

// children have a finalizer of this package.
func (r *reconciler) children(ctx context.Context, obj *corev1.Secret) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	var sets appsv1.ReplicaSetList
	if err := r.List(ctx, &sets); err != nil {
		return err
	}
	for i := range sets.Items {
		if err := r.Delete(ctx, &sets.Items[i]); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(obj, guard) // want removedonerror "obj loses its finalizer here as soon as the deletion of its ReplicaSet is asked for, at line 44: that has finalizers itself, is still there, and may need it; look whether it is gone, and come back else" @44 "this asks for the deletion"
	return r.Update(ctx, obj)
}

// helped has a function ask.
func (r *reconciler) helped(ctx context.Context, obj *corev1.Secret) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.clear(ctx, obj.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // want removedonerror "obj loses its finalizer here as soon as the deletion of its ReplicaSet is asked for, at line 57: that has finalizers itself, is still there, and may need it; look whether it is gone, and come back else" @65 "this asks for the deletion"
	return r.Update(ctx, obj)
}

func (r *reconciler) clear(ctx context.Context, name string) error {
	return client.IgnoreNotFound(r.Delete(ctx, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}))
}

// waits has a function that fails as long as any is left.
func (r *reconciler) waits(ctx context.Context, obj *corev1.ResourceQuota) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.clearAll(ctx, obj.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: none is left
	return r.Update(ctx, obj)
}

func (r *reconciler) clearAll(ctx context.Context, name string) error {
	if err := r.Delete(ctx, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}); !apierrors.IsNotFound(err) {
		return errors.Join(err, errors.New("one is left"))
	}
	return nil
}

func (r *reconciler) child(ctx context.Context, set *appsv1.ReplicaSet) error {
	if set.DeletionTimestamp == nil {
		if controllerutil.AddFinalizer(set, guard) {
			return r.Update(ctx, set)
		}
		return nil
	}
	var password corev1.Secret
	if err := r.Get(ctx, client.ObjectKey{Namespace: set.Namespace, Name: set.Name}, &password); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(set, guard)
	return r.Update(ctx, set)
}

// needless has children that do without it.
func (r *reconciler) needless(ctx context.Context, obj *corev1.Endpoints) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.clear(ctx, obj.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: these see to themselves
	return r.Update(ctx, obj)
}

// returns comes back, and lets go once there is none.
func (r *reconciler) returns(ctx context.Context, obj *corev1.ConfigMap) (ctrl.Result, error) {
	if obj.DeletionTimestamp == nil {
		return ctrl.Result{}, nil
	}
	err := r.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: obj.Name}})
	if err == nil {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if !apierrors.IsNotFound(err) {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: it is gone
	return ctrl.Result{}, r.Update(ctx, obj)
}

// looks sees whether any is left.
func (r *reconciler) looks(ctx context.Context, obj *corev1.Service) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.Delete(ctx, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: obj.Name}}); client.IgnoreNotFound(err) != nil {
		return err
	}
	if r.left(ctx) {
		return nil
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: none is left
	return r.Update(ctx, obj)
}

func (r *reconciler) left(ctx context.Context) bool {
	var sets appsv1.ReplicaSetList
	return r.List(ctx, &sets) != nil || len(sets.Items) > 0
}

// plain deletes what has no finalizer.
func (r *reconciler) plain(ctx context.Context, obj *corev1.ServiceAccount) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.Delete(ctx, &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: obj.Name}}); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: nothing keeps an event
	return r.Update(ctx, obj)
}

var _ = []any{
	(*reconciler).namespace, (*reconciler).helped, (*reconciler).waits, (*reconciler).children, (*reconciler).child, (*reconciler).returns, (*reconciler).looks, (*reconciler).plain,
}

// adopt gives the sets an owner, which changes nothing: their own controller still has to clean up.
func (r *reconciler) adopt(obj *corev1.Secret, set *appsv1.ReplicaSet) error {
	return controllerutil.SetControllerReference(obj, set, r.Scheme())
}

var _ = (*reconciler).adopt

// anyKind has objects of which the kind is not known here.
func (r *reconciler) anyKind(ctx context.Context, obj client.Object) error {
	if obj.GetDeletionTimestamp() == nil {
		return nil
	}
	if err := r.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName()}}); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // want removedonerror "obj loses its finalizer here as soon as the deletion of its Namespace is asked for, at line 178: that has finalizers itself, is still there, and may need it; look whether it is gone, and come back else" @178 "this asks for the deletion"
	return r.Update(ctx, obj)
}

// marked has children on which it puts a finalizer of its own, and takes it off first.
func (r *reconciler) marked(ctx context.Context, key client.ObjectKey) error {
	obj := &corev1.ServiceAccount{}
	if err := r.Get(ctx, key, obj); err != nil {
		return err
	}
	quota := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
	if obj.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(quota, guard)
		return r.Update(ctx, quota)
	}
	controllerutil.RemoveFinalizer(quota, guard)
	if err := r.Update(ctx, quota); err != nil {
		return err
	}
	if err := r.Delete(ctx, quota); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: that was the one
	return r.Update(ctx, obj)
}
