package example

// A Controller has a queue.
type Controller struct {
	queue workqueue.TypedRateLimitingInterface[string]
}
