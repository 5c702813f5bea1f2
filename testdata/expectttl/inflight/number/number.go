// Package number keeps its mark in a number.
package number

import (
	"context"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type lister struct {
	client client.Client
	busy   int32
}

func (l *lister) list(ctx context.Context, pods *corev1.PodList) error {
	if !atomic.CompareAndSwapInt32(&l.busy, 0, 1) {
		return nil
	}
	if err := l.client.List(ctx, pods); err != nil {
		return err // want inflight "(*lister).list fails here and leaves the mark of busy that it has set at line 18, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @18 "the mark is set here"
	}
	atomic.StoreInt32(&l.busy, 0)
	return nil
}
