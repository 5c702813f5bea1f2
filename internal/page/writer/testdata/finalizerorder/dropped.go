package example

type services struct{ client client.Client }

// Sync writes a service.
func (s *services) Sync(ctx context.Context, name types.NamespacedName) error {
	stored := &corev1.Service{}
	if err := s.client.Get(ctx, name, stored); err != nil {
		return err
	}
	wanted := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name}}
	wanted.Spec.Type = corev1.ServiceTypeLoadBalancer
	return s.replace(ctx, stored, wanted)
}
