// Package over puts new Services over stored ones. Of which type they are is for its callers to know.
package over

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Put puts fresh over what is stored, all but its version.
func Put(ctx context.Context, c client.Client, fresh *corev1.Service) error {
	stored := &corev1.Service{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(fresh), stored); err != nil {
		return err
	}
	fresh.ResourceVersion = stored.ResourceVersion
	return c.Update(ctx, fresh) // want dropped "this write removes stored finalizers such as service.kubernetes.io/load-balancer-cleanup (line 17 copies only the resource version), so their cleanup is skipped; copy them or use Patch" @17 "only the resource version is copied here" @given.go:23 "the object is passed here"
}

// PutInside is given no Service that a load balancer belongs to.
func PutInside(ctx context.Context, c client.Client, fresh *corev1.Service) error {
	stored := &corev1.Service{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(fresh), stored); err != nil {
		return err
	}
	fresh.ResourceVersion = stored.ResourceVersion
	return c.Update(ctx, fresh) // ok: by its callers
}

// PutNamed hands it on.
func PutNamed(ctx context.Context, c client.Client, name string, fresh *corev1.Service) error {
	fresh.Name = name
	return PutNamed2(ctx, c, fresh)
}

// PutNamed2 is given it by PutNamed alone.
func PutNamed2(ctx context.Context, c client.Client, fresh *corev1.Service) error {
	stored := &corev1.Service{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(fresh), stored); err != nil {
		return err
	}
	fresh.ResourceVersion = stored.ResourceVersion
	return c.Update(ctx, fresh) // want dropped "this write removes stored finalizers such as service.kubernetes.io/load-balancer-cleanup (line 43 copies only the resource version), so their cleanup is skipped; copy them or use Patch" @43 "only the resource version is copied here" @given.go:36 "the object is passed here"
}
