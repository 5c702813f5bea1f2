// Package normalize makes objects of users comparable.
package normalize

import (
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/utils/ptr"
)

// Step changes an autoscaler in place.
type Step func(*autoscalingv2.HorizontalPodAutoscaler)

// Autoscaler gives the autoscaler with all defaults filled in, and leaves its argument as it is.
func Autoscaler(in *autoscalingv2.HorizontalPodAutoscaler, steps ...Step) *autoscalingv2.HorizontalPodAutoscaler {
	in = in.DeepCopy()
	fill(in)
	for _, step := range steps {
		step(in)
	}
	return in
}

func fill(hpa *autoscalingv2.HorizontalPodAutoscaler) {
	if hpa.Spec.MinReplicas == nil {
		hpa.Spec.MinReplicas = ptr.To[int32](1)
	}
	if hpa.Annotations == nil {
		hpa.Annotations = map[string]string{}
	}
	for k := range hpa.Annotations {
		if strings.HasPrefix(k, "kubectl.kubernetes.io/") {
			delete(hpa.Annotations, k)
		}
	}
	slices.SortFunc(hpa.Spec.Metrics, func(a, b autoscalingv2.MetricSpec) int {
		return strings.Compare(string(a.Type), string(b.Type))
	})
}

// Capped is a Step that bounds the number of replicas.
func Capped(most int32) Step {
	return func(hpa *autoscalingv2.HorizontalPodAutoscaler) {
		hpa.Spec.MaxReplicas = min(hpa.Spec.MaxReplicas, most)
		*hpa.Spec.MinReplicas = min(*hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas)
	}
}
