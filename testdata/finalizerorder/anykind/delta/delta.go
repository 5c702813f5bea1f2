// Package delta holds objects against each other, and makes one of two.
package delta

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Compare gives the fields that differ.
func Compare(x, y *unstructured.Unstructured) ([]string, error) {
	var out []string
	for k := range x.Object {
		if _, ok := y.Object[k]; !ok {
			out = append(out, k)
		}
	}
	return out, nil
}

// Join puts into x what y has.
func Join(x, y *unstructured.Unstructured) error {
	x.Object["metadata"] = y.Object["metadata"]
	return nil
}
