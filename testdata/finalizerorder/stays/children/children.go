// Package children looks for the children of objects.
package children

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Manager has a client.
type Manager struct{ reader client.Reader }

// Gone reports whether no pod of that name is left.
func (m *Manager) Gone(ctx context.Context, namespace, name string) (bool, error) {
	pod := &corev1.Pod{}
	err := m.reader.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, pod)
	return client.IgnoreNotFound(err) == nil && err != nil, client.IgnoreNotFound(err)
}
