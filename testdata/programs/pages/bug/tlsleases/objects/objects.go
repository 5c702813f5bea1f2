// Package objects has small helpers about objects of the API.
package objects

import (
	corev1 "k8s.io/api/core/v1"
)

// Has says whether the secret has the finalizer.
func Has(s *corev1.Secret, name string) bool {
	for _, f := range s.Finalizers {
		if f == name {
			return true
		}
	}
	return false
}

// Without gives a copy of the secret that does not have the finalizer. The
// secret itself may be one of the cache and is not changed.
func Without(s *corev1.Secret, name string) *corev1.Secret {
	out := s.DeepCopy()
	out.Finalizers = out.Finalizers[:0]
	for _, f := range s.Finalizers {
		if f != name {
			out.Finalizers = append(out.Finalizers, f)
		}
	}
	return out
}

// With gives a copy that has the finalizer.
func With(s *corev1.Secret, name string) *corev1.Secret {
	out := s.DeepCopy()
	if !Has(out, name) {
		out.Finalizers = append(out.Finalizers, name)
	}
	return out
}
