package drainfsm

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// nodes gives nodes that belong to whoever asks.
type nodes interface {
	Node(ctx context.Context, name string) (*corev1.Node, error)
}

type copier[T any] interface {
	DeepCopy() T
}

// own gives a copy of what get finds.
func own[T copier[T]](get func(string) (T, error), name string) (T, error) {
	found, err := get(name)
	if err != nil {
		var none T
		return none, fmt.Errorf("%T %s: %w", none, name, err)
	}
	return found.DeepCopy(), nil
}

type cachedNodes struct{ lister corelisters.NodeLister }

func (c cachedNodes) Node(_ context.Context, name string) (*corev1.Node, error) {
	return own(c.lister.Get, name)
}

type liveNodes struct{ client corev1client.NodeInterface }

func (l liveNodes) Node(ctx context.Context, name string) (*corev1.Node, error) {
	return l.client.Get(ctx, name, metav1.GetOptions{})
}
