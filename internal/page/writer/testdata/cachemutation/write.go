package example

// A Controller reads nodes from a lister.
type Controller struct {
	nodeLister listers.NodeLister
	client     kubernetes.Interface
}

func (c *Controller) update(ctx context.Context, node *corev1.Node) error {
	_, err := c.client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}
