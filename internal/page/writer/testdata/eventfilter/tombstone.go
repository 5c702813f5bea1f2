package example

// A Controller has a queue.
type Controller struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (c *Controller) enqueue(pod *corev1.Pod) { c.queue.Add(pod.Name) }
