// Package after writes objects whose finalizer has gone, and replaces objects that others guard.
package after

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client
	cs kubernetes.Interface
}

func service(name string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer}}
}

// internal has no load balancer, and nobody's finalizer.
func (r *reconciler) internal(ctx context.Context, old *corev1.Service) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: old.Name}}
	svc.ResourceVersion = old.ResourceVersion
	return r.Update(ctx, svc) // ok: of the type ClusterIP
}

// replaced writes a service anew.
func (r *reconciler) replaced(ctx context.Context, old *corev1.Service) error {
	svc := service(old.Name)
	svc.ResourceVersion = old.ResourceVersion
	svc.Spec.ClusterIP = old.Spec.ClusterIP
	return r.Update(ctx, svc) // want dropped "this write removes stored finalizers such as service.kubernetes.io/load-balancer-cleanup (line 34 copies only the resource version), so their cleanup is skipped; copy them or use Patch" @34 "only the resource version is copied here"
}

// byClientset does so through a helper.
func (r *reconciler) byClientset(ctx context.Context, old, svc *corev1.Service) error {
	svc.SetResourceVersion(old.GetResourceVersion())
	return r.put(ctx, svc) // want dropped "this write removes stored finalizers such as service.kubernetes.io/load-balancer-cleanup (line 41 copies only the resource version), so their cleanup is skipped; copy them or use Patch" @41 "only the resource version is copied here"
}

// balanced has byClientset write a Service with a load balancer.
func (r *reconciler) balanced(ctx context.Context, old *corev1.Service) error {
	return r.byClientset(ctx, old, service(old.Name))
}

func (r *reconciler) put(ctx context.Context, svc *corev1.Service) error {
	_, err := r.cs.CoreV1().Services(svc.Namespace).Update(ctx, svc, metav1.UpdateOptions{})
	return err
}

// copiedOver takes them along.
func (r *reconciler) copiedOver(ctx context.Context, old *corev1.Service) error {
	svc := service(old.Name)
	svc.ResourceVersion = old.ResourceVersion
	svc.Finalizers = old.Finalizers
	return r.Update(ctx, svc) // ok: copied
}

// copy starts from what is stored.
func (r *reconciler) copy(ctx context.Context, old *corev1.Service) error {
	svc := old.DeepCopy()
	svc.ResourceVersion = old.ResourceVersion
	return r.Update(ctx, svc) // ok: a copy has them
}

// config is guarded by nobody.
func (r *reconciler) config(ctx context.Context, old *corev1.ConfigMap) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: old.Name}}
	cm.ResourceVersion = old.ResourceVersion
	return r.Update(ctx, cm) // ok: no controller of the cluster puts a finalizer there
}

var _ = []any{
	(*reconciler).replaced, (*reconciler).byClientset, (*reconciler).copiedOver, (*reconciler).copy, (*reconciler).config, (*reconciler).internal,
	(*reconciler).balanced,
}
