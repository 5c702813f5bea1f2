package mutates

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// tolerated leaves the taints out that do not matter, in the array of the node.
func tolerated(node *corev1.Node) []corev1.Taint {
	kept := node.Spec.Taints[:0]
	for _, t := range node.Spec.Taints {
		if t.Effect != corev1.TaintEffectPreferNoSchedule {
			kept = append(kept, t) // want mutates "this filter writes to the elements of Taints of the event's ObjectOld, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @46 "the object is handed on here" @54 "and so does this one"
		}
	}
	return kept
}

// mattering has an array of its own: no room is left behind what it begins with.
func mattering(node *corev1.Node) []corev1.Taint {
	kept := node.Spec.Taints[:0:0]
	for _, t := range node.Spec.Taints {
		if t.Effect != corev1.TaintEffectPreferNoSchedule {
			kept = append(kept, t)
		}
	}
	return kept
}

// known collects in an array of its own that is used again.
func known(node *corev1.Node, buf []corev1.Taint) []corev1.Taint {
	buf = buf[:0]
	for _, t := range node.Spec.Taints {
		buf = append(buf, t)
	}
	return buf
}

func taints() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
			return !slices.Equal(tolerated(was), tolerated(is))
		},
		DeleteFunc: func(e event.DeleteEvent) bool { // ok: it writes to none of the node's
			node := e.Object.(*corev1.Node)
			return len(mattering(node)) > 0 || len(known(node, make([]corev1.Taint, 0, 8))) > 0
		},
		CreateFunc: func(e event.CreateEvent) bool {
			spec := e.Object.(*corev1.Node).Spec
			spec.Taints = append(spec.Taints[:0], corev1.Taint{Key: "none"})
			return len(spec.Taints) > 0
		},
	}
}

var _ = taints
