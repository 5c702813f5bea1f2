package cleanup

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A sorter sees to each finalizer on its own.
type sorter struct {
	client.Client
	store interface {
		DeleteBackup(ctx context.Context, name string) error
		ReleaseLock(ctx context.Context, name string) error
	}
}

// forEach leaves a finalizer on where its cleanup has failed.
func (s *sorter) forEach(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	var left []string
	for _, f := range cm.Finalizers {
		switch f {
		case "example.com/backup":
			if err := s.store.DeleteBackup(ctx, cm.Name); err != nil {
				klog.ErrorS(err, "deleting the backup")
				left = append(left, f)
			}
		case "example.com/lock":
			if err := s.store.ReleaseLock(ctx, cm.Name); err != nil {
				klog.ErrorS(err, "releasing the lock")
				left = append(left, f)
			}
		default:
			left = append(left, f)
		}
	}
	cm.SetFinalizers(left) // ok: what has failed stays on the list
	return s.Update(ctx, cm)
}

// forMost forgets one.
func (s *sorter) forMost(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	var left []string
	for _, f := range cm.Finalizers {
		switch f {
		case "example.com/lock":
			if err := s.store.ReleaseLock(ctx, cm.Name); err != nil {
				klog.ErrorS(err, "releasing the lock")
			}
		default:
			left = append(left, f)
		}
	}
	cm.SetFinalizers(left) // want removedonerror "cm loses its finalizer even if ReleaseLock (line 55) fails: the cleanup is never retried; return the error first" @55 "the error of this cleanup is ignored"
	return s.Update(ctx, cm)
}

var _ = []any{(*sorter).forEach, (*sorter).forMost}
