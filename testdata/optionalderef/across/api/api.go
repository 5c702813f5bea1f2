// Package api has kinds that other packages check and follow.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Web is a kind.
type Web struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WebSpec `json:"spec,omitempty"`
}

// WebSpec is what users write.
type WebSpec struct {
	// Cache is checked by the webhook.
	Cache *Cache `json:"cache,omitempty"`
	// Image is set by the webhook.
	Image *string `json:"image,omitempty"`
	// Split is checked by another command.
	Split *int32 `json:"split,omitempty"`
	// Pages are checked by nobody.
	Pages *int32 `json:"pages,omitempty"`
}

// Cache is in the spec.
type Cache struct {
	Size *int32 `json:"size,omitempty"`
}

// DeepCopyObject is a copy.
func (w *Web) DeepCopyObject() runtime.Object { return w.DeepCopy() }

// DeepCopy asks for nil as it copies.
func (w *Web) DeepCopy() *Web {
	out := *w
	if w.Spec.Pages != nil {
		pages := *w.Spec.Pages
		out.Spec.Pages = &pages
	}
	return &out
}
