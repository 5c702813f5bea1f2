package imagewarm

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const imagesAnnotation = "warm.example.com/images"

func annotated() predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetAnnotations()[imagesAnnotation] != ""
	})
}

func wanted(node *corev1.Node) []string {
	return strings.FieldsFunc(node.Annotations[imagesAnnotation], func(r rune) bool { return r == ',' || r == ' ' })
}
