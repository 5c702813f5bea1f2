// Package bad takes finalizers off objects that are alive, and deletes them afterwards.
package bad

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var stripAll = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":[]}}`))

const stripFormat = `[{"op":"remove","path":"/metadata/finalizers"},{"op":"add","path":"/metadata/annotations/by","value":%q}]`

// patchVariable uses a patch of a package variable.
func patchVariable(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &unstructured.Unstructured{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	if len(obj.GetFinalizers()) > 0 {
		if err := c.Patch(ctx, obj, stripAll); err != nil { // want removedbeforedelete "obj loses all its finalizers before it is deleted (line 35): one added in between makes the deletion hang; delete first" @35 "the object is deleted here"
			return err
		}
	}
	return c.Delete(ctx, obj)
}

// update empties the list in memory and writes it.
func update(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	pod.SetFinalizers(nil)
	if err := c.Update(ctx, pod); err != nil { // want removedbeforedelete "pod loses all its finalizers before it is deleted (line 44): one added in between makes the deletion hang; delete first" @44 "the object is deleted here"
		return err
	}
	return c.Delete(ctx, pod)
}

// assign does it through the field, on a copy.
func assign(ctx context.Context, c client.Client, pods []corev1.Pod) error {
	for i := range pods {
		pod := &pods[i]
		base := pod.DeepCopy()
		pod.Finalizers = []string{}
		if err := c.Patch(ctx, pod, client.MergeFrom(base)); err != nil { // want removedbeforedelete "pod loses all its finalizers before it is deleted (line 56): one added in between makes the deletion hang; delete first" @56 "the object is deleted here"
			return err
		}
		if err := c.Delete(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// format builds the patch around a value.
func format(ctx context.Context, c client.Client, pvc *corev1.PersistentVolumeClaim, who string) error {
	patch := client.RawPatch(types.JSONPatchType, []byte(fmt.Sprintf(stripFormat, who)))
	if err := c.Patch(ctx, pvc, patch); err != nil { // want removedbeforedelete "pvc loses all its finalizers before it is deleted (line 69): one added in between makes the deletion hang; delete first" @69 "the object is deleted here"
		return err
	}
	return c.Delete(ctx, pvc)
}

// clientset deletes by name.
func clientset(ctx context.Context, cs kubernetes.Interface, ns, name string) error {
	data := []byte(`{"metadata":{"finalizers":null}}`)
	_, err := cs.CoreV1().Services(ns).Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{}) // want removedbeforedelete "the object called name loses all its finalizers before it is deleted (line 79): one added in between makes the deletion hang; delete first" @79 "the object is deleted here"
	if err != nil {
		return err
	}
	return cs.CoreV1().Services(ns).Delete(ctx, name, metav1.DeleteOptions{})
}

// dyn does so through the dynamic client.
func dyn(ctx context.Context, d dynamic.Interface, gvr schema.GroupVersionResource, obj *unstructured.Unstructured) error {
	r := d.Resource(gvr).Namespace(obj.GetNamespace())
	unstructured.RemoveNestedField(obj.Object, "metadata", "finalizers")
	if _, err := r.Update(ctx, obj, metav1.UpdateOptions{}); err != nil { // want removedbeforedelete "obj loses all its finalizers before it is deleted (line 89): one added in between makes the deletion hang; delete first" @89 "the object is deleted here"
		return err
	}
	return r.Delete(ctx, obj.GetName(), metav1.DeleteOptions{})
}

// force goes through helpers.
func force(ctx context.Context, c client.Client, pvc *corev1.PersistentVolumeClaim) error { // want force:"clears p2; writes p2; strips p2; deletes p2"
	if err := strip(ctx, c, pvc); err != nil { // want removedbeforedelete "pvc loses all its finalizers before it is deleted (line 97): one added in between makes the deletion hang; delete first" @102 "the finalizers are removed here" @97 "the object is deleted here" @106 "by this call"
		return err
	}
	return remove(ctx, c, pvc)
}

func strip(ctx context.Context, c client.Client, obj client.Object) error { // want strip:"clears p2; writes p2; strips p2"
	obj.SetFinalizers([]string{})
	return c.Update(ctx, obj)
}

func remove(ctx context.Context, c client.Client, obj client.Object) error {
	return client.IgnoreNotFound(c.Delete(ctx, obj))
}

// retried reads the object again in the body of a retry.
func retried(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error { // want removedbeforedelete "pod loses all its finalizers before it is deleted (line 121): one added in between makes the deletion hang; delete first" @116 "the finalizers are removed here" @121 "the object is deleted here"
		if err := c.Get(ctx, client.ObjectKeyFromObject(pod), pod); err != nil {
			return err
		}
		pod.Finalizers = nil
		return c.Update(ctx, pod)
	})
	if err != nil {
		return err
	}
	return c.Delete(ctx, pod)
}

var _ = []any{patchVariable, update, assign, format, clientset, dyn, force, retried}

// copied writes a copy of what was read, and deletes what was read.
func copied(ctx context.Context, c client.Client, key client.ObjectKey) error {
	pvc := &corev1.PersistentVolumeClaim{}
	if err := c.Get(ctx, key, pvc); err != nil {
		return err
	}
	stripped := pvc.DeepCopy()
	stripped.SetFinalizers([]string{})
	if err := c.Update(ctx, stripped); err != nil { // want removedbeforedelete "stripped loses all its finalizers before it is deleted (line 137): one added in between makes the deletion hang; delete first" @137 "the object is deleted here"
		return err
	}
	return c.Delete(ctx, pvc, client.GracePeriodSeconds(0))
}

var noneLeft = []byte(`{"metadata":{"finalizers":null}}`)

// purge sends what a package variable holds, for what a list has by its name.
func purge(ctx context.Context, cs kubernetes.Interface, ns string) error {
	all, err := cs.CoreV1().PersistentVolumeClaims(ns).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pvc := range all.Items {
		if _, err := cs.CoreV1().PersistentVolumeClaims(ns).Patch(ctx, pvc.Name, types.MergePatchType, noneLeft, metav1.PatchOptions{}); err != nil { // want removedbeforedelete "pvc loses all its finalizers before it is deleted (line 152): one added in between makes the deletion hang; delete first" @152 "the object is deleted here"
			return err
		}
		if err := cs.CoreV1().PersistentVolumeClaims(ns).Delete(ctx, pvc.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// onlyMeta knows the metadata alone.
func onlyMeta(ctx context.Context, m metadata.Interface, gvr schema.GroupVersionResource, ns, name string) error {
	if _, err := m.Resource(gvr).Namespace(ns).Patch(ctx, name, types.MergePatchType, noneLeft, metav1.PatchOptions{}); err != nil { // want removedbeforedelete "the object called name loses all its finalizers before it is deleted (line 164): one added in between makes the deletion hang; delete first" @164 "the object is deleted here"
		return err
	}
	return m.Resource(gvr).Namespace(ns).Delete(ctx, name, metav1.DeleteOptions{})
}

var _ = []any{purge, onlyMeta}

// A box is anything: this is what every object has.
type box interface {
	client.Object
	GetName() string
}

// anything is of any kind.
func anything(ctx context.Context, c client.Client, b box) error {
	b.SetFinalizers(nil)
	if err := c.Update(ctx, b); err != nil { // want removedbeforedelete "b loses all its finalizers before it is deleted (line 181): one added in between makes the deletion hang; delete first" @181 "the object is deleted here"
		return err
	}
	return c.Delete(ctx, b)
}

var _ = anything
