// Package writtenout has functions that write the list of finalizers of an object out, and send it.
package writtenout

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/held/api"
)

const guard = "example.com/guard"

// A mirror keeps a copy of something in the cluster.
type mirror struct {
	client client.Client
	copied client.Object
}

func (m *mirror) get(ctx context.Context) error {
	return m.client.Get(ctx, client.ObjectKeyFromObject(m.copied), m.copied)
}

func (m *mirror) apply(ctx context.Context) error {
	keep(m.copied)
	return send(ctx, m.client, m.copied)
}

func keep(obj client.Object) {
	obj.SetFinalizers([]string{guard}) // want dropped "obj loses the finalizers that others have put on it: this list takes the place of the stored one where apply writes the object, at line 27; add to the list that is there" @27 "it is written here"
	obj.SetLabels(map[string]string{"example.com/kept": ""})
}

func send(ctx context.Context, c client.Client, obj client.Object) error {
	obj.SetManagedFields(nil)
	return c.Patch(ctx, obj, client.Merge)
}

// A template is never read.
type template struct {
	client client.Client
	wanted client.Object
}

func (t *template) apply(ctx context.Context) error {
	t.wanted.SetFinalizers([]string{guard}) // ok: perhaps there is none yet
	return send(ctx, t.client, t.wanted)
}

type labels struct{ client.Client }

// update sends the whole of what it has read.
func (r *labels) update(ctx context.Context, key client.ObjectKey) error {
	volume := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key, volume); err != nil {
		return err
	}
	volume.Finalizers = []string{guard} // want dropped "volume loses the finalizers that others have put on it: this list takes the place of the stored one where update writes the object, at line 60; add to the list that is there" @60 "it is written here"
	return r.Update(ctx, volume)
}

// patch sends the difference, which takes the others off.
func (r *labels) patch(ctx context.Context, key client.ObjectKey) error {
	volume := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key, volume); err != nil {
		return err
	}
	base := volume.DeepCopy()
	volume.Finalizers = []string{guard} // want dropped "volume loses the finalizers that others have put on it: this list takes the place of the stored one where patch writes the object, at line 71; add to the list that is there" @71 "it is written here"
	return r.Patch(ctx, volume, client.MergeFrom(base))
}

// applied sends what it wants with server-side apply.
func (r *labels) applied(ctx context.Context, key client.ObjectKey) error {
	volume := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key, volume); err != nil {
		return err
	}
	volume.Finalizers = []string{guard} // ok: the server merges the lists
	return r.Patch(ctx, volume, client.Apply, client.FieldOwner("labels"))
}

// empty looks whether there are any.
func (r *labels) empty(ctx context.Context, key client.ObjectKey) error {
	volume := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key, volume); err != nil {
		return err
	}
	if len(volume.Finalizers) == 0 {
		volume.Finalizers = []string{guard} // ok: none is lost
	}
	return r.Update(ctx, volume)
}

// grow adds to those that are there.
func (r *labels) grow(ctx context.Context, key client.ObjectKey) error {
	volume := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key, volume); err != nil {
		return err
	}
	volume.Finalizers = append(volume.Finalizers, guard) // ok: the others are there, too
	return r.Update(ctx, volume)
}

// own is of a kind that nobody else knows.
func (r *labels) own(ctx context.Context, key client.ObjectKey) error {
	disk := &api.Disk{}
	if err := r.Get(ctx, key, disk); err != nil {
		return err
	}
	disk.Finalizers = []string{guard} // ok: there are no others
	return r.Update(ctx, disk)
}

// create makes the object.
func (r *labels) create(ctx context.Context, key client.ObjectKey) error {
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, key, volume); err != nil {
		return err
	}
	volume.Finalizers = []string{guard}
	if err := r.Create(ctx, volume); err != nil { // ok: it is made
		return err
	}
	return r.Update(ctx, volume)
}

var _ = []any{(*mirror).get, (*mirror).apply, (*template).apply, (*labels).update, (*labels).patch, (*labels).applied, (*labels).empty, (*labels).grow, (*labels).own, (*labels).create}
