package example

type queue struct {
	mu    sync.Mutex
	nodes map[string]*node
}

type node struct {
	mu    sync.Mutex
	name  string
	queue *queue
}
