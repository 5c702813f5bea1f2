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
			node.Spec.Unschedulable = true // want write "this writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @9 "it comes from the cache here, and is not copied"
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
	patient(node, ready) // want write "patient (loops.go:23) writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @31 "it comes from the cache here, and is not copied" @23 "it is written to here"
	return nil
}

var _ = (*controller).wait
