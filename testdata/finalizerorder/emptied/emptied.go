// Package emptied brings objects to what others of their kind are.
package emptied

import (
	corev1 "k8s.io/api/core/v1"
)

type reconciler func(*corev1.PersistentVolumeClaim) (*corev1.PersistentVolumeClaim, error)

// wanted makes what brings the stored claim to what of is.
func wanted(of *corev1.PersistentVolumeClaim) reconciler {
	return func(c *corev1.PersistentVolumeClaim) (*corev1.PersistentVolumeClaim, error) {
		c.Labels = of.Labels
		c.Finalizers = nil // want dropped "c loses all finalizers here, also those that others have put on the stored object: it is no copy, as line 15 gives it what another PersistentVolumeClaim has; leave them" @15 "it is brought to what another one has"
		c.Spec = of.Spec
		return c, nil
	}
}

// named gives it a name.
func named(of *corev1.PersistentVolumeClaim) func() (string, reconciler) {
	return func() (string, reconciler) {
		return of.Name, func(c *corev1.PersistentVolumeClaim) (*corev1.PersistentVolumeClaim, error) {
			c.Labels = of.Labels
			if c.Labels == nil {
				c.Labels = map[string]string{}
			}
			c.Labels["by"] = "me"
			c.Annotations = of.Annotations
			c.Finalizers = nil // want dropped "c loses all finalizers here, also those that others have put on the stored object: it is no copy, as line 32 gives it what another PersistentVolumeClaim has; leave them" @32 "it is brought to what another one has"

			c.Spec = of.Spec

			return c, nil
		}
	}
}

// mutate does so at once.
func mutate(stored, of *corev1.PersistentVolumeClaim) {
	stored.Spec = of.Spec
	stored.SetFinalizers([]string{}) // want dropped "stored loses all finalizers here, also those that others have put on the stored object: it is no copy, as line 41 gives it what another PersistentVolumeClaim has; leave them" @41 "it is brought to what another one has"
}

// prepare makes what is to be created.
func prepare(c, of *corev1.PersistentVolumeClaim) {
	c.Spec = of.Spec
	c.ResourceVersion = ""
	c.Finalizers = nil // ok: it is new
}

// renew does so by its methods.
func renew(c, of *corev1.PersistentVolumeClaim) {
	c.SetResourceVersion("")
	c.Spec = of.Spec
	c.SetFinalizers(nil) // ok
}

// copied has what of has.
func copied(c, of *corev1.PersistentVolumeClaim) {
	of.DeepCopyInto(c)
	c.Spec = of.Spec
	c.Finalizers = nil // ok: those of the other one
}

// meta has the metadata of the other one.
func meta(c, of *corev1.PersistentVolumeClaim) {
	c.ObjectMeta = of.ObjectMeta
	c.Spec = of.Spec
	c.Finalizers = nil // ok
}

// all is a copy of the other one.
func all(c, of *corev1.PersistentVolumeClaim) {
	*c = *of
	c.Spec = of.Spec
	c.Finalizers = nil // ok
}

// released is being deleted.
func released(c, of *corev1.PersistentVolumeClaim) {
	c.Spec = of.Spec
	if c.DeletionTimestamp != nil {
		c.Finalizers = nil // ok
	}
}

// alone may be made for a comparison.
func alone(c *corev1.PersistentVolumeClaim) {
	c.Finalizers = nil // ok
	c.Spec = corev1.PersistentVolumeClaimSpec{}
}

var _ = []any{wanted, named, mutate, prepare, renew, copied, meta, all, released, alone}
