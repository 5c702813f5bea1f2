package example

type cache struct {
	mu   sync.RWMutex
	pods map[types.UID]*corev1.Pod
}
