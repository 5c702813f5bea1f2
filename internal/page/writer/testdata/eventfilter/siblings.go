package example

// Hook holds a pod until its finalizer is gone.
type Hook struct{ Finalizer string }

func (h *Hook) held(pod *corev1.Pod) bool { return slices.Contains(pod.Finalizers, h.Finalizer) }
