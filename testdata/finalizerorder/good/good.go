// Package good removes finalizers and objects in an order that holds.
package good

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var (
	stripAll  = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":[]}}`))
	annotate  = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"finalizers":"[]"}}}`))
	strategic = client.RawPatch(types.StrategicMergePatchType, []byte(`{"metadata":{"finalizers":[]}}`))
	one       = client.RawPatch(types.JSONPatchType, []byte(`[{"op":"remove","path":"/metadata/finalizers/0"}]`))
)

// deleteFirst is the right order.
func deleteFirst(ctx context.Context, c client.Client, obj *unstructured.Unstructured) error {
	if err := c.Delete(ctx, obj); err != nil {
		return err
	}
	return c.Patch(ctx, obj, stripAll) // ok: a deleted object takes no new finalizer
}

// loop deletes first, too; the next turn's deletion is of another object.
func loop(ctx context.Context, c client.Client, objs []client.Object) error {
	for _, obj := range objs {
		if err := c.Delete(ctx, obj); err != nil {
			return err
		}
		base := obj.DeepCopyObject().(client.Object)
		obj.SetFinalizers([]string{})
		if err := c.Patch(ctx, obj, client.MergeFrom(base)); err != nil { // ok: deleted above
			return err
		}
	}
	return nil
}

// swapped strips one object in a turn and deletes another one in the next.
func swapped(ctx context.Context, c client.Client, old, live []client.Object) error {
	for i := range old {
		if err := c.Delete(ctx, live[i]); err != nil {
			return err
		}
		if err := c.Patch(ctx, old[i], stripAll); err != nil { // ok: another object
			return err
		}
	}
	return nil
}

// guarded strips what is being deleted.
func guarded(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want guarded:"clears p2; writes p2 once it is being deleted; deletes p2; tests p2: [unknown]"
	if !pod.DeletionTimestamp.IsZero() {
		pod.Finalizers = nil
		if err := c.Update(ctx, pod); err != nil { // ok: on its way out already
			return err
		}
	}
	return c.Delete(ctx, pod)
}

// guardedCaller checks before it calls.
func guardedCaller(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if pod.GetDeletionTimestamp() != nil {
		return stripThenDelete(ctx, c, pod)
	}
	return nil
}

func stripThenDelete(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	pod.SetFinalizers(nil)
	if err := c.Update(ctx, pod); err != nil { // ok: its only caller has checked
		return err
	}
	return c.Delete(ctx, pod)
}

// own takes the controller's own finalizer off a job that is done.
func own(ctx context.Context, c client.Client, cm *corev1.ConfigMap) error {
	controllerutil.RemoveFinalizer(cm, "example.com/protect")
	if err := c.Update(ctx, cm); err != nil { // ok: one finalizer, by name
		return err
	}
	return c.Delete(ctx, cm)
}

// branches strips on one way and deletes on another.
func branches(ctx context.Context, c client.Client, cm *corev1.ConfigMap, keep bool) error {
	if keep {
		return c.Patch(ctx, cm, stripAll) // ok: not deleted on this way
	}
	return c.Delete(ctx, cm)
}

// others patches something else.
func others(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	for _, p := range []client.Patch{annotate} {
		_ = p
	}
	if err := c.Patch(ctx, pod, annotate); err != nil { // ok: an annotation
		return err
	}
	if err := c.Patch(ctx, pod, strategic); err != nil { // ok: a merged list; nothing is removed
		return err
	}
	if err := c.Patch(ctx, pod, one); err != nil { // ok: a single finalizer
		return err
	}
	return c.Delete(ctx, pod)
}

// unwritten believes that the deletion takes them away.
func unwritten(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	pod.SetFinalizers(nil)
	return c.Delete(ctx, pod)
}

// status writes the status alone, which leaves the finalizers.
func status(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want status:"clears p2; deletes p2; writes the status of p2"
	pod.Finalizers = nil
	if err := c.Status().Update(ctx, pod); err != nil { // ok: metadata is not written
		return err
	}
	return c.Delete(ctx, pod)
}

// reread throws the change away.
func reread(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	pod.Finalizers = nil
	if err := c.Get(ctx, client.ObjectKeyFromObject(pod), pod); err != nil {
		return err
	}
	if err := c.Update(ctx, pod); err != nil { // ok: the finalizers are back in memory
		return err
	}
	return c.Delete(ctx, pod)
}

// kinds have the same name, and are two objects.
func kinds(ctx context.Context, cs kubernetes.Interface, ns, name string) error {
	data := []byte(`{"metadata":{"finalizers":null}}`)
	_, err := cs.CoreV1().Services(ns).Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{}) // ok: a service
	if err != nil {
		return err
	}
	return cs.CoreV1().Secrets(ns).Delete(ctx, name, metav1.DeleteOptions{})
}

var _ = []any{deleteFirst, loop, swapped, guarded, guardedCaller, own, branches, others, unwritten, status, reread, kinds}
