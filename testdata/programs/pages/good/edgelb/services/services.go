// Package services applies services.
package services

import (
	"context"
	"errors"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Apply creates the service or brings the stored one to what is wanted.
func Apply(ctx context.Context, c client.Client, want *corev1.Service) error {
	stored := &corev1.Service{}
	err := c.Get(ctx, client.ObjectKeyFromObject(want), stored)
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, want)
	}
	if err != nil {
		return err
	}
	if !stored.DeletionTimestamp.IsZero() {
		return apierrors.NewConflict(corev1.Resource("services"), stored.Name, errors.New("it is being deleted"))
	}
	next := inherit(want.DeepCopy(), stored)
	if equality.Semantic.DeepEqual(next.Spec, stored.Spec) &&
		maps.Equal(next.Annotations, stored.Annotations) && maps.Equal(next.Labels, stored.Labels) {
		return nil
	}
	return c.Update(ctx, next)
}

// inherit gives the wanted service all that others have put on the stored one.
func inherit(want, stored *corev1.Service) *corev1.Service {
	labels, annotations := want.Labels, want.Annotations
	want.ObjectMeta = *stored.ObjectMeta.DeepCopy() // with finalizers and owners
	if want.Labels == nil {
		want.Labels = map[string]string{}
	}
	if want.Annotations == nil {
		want.Annotations = map[string]string{}
	}
	maps.Copy(want.Labels, labels)
	maps.Copy(want.Annotations, annotations)

	ports := want.Spec.Ports
	selector, ranges := want.Spec.Selector, want.Spec.LoadBalancerSourceRanges
	want.Spec = *stored.Spec.DeepCopy()
	want.Spec.Selector = selector
	want.Spec.LoadBalancerSourceRanges = ranges
	nodePorts := map[string]int32{}
	for _, p := range stored.Spec.Ports {
		nodePorts[p.Name] = p.NodePort
	}
	for i := range ports {
		ports[i].NodePort = nodePorts[ports[i].Name]
		if ports[i].Protocol == "" {
			ports[i].Protocol = corev1.ProtocolTCP
		}
	}
	want.Spec.Ports = ports
	want.Status = stored.Status
	return want
}
