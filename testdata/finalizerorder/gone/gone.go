// Package gone cleans up what may be gone already.
package gone

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// made deletes a service by a name that it makes. Where the update fails, the next try finds no service.
func (r *reconciler) made(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: obj.Namespace, Name: obj.Name + "-web"}}
	if err := r.Delete(ctx, svc); err != nil { // want unreachable "obj keeps its finalizer once its Service is gone: this deletes it, and fails then, and nothing comes to line 39, where the finalizer goes; take \"not found\" for done" @39 "the finalizer goes here"
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// named asks a client set, in a function of its own.
func (r *reconciler) named(ctx context.Context, obj *corev1.ConfigMap) error {
	if obj.DeletionTimestamp != nil {
		if err := r.drop(ctx, obj.Namespace, obj.Name); err != nil { // want unreachable "obj keeps its finalizer once another object is gone: this deletes it, and fails then, and nothing comes to line 49, where the finalizer goes; take \"not found\" for done" @49 "the finalizer goes here" @56 "this deletes it"
			return err
		}
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

func (r *reconciler) drop(ctx context.Context, namespace, name string) error {
	return r.set.CoreV1().Services(namespace).Delete(ctx, name+"-web", metav1.DeleteOptions{})
}

// password needs a secret that the deletion of the namespace takes away first.
func (r *reconciler) password(ctx context.Context, obj *corev1.PodTemplate) error {
	var login corev1.Secret
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: "login"}, &login); err != nil { // want unreachable "obj keeps its finalizer once its Secret is gone: this looks it up, and fails then, and nothing comes to line 66, where the finalizer goes; handle the deletion first, or let it pass where there is none" @66 "the finalizer goes here"
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
	if _, err := r.node(obj.Labels["node"]); err != nil { // want unreachable "obj keeps its finalizer once its Node is gone: this looks it up, and fails then, and nothing comes to line 78, where the finalizer goes; handle the deletion first, or let it pass where there is none" @78 "the finalizer goes here" @103 "this looks it up"
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
		_, err := r.node(obj.Labels["node"]) // want unreachable "obj keeps its finalizer once its Node is gone: this looks it up, and fails then, and nothing comes to line 93, where the finalizer goes; handle the deletion first, or let it pass where there is none" @93 "the finalizer goes here" @103 "this looks it up"
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

// done takes what is gone for done.
func (r *reconciler) done(ctx context.Context, obj *appsv1.Deployment) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: obj.Namespace, Name: obj.Name}}
	if err := r.Delete(ctx, svc); client.IgnoreNotFound(err) != nil {
		return err // ok: another failure
	}
	if err := r.drop(ctx, obj.Namespace, obj.Name); err != nil && !apierrors.IsNotFound(err) {
		return err // ok: another failure
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// found deletes what it has found, and those of a list.
func (r *reconciler) found(ctx context.Context, obj *appsv1.StatefulSet) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	var svc corev1.Service
	if err := r.Get(ctx, client.ObjectKeyFromObject(obj), &svc); err == nil {
		if err := r.Delete(ctx, &svc); err != nil {
			return err // ok: the next try does not find it
		}
	} else if !apierrors.IsNotFound(err) {
		return err
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods); err != nil {
		return err
	}
	for _, pod := range pods.Items {
		if err := r.set.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
			return err // ok: nor the pod
		}
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// asked deletes where something says that there is one.
func (r *reconciler) asked(ctx context.Context, obj *appsv1.DaemonSet) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if _, err := r.set.CoreV1().Services(obj.Namespace).Get(ctx, obj.Name, metav1.GetOptions{}); err == nil {
		if err := r.set.CoreV1().Services(obj.Namespace).Delete(ctx, obj.Name, metav1.DeleteOptions{}); err != nil {
			return err // ok: the next try does not find it
		}
	}
	if obj.Status.NumberReady > 0 {
		if err := r.drop(ctx, obj.Namespace, obj.Name); err != nil {
			return err // ok: it may be asked for only as long as there is one
		}
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
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
	if err := r.Get(ctx, client.ObjectKeyFromObject(obj), &login); err != nil { // want unreachable "obj keeps its finalizer once its Secret is gone: this looks it up, and fails then, and nothing comes to line 228, where the finalizer goes; handle the deletion first, or let it pass where there is none" @228 "the finalizer goes here"
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
	(*reconciler).role, (*reconciler).binding,
	(*reconciler).made, (*reconciler).named, (*reconciler).password, (*reconciler).silent, (*reconciler).silently, (*reconciler).volume, (*reconciler).done,
	(*reconciler).found, (*reconciler).asked, (*reconciler).guarded, (*reconciler).use, (*reconciler).either,
}
