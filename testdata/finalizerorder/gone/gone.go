// Package gone cleans up what may be gone already.
package gone

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client

	set   kubernetes.Interface
	nodes corelisters.NodeLister
}

// password needs a secret that the deletion of the namespace takes away first.
func (r *reconciler) password(ctx context.Context, obj *corev1.PodTemplate) error {
	var login corev1.Secret
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: "login"}, &login); err != nil { // want unreachable "obj keeps its finalizer if its Secret is gone: this lookup fails before line 35 removes it; handle deletion first or ignore NotFound" @35 "the finalizer is removed here"
		return err
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

// silent and silently share a lookup, of objects of two kinds, and say nothing where it finds none.
func (r *reconciler) silent(obj *corev1.LimitRange) error {
	if _, err := r.node(obj.Labels["node"]); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 47 removes it; handle deletion first or ignore NotFound" @47 "the finalizer is removed here" @72 "looked up here"
		return client.IgnoreNotFound(err)
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(context.Background(), obj)
	}
	return nil
}

func (r *reconciler) silently(obj *corev1.ResourceQuota) error {
	if obj.DeletionTimestamp != nil {
		_, err := r.node(obj.Labels["node"]) // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 62 removes it; handle deletion first or ignore NotFound" @62 "the finalizer is removed here" @72 "looked up here"
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(context.Background(), obj)
	}
	return nil
}

func (r *reconciler) node(name string) (*corev1.Node, error) {
	if name == "" {
		name = "main"
	}
	return r.nodes.Get(name)
}

// volume is kept by Kubernetes itself as long as somebody uses it.
func (r *reconciler) volume(ctx context.Context, obj *corev1.ServiceAccount) error {
	var claim corev1.PersistentVolumeClaim
	if err := r.Get(ctx, client.ObjectKeyFromObject(obj), &claim); err != nil {
		return err // ok: nothing says that it is gone
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

// guarded needs what gets a finalizer as long as there is an ingress.
func (r *reconciler) guarded(ctx context.Context, obj *networkingv1.Ingress) error {
	var class networkingv1.IngressClass
	if err := r.Get(ctx, client.ObjectKey{Name: obj.Labels["class"]}, &class); err != nil {
		return err // ok: use keeps it
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

func (r *reconciler) use(ctx context.Context, class *networkingv1.IngressClass) error {
	var all networkingv1.IngressList
	if err := r.List(ctx, &all); err != nil {
		return err
	}
	if class.DeletionTimestamp == nil && len(all.Items) > 0 && controllerutil.AddFinalizer(class, guard) {
		return r.Update(ctx, class)
	}
	return nil
}

// either lets the object go where there is none, too.
func (r *reconciler) either(ctx context.Context, obj *policyv1.PodDisruptionBudget) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	var login corev1.Secret
	if err := r.Get(ctx, client.ObjectKeyFromObject(obj), &login); err != nil {
		if apierrors.IsNotFound(err) {
			controllerutil.RemoveFinalizer(obj, guard)
			return r.Update(ctx, obj)
		}
		return err // ok: another failure
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// role and binding lose their finalizers as a field.
func (r *reconciler) role(ctx context.Context, obj *rbacv1.Role) error {
	var login corev1.Secret
	if err := r.Get(ctx, client.ObjectKeyFromObject(obj), &login); err != nil { // want unreachable "obj keeps its finalizer if its Secret is gone: this lookup fails before line 136 removes it; handle deletion first or ignore NotFound" @136 "the finalizer is removed here"
		return err
	}
	if obj.DeletionTimestamp != nil {
		obj.Finalizers = slices.DeleteFunc(obj.Finalizers, isGuard)
		return r.Update(ctx, obj)
	}
	return nil
}

func (r *reconciler) binding(ctx context.Context, obj *rbacv1.RoleBinding) error {
	if obj.DeletionTimestamp != nil {
		obj.Finalizers = slices.DeleteFunc(obj.Finalizers, isGuard)
		return r.Update(ctx, obj)
	}
	return nil
}

func isGuard(s string) bool { return s == guard }

var _ = []any{
	(*reconciler).role, (*reconciler).binding, (*reconciler).password, (*reconciler).silent, (*reconciler).silently, (*reconciler).volume,
	(*reconciler).guarded, (*reconciler).use, (*reconciler).either,
}
