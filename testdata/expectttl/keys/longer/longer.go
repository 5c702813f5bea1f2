// Package longer takes expectations back under keys with more text.
package longer

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/debts"
)

type farm struct {
	client.Client
	expect *debts.Ledger
}

// plant takes it back for the plant.
func (f *farm) plant(ctx context.Context, field *corev1.ConfigMap, row int) error {
	plant := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: field.Namespace,
		Name:      fmt.Sprintf("%s-%d", field.Name, row),
	}}
	if err := ctrl.SetControllerReference(field, plant, f.Scheme()); err != nil {
		return err
	}
	f.expect.ExpectCreations(client.ObjectKeyFromObject(field).String(), 1)
	err := f.Create(ctx, plant)
	if err != nil {
		f.expect.CreationObserved(client.ObjectKeyFromObject(plant).String()) // want notlowered "CreationObserved is given a longer key than the one with which this is expected (line 31): nothing is expected under this key, and what is expected under the other one stays" @31 "raised here"
	}
	return err
}

// sow takes it back for what is sown.
func (f *farm) sow(ctx context.Context, field *corev1.ConfigMap) error {
	key := types.NamespacedName{Namespace: field.GetNamespace(), Name: field.GetName()}.String()
	f.expect.ExpectCreations(key, 1)
	err := f.Create(ctx, &corev1.Secret{})
	if err != nil {
		f.expect.CreationObserved(key + "/secrets") // want notlowered "CreationObserved is given a longer key than the one with which this is expected (line 42): nothing is expected under this key, and what is expected under the other one stays" @42 "raised here"
	}
	return err
}

// same makes what is called as the field is.
func (f *farm) same(ctx context.Context, field *corev1.ConfigMap) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: field.Namespace, Name: field.Name}}
	f.expect.ExpectCreations(client.ObjectKeyFromObject(field).String(), 1)
	err := f.Create(ctx, pod)
	if err != nil {
		f.expect.CreationObserved(client.ObjectKeyFromObject(pod).String()) // ok: it is the same key
	}
	return err
}

// named has its names from elsewhere.
func (f *farm) named(ctx context.Context, field *corev1.ConfigMap, name func(string) string) error {
	pod := &corev1.Pod{}
	pod.Namespace = field.Namespace
	pod.Name = name(field.Name)
	f.expect.ExpectCreations(client.ObjectKeyFromObject(field).String(), 1)
	err := f.Create(ctx, pod)
	if err != nil {
		f.expect.CreationObserved(client.ObjectKeyFromObject(pod).String()) // ok: it may be the same
	}
	return err
}

// renamed is called so for a while.
func (f *farm) renamed(ctx context.Context, field *corev1.ConfigMap) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: field.Namespace, Name: field.Name + "-0"}}
	rename(pod, field.Name)
	f.expect.ExpectCreations(client.ObjectKeyFromObject(field).String(), 1)
	err := f.Create(ctx, pod)
	if err != nil {
		f.expect.CreationObserved(client.ObjectKeyFromObject(pod).String()) // ok: rename has changed it
	}
	return err
}

func rename(pod *corev1.Pod, name string) { pod.Name = name }

// both takes back the one, and then the other.
func (f *farm) both(ctx context.Context, field *corev1.ConfigMap) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: field.Namespace, Name: field.Name + "-0"}}
	f.expect.ExpectCreations(client.ObjectKeyFromObject(field).String(), 1)
	err := f.Create(ctx, pod)
	if err != nil {
		f.expect.CreationObserved(client.ObjectKeyFromObject(pod).String()) // ok: the other follows
		f.expect.CreationObserved(client.ObjectKeyFromObject(field).String())
	}
	return err
}
