// Package after writes objects whose finalizer has gone, and replaces objects that others guard.
package after

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client
	cs kubernetes.Interface
}

// statusLast writes the status of what may be gone.
func (r *reconciler) statusLast(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(pod, guard)
	if err := r.Update(ctx, pod); err != nil {
		return err
	}
	pod.Status.Message = "released"
	return r.Status().Update(ctx, pod) // ok: nobody misses it
}

// labels writes the labels through helpers.
func (r *reconciler) labels(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil {
		if err := r.release(ctx, pod); err != nil {
			return err
		}
		if err := r.unlabel(ctx, pod); err != nil { // want writeafterremoval "pod may be gone when it is written here: line 37 has taken its finalizer off while it is being deleted, so this fails where that was the last one; write first" @37 "the finalizer goes here"
			return err
		}
	}
	return nil
}

func (r *reconciler) release(ctx context.Context, pod *corev1.Pod) error {
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

func (r *reconciler) unlabel(ctx context.Context, pod *corev1.Pod) error {
	base := pod.DeepCopy()
	delete(pod.Labels, "x")
	return r.Patch(ctx, pod, client.MergeFrom(base))
}

// documents goes first of two: while the other one is there, so is the object.
func (r *reconciler) documents(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, guard+"-documents")
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	cm.Data = nil
	if err := r.Update(ctx, cm); err != nil { // ok: it still has the other one
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

// statusFirst is right.
func (r *reconciler) statusFirst(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	pod.Status.Message = "released"
	if err := r.Status().Update(ctx, pod); err != nil { // ok: before the removal
		return err
	}
	return r.release(ctx, pod)
}

// onFailure writes the status where the removal has failed.
func (r *reconciler) onFailure(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	if err := r.release(ctx, pod); err != nil {
		pod.Status.Message = err.Error()
		if err := r.Status().Update(ctx, pod); err != nil { // ok: it is still there
			return err
		}
		return err
	}
	return nil
}

// tolerant knows that it may be gone.
func (r *reconciler) tolerant(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil {
		if err := r.release(ctx, pod); err != nil {
			return err
		}
		return client.IgnoreNotFound(r.Status().Update(ctx, pod)) // ok: not found is no failure
	}
	return nil
}

// alive takes the finalizer off an object that stays.
func (r *reconciler) alive(ctx context.Context, pod *corev1.Pod) error {
	if err := r.release(ctx, pod); err != nil {
		return err
	}
	return r.Status().Update(ctx, pod) // ok: not being deleted
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
	return r.Update(ctx, svc) // want dropped "svc loses the finalizers of the stored object with this update: line 135 gives it the resource version of that and not its finalizers, such as service.kubernetes.io/load-balancer-cleanup of the cluster's own controller; copy them, or patch" @135 "only the resource version is taken over"
}

// byClientset does so through a helper.
func (r *reconciler) byClientset(ctx context.Context, old, svc *corev1.Service) error {
	svc.SetResourceVersion(old.GetResourceVersion())
	return r.put(ctx, svc) // want dropped "svc loses the finalizers of the stored object with this update: line 142 gives it the resource version of that and not its finalizers, such as service.kubernetes.io/load-balancer-cleanup of the cluster's own controller; copy them, or patch" @142 "only the resource version is taken over"
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

func removeString(list []string, s string) []string {
	var out []string
	for _, x := range list {
		if x != s {
			out = append(out, x)
		}
	}
	return out
}

// patchMetadata writes an object with other metadata.
func (r *reconciler) patchMetadata(ctx context.Context, pod *corev1.Pod, meta metav1.ObjectMeta) error {
	next := pod.DeepCopy()
	next.ObjectMeta = meta
	return r.Patch(ctx, pod, client.MergeFrom(next))
}

func (r *reconciler) releaseMetadata(ctx context.Context, pod *corev1.Pod) error {
	meta := pod.ObjectMeta.DeepCopy()
	meta.Finalizers = removeString(meta.Finalizers, guard)
	return r.patchMetadata(ctx, pod, *meta)
}

// metadataCopy changes a copy of the metadata, and has that written.
func (r *reconciler) metadataCopy(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	if err := r.releaseMetadata(ctx, pod); err != nil {
		return err
	}
	return r.patchMetadata(ctx, pod, pod.ObjectMeta) // want writeafterremoval "pod may be gone when it is written here: line 206 has taken its finalizer off while it is being deleted, so this fails where that was the last one; write first" @206 "the finalizer goes here"
}

// metadataFirst writes the rest before.
func (r *reconciler) metadataFirst(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	if err := r.patchMetadata(ctx, pod, pod.ObjectMeta); err != nil { // ok: the finalizer is still there
		return err
	}
	return r.releaseMetadata(ctx, pod)
}

// otherCopy has another copy written than the one that it has changed.
func (r *reconciler) otherCopy(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	changed := pod.ObjectMeta.DeepCopy()
	changed.Finalizers = changed.Finalizers[1:] // want notpersisted "changed loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).otherCopy, and the change is lost"
	if err := r.patchMetadata(ctx, pod, *pod.ObjectMeta.DeepCopy()); err != nil {
		return err
	}
	return r.patchMetadata(ctx, pod, pod.ObjectMeta) // ok: the finalizer is still there
}

var _ = []any{(*reconciler).metadataCopy, (*reconciler).metadataFirst, (*reconciler).otherCopy}

var _ = []any{
	(*reconciler).statusLast, (*reconciler).labels, (*reconciler).documents, (*reconciler).statusFirst, (*reconciler).onFailure, (*reconciler).tolerant, (*reconciler).alive,
	(*reconciler).replaced, (*reconciler).byClientset, (*reconciler).copiedOver, (*reconciler).copy, (*reconciler).config, (*reconciler).internal, (*reconciler).balanced,
}
