// Package given gives Services to a package that puts them over stored ones.
package given

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"example.com/operators/finalizerorder/given/over"
)

type stall struct{ client.Client }

// open gives a Service that is decoded, of whatever type.
func (s *stall) open(ctx context.Context, text []byte) error {
	svc := &corev1.Service{}
	if err := yaml.Unmarshal(text, svc); err != nil {
		return err
	}
	return over.Put(ctx, s.Client, svc)
}

// openInside gives one of the type ClusterIP.
func (s *stall) openInside(ctx context.Context) error {
	return over.PutInside(ctx, s.Client, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "inside"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP},
	})
}

// openNamed gives it a function that gives it on.
func (s *stall) openNamed(ctx context.Context) error {
	return over.PutNamed(ctx, s.Client, "outside", &corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer}})
}
