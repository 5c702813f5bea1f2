package pointer

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// Good compares the sizes.
func Good(e event.TypedUpdateEvent[client.Object]) bool {
	before, after := e.ObjectOld.(*appsv1.Deployment), e.ObjectNew.(*appsv1.Deployment)
	return !ptr.Equal(before.Spec.Replicas, after.Spec.Replicas)
}
