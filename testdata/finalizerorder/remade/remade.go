// Package remade makes Services anew in the place of stored ones, and knows nothing of what guards them.
package remade

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type stall struct{ client.Client }

func front(name string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, Ports: []corev1.ServicePort{{Port: 80}}},
	}
}

func back(name string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP, Ports: []corev1.ServicePort{{Port: 80}}},
	}
}

// open puts a new front over the old one, all but its version.
func (s *stall) open(ctx context.Context, key client.ObjectKey) error {
	stored := &corev1.Service{}
	if err := s.Get(ctx, key, stored); err != nil {
		return err
	}
	fresh := front(stored.Name)
	fresh.ResourceVersion = stored.ResourceVersion
	return s.Update(ctx, fresh) // want dropped "this write removes stored finalizers such as service.kubernetes.io/load-balancer-cleanup (line 35 copies only the resource version), so their cleanup is skipped; copy them or use Patch" @35 "only the resource version is copied here"
}

// openBack does so where no load balancer is.
func (s *stall) openBack(ctx context.Context, key client.ObjectKey) error {
	stored := &corev1.Service{}
	if err := s.Get(ctx, key, stored); err != nil {
		return err
	}
	fresh := back(stored.Name)
	fresh.ResourceVersion = stored.ResourceVersion
	return s.Update(ctx, fresh) // ok: nobody guards it
}

// repaint changes the stored one.
func (s *stall) repaint(ctx context.Context, key client.ObjectKey) error {
	stored := &corev1.Service{}
	if err := s.Get(ctx, key, stored); err != nil {
		return err
	}
	stored.Spec.Ports = front(stored.Name).Spec.Ports
	return s.Update(ctx, stored) // ok: with all its metadata
}

// moved takes all metadata along.
func (s *stall) moved(ctx context.Context, key client.ObjectKey) error {
	stored := &corev1.Service{}
	if err := s.Get(ctx, key, stored); err != nil {
		return err
	}
	fresh := front(stored.Name)
	fresh.ObjectMeta = stored.ObjectMeta
	return s.Update(ctx, fresh) // ok: and so the finalizers
}

var _ = []any{(*stall).open, (*stall).openBack, (*stall).repaint, (*stall).moved}
