// Package overwritten puts finalizers in the place of those of stored objects.
package overwritten

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const mine = "example.com/binding"

type binder struct{ client.Client }

func build(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Finalizers: []string{mine}},
	}
}

func bare(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func (b *binder) bind(ctx context.Context, name string) error {
	wanted := build(name)
	stored := wanted.DeepCopy()
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, stored, func() error {
		stored.Data = wanted.Data
		stored.Finalizers = wanted.Finalizers // want dropped "stored loses the finalizers of other controllers: the list of line 23 overwrites the stored one; append to the stored list" @23 "the new list" @34 "the stored object is read, changed and written here"
		return nil
	})
	return err
}

func (b *binder) bindAlone(ctx context.Context, name string) error {
	stored := bare(name)
	_, err := controllerutil.CreateOrPatch(ctx, b.Client, stored, func() error {
		stored.Finalizers = []string{mine} // want dropped "stored loses the finalizers of other controllers: the list of line 45 overwrites the stored one; append to the stored list" @45 "the new list" @44 "the stored object is read, changed and written here"
		return nil
	})
	return err
}

// bindToo adds to what is there.
func (b *binder) bindToo(ctx context.Context, name string) error {
	wanted := build(name)
	stored := wanted.DeepCopy()
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, stored, func() error {
		for _, f := range wanted.Finalizers {
			if !slices.Contains(stored.Finalizers, f) {
				stored.Finalizers = append(stored.Finalizers, f) // ok
			}
		}
		return nil
	})
	return err
}

// free means to take off all of them.
func (b *binder) free(ctx context.Context, name string) error {
	stored := bare(name)
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, stored, func() error {
		stored.Finalizers = nil // ok
		return nil
	})
	return err
}

// restore puts back what a copy of the stored one had.
func (b *binder) restore(ctx context.Context, was *corev1.ConfigMap) error {
	stored := bare(was.Name)
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, stored, func() error {
		stored.Finalizers = was.Finalizers // ok: nobody knows here where they come from
		return nil
	})
	return err
}

// made has nothing stored yet.
func (b *binder) made(ctx context.Context, name string) error {
	fresh := bare(name)
	fresh.Finalizers = []string{mine} // ok
	return b.Create(ctx, fresh)
}

type entry struct{ Kind, Name string }

// prune asks only when the finalizers are gone, and deletes by the key of the map.
func prune(ctx context.Context, c dynamic.Interface, apps, sets schema.GroupVersionResource, all map[entry]unstructured.Unstructured, sure func() bool) error {
	for key, live := range all {
		var kind dynamic.ResourceInterface
		switch key.Kind {
		case "App":
			kind = c.Resource(apps).Namespace(live.GetNamespace())
			if len(live.GetFinalizers()) > 0 {
				stripped := live.DeepCopy()
				stripped.SetFinalizers(nil)
				if _, err := kind.Update(ctx, stripped, metav1.UpdateOptions{}); err != nil { // want removedbeforedelete "stripped loses all its finalizers before it is deleted (line 113): one added in between makes the deletion hang; delete first" @113 "the object is deleted here"
					return err
				}
			}
		case "Set":
			kind = c.Resource(sets).Namespace(live.GetNamespace())
		}
		if sure() {
			if err := kind.Delete(ctx, key.Name, metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// pruneOther deletes the key of another map.
func pruneOther(ctx context.Context, kind dynamic.ResourceInterface, all map[entry]unstructured.Unstructured, others map[entry]bool) error {
	for _, live := range all {
		stripped := live.DeepCopy()
		stripped.SetFinalizers(nil)
		if _, err := kind.Update(ctx, stripped, metav1.UpdateOptions{}); err != nil { // ok: what is deleted is none of these
			return err
		}
	}
	for key := range others {
		if err := kind.Delete(ctx, key.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}
