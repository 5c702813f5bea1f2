// Package handlers observes a store that another package has.
package handlers

import (
	corev1 "k8s.io/api/core/v1"

	"example.com/operators/expectttl/store"
)

// A Handler tells the store of new pods.
type Handler struct{ tally store.Tally }

// New is one for the store.
func New(t store.Tally) *Handler { return &Handler{t} }

// OnAdd observes.
func (h *Handler) OnAdd(pod *corev1.Pod) {
	h.tally.CreationObserved(pod.Labels["owner"])
}
