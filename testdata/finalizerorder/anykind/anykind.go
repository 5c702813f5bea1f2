// Package anykind writes objects whose kinds it does not know in the place of stored ones.
package anykind

import (
	"context"
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"

	"example.com/operators/finalizerorder/anykind/delta"
)

const guard = "example.com/guard"

type templates struct{ client.Client }

// render fills what it has made, and creates it where there is none.
func (t *templates) render(ctx context.Context, text []byte) error {
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, obj); err != nil {
		return err
	}
	stored := &unstructured.Unstructured{}
	stored.SetGroupVersionKind(obj.GroupVersionKind())
	err := t.Get(ctx, client.ObjectKeyFromObject(obj), stored)
	if apierrors.IsNotFound(err) {
		return t.Create(ctx, obj)
	}
	if err != nil {
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // want anykind "obj loses the finalizers of the stored object with this update: line 42 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @42 "only the resource version is taken over"
}

// mirror is given it, and creates it where there is none.
func mirror(ctx context.Context, d dynamic.Interface, gvr schema.GroupVersionResource, obj *unstructured.Unstructured) error {
	stored, err := d.Resource(gvr).Namespace("a").Get(ctx, obj.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = d.Resource(gvr).Namespace("a").Create(ctx, obj, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	_, err = d.Resource(gvr).Namespace("a").Update(ctx, obj, metav1.UpdateOptions{}) // want anykind "obj loses the finalizers of the stored object with this update: line 56 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @56 "only the resource version is taken over"
	return err
}

// convert is given both, and adds a finalizer of its own.
func (t *templates) convert(ctx context.Context, object client.Object, stored *unstructured.Unstructured) (err error) {
	defer func() {
		if err != nil {
			ctrl.Log.Error(err, "it stays as it is", "name", object.GetName())
		}
	}()
	data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err
	}
	object = &unstructured.Unstructured{Object: data}
	if object.GetLabels()["guarded"] != "" {
		controllerutil.AddFinalizer(object, guard)
	}
	if object.GetResourceVersion() == "" {
		object.SetResourceVersion(stored.GetResourceVersion())
	}
	return t.Update(ctx, object) // want anykind "object loses the finalizers of the stored object with this update: line 77 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @77 "only the resource version is taken over"
}

// keep takes the finalizers over.
func (t *templates) keep(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	obj.SetFinalizers(stored.GetFinalizers())
	return t.Update(ctx, obj) // ok
}

// keepEach takes over one after the other.
func (t *templates) keepEach(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	for _, f := range stored.GetFinalizers() {
		controllerutil.AddFinalizer(obj, f)
	}
	return t.Update(ctx, obj) // ok
}

// again writes over what others have done since obj was read, and has its finalizers.
func (t *templates) again(ctx context.Context, obj *unstructured.Unstructured) error {
	stored := obj.DeepCopy()
	if err := t.Get(ctx, client.ObjectKeyFromObject(obj), stored); err != nil {
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // ok: it may have been read
}

// merged has some function make one of both.
func (t *templates) merged(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	fill(obj, stored)
	return t.Update(ctx, obj) // ok: with all that fill has taken over
}

// special leaves those that have a function of their own to that.
func (t *templates) special(ctx context.Context, of map[string]func(obj, stored *unstructured.Unstructured) error, obj, stored *unstructured.Unstructured) error {
	if f := of[obj.GetKind()]; f != nil {
		return f(obj, stored)
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // want anykind "obj loses the finalizers of the stored object with this update: line 120 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @120 "only the resource version is taken over"
}

// definition is of a kind that has no namespaces.
func (t *templates) definition(ctx context.Context, obj *unstructured.Unstructured) error {
	stored := &unstructured.Unstructured{}
	stored.SetGroupVersionKind(obj.GroupVersionKind())
	if err := t.Get(ctx, client.ObjectKey{Name: obj.GetName()}, stored); err != nil {
		if apierrors.IsNotFound(err) {
			return t.Create(ctx, obj)
		}
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // ok: who has written this knows of which
}

// placed asks with the namespace.
func (t *templates) placed(ctx context.Context, obj *unstructured.Unstructured) error {
	stored := &unstructured.Unstructured{}
	stored.SetGroupVersionKind(obj.GroupVersionKind())
	if err := t.Get(ctx, client.ObjectKey{Namespace: obj.GetNamespace(), Name: obj.GetName()}, stored); err != nil {
		if apierrors.IsNotFound(err) {
			return t.Create(ctx, obj)
		}
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // want anykind "obj loses the finalizers of the stored object with this update: line 148 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @148 "only the resource version is taken over"
}

var monitors = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "monitors"}

// watching writes what a variable of the package names.
func watching(ctx context.Context, d dynamic.Interface, obj *unstructured.Unstructured) error {
	stored, err := d.Resource(monitors).Namespace("a").Get(ctx, obj.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = d.Resource(monitors).Namespace("a").Create(ctx, obj, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	_, err = d.Resource(monitors).Namespace("a").Update(ctx, obj, metav1.UpdateOptions{}) // ok
	return err
}

// differing writes only where they differ.
func (t *templates) differing(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	diff, err := delta.Compare(obj, stored)
	if err != nil || len(diff) == 0 {
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // want anykind "obj loses the finalizers of the stored object with this update: line 175 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @175 "only the resource version is taken over"
}

// joined writes what another package has made of both.
func (t *templates) joined(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	if err := delta.Join(obj, stored); err != nil {
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // ok
}

// Write is for others, who know what they give it.
func Write(ctx context.Context, c client.Client, obj *unstructured.Unstructured) error {
	stored := &unstructured.Unstructured{}
	stored.SetGroupVersionKind(obj.GroupVersionKind())
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), stored); err != nil {
		if apierrors.IsNotFound(err) {
			return c.Create(ctx, obj)
		}
		return err
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	return c.Update(ctx, obj) // ok
}

// WriteForm writes what others give it in another form.
func WriteForm(ctx context.Context, c client.Client, of runtime.Object) error {
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	obj := &unstructured.Unstructured{}
	if err := json.Unmarshal(text, obj); err != nil {
		return err
	}
	return Write(ctx, c, obj)
}

// written is what somebody has written.
func written(ctx context.Context, t *templates, d dynamic.Interface, gvr schema.GroupVersionResource, text []byte, stored *unstructured.Unstructured) error {
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, obj); err != nil {
		return err
	}
	if err := t.again(ctx, obj); err != nil {
		return err
	}
	if err := t.definition(ctx, obj); err != nil {
		return err
	}
	if err := t.placed(ctx, obj); err != nil {
		return err
	}
	if err := t.differing(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.joined(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.keep(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.keepEach(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.merged(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.trial(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.status(ctx, obj, stored); err != nil {
		return err
	}
	if err := t.special(ctx, nil, obj, stored); err != nil {
		return err
	}
	return errors.Join(mirror(ctx, d, gvr, obj), watching(ctx, d, obj), t.content(ctx, stored), t.convert(ctx, obj, stored))
}

func fill(obj, stored *unstructured.Unstructured) {
	if meta, ok, _ := unstructured.NestedMap(stored.Object, "metadata"); ok {
		obj.Object["metadata"] = meta
	}
}

// content is made of what is stored.
func (t *templates) content(ctx context.Context, stored *unstructured.Unstructured) error {
	obj := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(stored.Object)}
	obj.SetLabels(nil)
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // ok
}

// trial changes nothing.
func (t *templates) trial(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj, client.DryRunAll) // ok
}

// status leaves the metadata alone.
func (t *templates) status(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Status().Update(ctx, obj) // ok
}

// rule makes one of a kind that it knows, and so do those who call replace.
func (t *templates) rule(ctx context.Context, stored *unstructured.Unstructured) error {
	obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Rule"}}
	obj.SetName("a")
	if err := t.replace(ctx, obj, stored); err != nil {
		return err
	}
	other := monitor()
	return t.replace(ctx, other, stored)
}

func monitor() *unstructured.Unstructured {
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Monitor"})
	return obj
}

func (t *templates) replace(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // ok: of these kinds
}

// all calls put, with what is of any kind.
func (t *templates) all(ctx context.Context, objs []*unstructured.Unstructured, stored *unstructured.Unstructured) error {
	for _, obj := range objs {
		if err := t.put(ctx, obj, stored); err != nil {
			return err
		}
	}
	return t.put(ctx, monitor(), stored)
}

func (t *templates) put(ctx context.Context, obj, stored *unstructured.Unstructured) error {
	obj.SetResourceVersion(stored.GetResourceVersion())
	return t.Update(ctx, obj) // want anykind "obj loses the finalizers of the stored object with this update: line 316 gives it the resource version of that and not its finalizers, and it may be of any kind, such as one whose controller guards its objects; copy them, or patch" @316 "only the resource version is taken over"
}

var _ = []any{(*templates).render, (*templates).rule, (*templates).all, written}
