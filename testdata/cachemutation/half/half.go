// Package half has functions that write to a map which is the caller's object's for some objects, and their own for others.
package half

import (
	"context"
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type disks interface {
	Snapshot(disk string, tags map[string]string) error
}

type backupper struct {
	disks  disks
	backup *corev1.ConfigMap
	client client.Client
	last   map[string]string
}

// Backup does not read what it was given.
func (b *backupper) Backup(ctx context.Context, backup *corev1.ConfigMap, disk string) error {
	if err := b.snapshot(backup, disk); err != nil {
		return err
	}
	return b.client.Update(ctx, backup)
}

// all keeps the object, and sends it.
func (b *backupper) all(ctx context.Context, key client.ObjectKey, disk string) error {
	backup := &corev1.ConfigMap{}
	if err := b.client.Get(ctx, key, backup); err != nil {
		return err
	}
	return b.Backup(ctx, backup, disk)
}

// snapshot gives the tags of one disk to the object, if it has others.
func (b *backupper) snapshot(backup *corev1.ConfigMap, disk string) error {
	tags := backup.GetLabels()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["disk"] = disk // want half "this writes an entry of tags of backup, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @46 "this may be the object's own"
	return b.disks.Snapshot(disk, tags)
}

// snapshotOwn does so with an object that others keep, by a field.
func (b *backupper) snapshotOwn(disk string) error {
	tags := b.backup.Annotations
	if len(tags) == 0 {
		tags = make(map[string]string)
	}
	delete(tags, "last") // want half "this writes an entry of tags of backup, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @56 "this may be the object's own"
	put(tags, disk)
	return b.disks.Snapshot(disk, tags)
}

func put(tags map[string]string, disk string) { tags["disk"] = disk }

// Child gives what it has made for another object to the owner, too.
func Child(owner *corev1.ConfigMap) *corev1.Pod {
	tags := owner.Labels
	if tags == nil {
		tags = map[string]string{}
	}
	put(tags, "a") // want half "put (half.go:65) writes an entry of tags of owner, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @69 "this may be the object's own"
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: tags}}
}

// Lost means the object, and forgets to give it the map.
func Lost(obj client.Object) {
	tags := obj.GetAnnotations()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true" // want half "this writes an entry of tags of obj, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @79 "this may be the object's own"
}

func Set(obj client.Object) { // ok: it is put back
	tags := obj.GetAnnotations()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true"
	obj.SetAnnotations(tags)
}

func SetField(obj *corev1.Pod) { // ok
	tags := obj.Annotations
	if tags == nil {
		tags = map[string]string{}
		obj.Annotations = tags
	}
	tags["seen"] = "true"
}

func Merged(obj client.Object) map[string]string { // ok: the caller may put it back
	tags := obj.GetAnnotations()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true"
	return tags
}

func SetBy(obj *corev1.Pod) { // ok: who is given both may put it back
	tags := obj.GetAnnotations()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true"
	replace(obj, tags)
}

func replace(obj *corev1.Pod, tags map[string]string) { obj.Annotations = tags }

func SetPart(obj corev1.Pod) corev1.Pod { // ok: to the part that has it
	tags := obj.GetAnnotations()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true"
	obj.SetAnnotations(tags)
	return obj
}

func SetDeep(obj corev1.PodTemplate) { // ok
	tags := obj.Template.Labels
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true"
	obj.Template.Labels = tags
}

func (b *backupper) fromHere(ctx context.Context, key client.ObjectKey) error { // ok: what is written to is looked at by nobody
	pod := &corev1.Pod{}
	if err := b.client.Get(ctx, key, pod); err != nil {
		return err
	}
	return b.tag(pod)
}

func (b *backupper) tag(pod *corev1.Pod) error {
	tags := pod.Annotations
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b"
	return b.disks.Snapshot(pod.Name, tags)
}

// compared looks at the object when it has been written to.
func (b *backupper) compared(ctx context.Context, key client.ObjectKey, want *corev1.Pod) error {
	pod := &corev1.Pod{}
	if err := b.client.Get(ctx, key, pod); err != nil {
		return err
	}
	keepTags(pod, want)
	if reflect.DeepEqual(pod, want) {
		return nil
	}
	return b.client.Update(ctx, want)
}

func keepTags(have, want *corev1.Pod) {
	tags := have.Annotations
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b" // want half "this writes an entry of tags of have, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @174 "this may be the object's own"
	want.Annotations = tags
}

func Later(obj *corev1.Pod) func() { // ok: a literal may
	tags := obj.GetAnnotations()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["seen"] = "true"
	return func() { obj.Annotations = tags }
}

func (b *backupper) own(ctx context.Context, key client.ObjectKey) error { // ok: nobody else has the object
	pod := &corev1.Pod{}
	if err := b.client.Get(ctx, key, pod); err != nil {
		return err
	}
	tags := pod.GetLabels()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b"
	return b.disks.Snapshot(key.Name, tags)
}

func (b *backupper) copied(obj *unstructured.Unstructured) error { // ok: an Unstructured gives out a copy
	tags := obj.GetLabels()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b"
	return b.disks.Snapshot(obj.GetName(), tags)
}

func (b *backupper) cloned(obj *corev1.Pod) error { // ok
	tags := maps.Clone(obj.Labels)
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b"
	return b.disks.Snapshot(obj.Name, tags)
}

func (b *backupper) read(obj *corev1.Pod) error { // ok
	tags := obj.Labels
	if tags == nil {
		tags = map[string]string{"none": "true"}
	}
	b.last = tags
	return b.disks.Snapshot(obj.Name, tags)
}

// A snapshot keeps an object as it was, to compare it with what becomes of it.
type snapshot struct {
	before map[string]any
	status any
}

// NewSnapshot takes the status away from the object of the caller if it is an Unstructured, and what it keeps changes along.
func NewSnapshot(obj runtime.Object) (*snapshot, error) {
	before, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	status, _, _ := unstructured.NestedFieldCopy(before, "status")
	unstructured.RemoveNestedField(before, "status") // want half "this writes a field of obj, which the caller has, if it is an Unstructured, and of a copy if it is of any other type; change a copy of both" @239 "this is the object's own, of an Unstructured"
	return &snapshot{before, status}, nil
}

func (s *snapshot) changed(obj runtime.Object) (bool, error) { // ok: it is read
	after, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	return !reflect.DeepEqual(s.before, after), err
}

func SnapshotOfCopy(obj runtime.Object) (*snapshot, error) { // ok
	before, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj.DeepCopyObject())
	if err != nil {
		return nil, err
	}
	unstructured.RemoveNestedField(before, "status")
	return &snapshot{before: before}, nil
}

func SnapshotOfEither(obj runtime.Object) (*snapshot, error) { // ok: it is asked what it is
	if u, ok := obj.(runtime.Unstructured); ok {
		obj = u.DeepCopyObject()
	}
	before, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	unstructured.RemoveNestedField(before, "status")
	return &snapshot{before: before}, nil
}

func SnapshotOfTyped(obj *corev1.Pod) (*snapshot, error) { // ok: of a type that is written out anew
	before, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	unstructured.RemoveNestedField(before, "status")
	return &snapshot{before: before}, nil
}

func WithoutStatus(obj client.Object) error { // ok: the object is meant, and given what is left
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return err
	}
	unstructured.RemoveNestedField(content, "status")
	return runtime.DefaultUnstructuredConverter.FromUnstructured(content, obj)
}

func Printed(pod *corev1.Pod) (map[string]any, error) { return strip(pod) }

func strip(obj runtime.Object) (map[string]any, error) { // ok: who calls it has none that share their content
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	delete(content, "status")
	return map[string]any{"object": content}, nil
}

func StripTyped(obj runtime.Object) (map[string]any, error) { // ok: it is asked what it is
	switch obj.(type) {
	case runtime.Unstructured:
		return nil, nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	delete(content, "status")
	return map[string]any{"object": content}, nil
}
