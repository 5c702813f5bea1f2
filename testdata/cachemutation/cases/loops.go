package cases

import corev1 "k8s.io/api/core/v1"

// sweep begins with its loop.
func (c *controller) sweep(name string) {
	go func() {
		for {
			node, err := c.nodeLister.Get(name)
			if err != nil {
				return
			}
			node.Spec.Unschedulable = true // want write "mutates Unschedulable of the Node returned by nodeLister: all readers of the informer cache see the change; modify a DeepCopy" @9 "read from the cache here, without a copy"
		}
	}()
}

var _ = (*controller).sweep

// patient begins with its loop, and writes to what it is given.
func patient(node *corev1.Node, ready func() bool) {
	for {
		node.Spec.Unschedulable = true
		if ready() {
			return
		}
	}
}

func (c *controller) wait(name string, ready func() bool) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	patient(node, ready) // want write "patient (loops.go:23) mutates Unschedulable of the Node returned by nodeLister: all readers of the informer cache see the change; pass a DeepCopy" @31 "read from the cache here, without a copy" @23 "written here"
	return nil
}

var _ = (*controller).wait
