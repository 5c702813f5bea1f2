package example

type controller struct {
	nodes  cache.SharedIndexInformer
	lister listers.NodeLister
}

func (c *controller) label(context.Context) error {
	nodes, err := c.lister.List(labels.Everything())
	klog.Info(len(nodes))
	return err
}
