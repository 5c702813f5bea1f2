package given

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/given/shape"
)

// shaped has Services made elsewhere.
func (s *stall) shaped(ctx context.Context, name string) error {
	if err := s.out(ctx, shape.Outside(name)); err != nil {
		return err
	}
	if err := s.in(ctx, shape.Inside(name)); err != nil {
		return err
	}
	return s.same(ctx, shape.Labelled(&corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP}}))
}

func (s *stall) out(ctx context.Context, want *corev1.Service) error {
	var have corev1.Service
	if err := s.Get(ctx, client.ObjectKeyFromObject(want), &have); err != nil {
		return client.IgnoreNotFound(err)
	}
	want.ResourceVersion = have.ResourceVersion
	return s.Update(ctx, want) // want dropped "this write removes stored finalizers such as service.kubernetes.io/load-balancer-cleanup (line 28 copies only the resource version), so their cleanup is skipped; copy them or use Patch" @28 "only the resource version is copied here"
}

func (s *stall) in(ctx context.Context, want *corev1.Service) error {
	var have corev1.Service
	if err := s.Get(ctx, client.ObjectKeyFromObject(want), &have); err != nil {
		return client.IgnoreNotFound(err)
	}
	want.ResourceVersion = have.ResourceVersion
	return s.Update(ctx, want)
}

func (s *stall) same(ctx context.Context, want *corev1.Service) error {
	var have corev1.Service
	if err := s.Get(ctx, client.ObjectKeyFromObject(want), &have); err != nil {
		return client.IgnoreNotFound(err)
	}
	want.ResourceVersion = have.ResourceVersion
	return s.Update(ctx, want)
}
