// Package api has the types of the bucket operator.
package api

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Finalizer keeps a claim until its bucket is emptied.
const Finalizer = "storage.acme.io/bucket-protection"

// BucketClaim asks for a bucket.
type BucketClaim struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BucketClaimSpec   `json:"spec"`
	Status BucketClaimStatus `json:"status,omitempty"`
}

// BucketClaimSpec is the wish.
type BucketClaimSpec struct {
	Region     string            `json:"region"`
	Versioning bool              `json:"versioning,omitempty"`
	Tags       map[string]string `json:"tags,omitempty"`
}

// BucketClaimStatus tells of the bucket.
type BucketClaimStatus struct {
	BucketName string `json:"bucketName,omitempty"`
	Phase      string `json:"phase,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *BucketClaim) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Tags = maps.Clone(in.Spec.Tags)
	return &out
}
