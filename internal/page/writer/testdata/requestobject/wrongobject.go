package example

// A Reconciler reads and writes objects.
type Reconciler struct{ client.Client }

func (r *Reconciler) spec() corev1.ServiceSpec { return corev1.ServiceSpec{} }
