// Package frame sees to finalizers for others, who supply the cleanup.
package frame

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const guard = "example.com/guard"

// A Cleanup takes away what is outside.
type Cleanup func(ctx context.Context, obj client.Object) error

// A Cleaner does, too.
type Cleaner interface {
	Clean(ctx context.Context, obj client.Object) error
}

// A Notice is told of an object that goes; that it fails keeps nothing.
type Notice func(ctx context.Context, obj client.Object) error

// A Frame looks after objects.
type Frame struct {
	Client  client.Client
	Cleanup Cleanup
	Cleaner Cleaner
	Notice  Notice
}

// Handle lets an object go that is being deleted, once its cleanup has succeeded.
func (f *Frame) Handle(ctx context.Context, obj client.Object) error {
	if obj.GetDeletionTimestamp().IsZero() {
		return nil
	}
	if err := f.Notice(ctx, obj); err != nil {
		log.FromContext(ctx).Error(err, "cannot tell")
	}
	if err := f.Cleanup(ctx, obj); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return f.Client.Update(ctx, obj)
}

// Release does so for those who have a method.
func (f *Frame) Release(ctx context.Context, obj client.Object) error {
	if obj.GetDeletionTimestamp().IsZero() {
		return nil
	}
	if err := f.Cleaner.Clean(ctx, obj); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return f.Client.Update(ctx, obj)
}
