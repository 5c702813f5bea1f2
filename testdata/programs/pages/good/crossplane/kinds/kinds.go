// Package kinds says what kinds are composed.
package kinds

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Group is the group of all composed kinds.
const Group = "aws.acme.io"

// Composed are the kinds that a composition may have.
var Composed = []string{"Instance", "Subnet", "Role"}

// New makes an object of a composed kind.
func New(kind string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: Group, Version: "v1", Kind: kind})
	return u
}

// Is says whether the object is of the kind.
func Is(o client.Object, kind string) bool {
	return o.GetObjectKind().GroupVersionKind().GroupKind() == schema.GroupKind{Group: Group, Kind: kind}
}
