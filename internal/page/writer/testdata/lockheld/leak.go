package example

type controller struct {
	mu      sync.Mutex
	leaders map[string]*corev1.Pod
}
