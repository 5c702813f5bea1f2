// Package fixes has findings that come with a fix.
package fixes

import (
	"context"
	"fmt"

	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
)

func background(ctx context.Context, c crcache.Cache, synced cache.InformerSynced) error {
	if !c.WaitForCacheSync(context.Background()) {
		return fmt.Errorf("not synced: %w", ctx.Err())
	}
	if !cache.WaitForCacheSync(context.TODO().Done(), synced) {
		return fmt.Errorf("not synced: %w", ctx.Err())
	}
	return nil
}

func noContext(c crcache.Cache) bool {
	return c.WaitForCacheSync(context.Background())
}

func shadowed(ctx context.Context, c crcache.Cache) bool {
	{
		ctx := "another one"
		fmt.Println(ctx)
		return c.WaitForCacheSync(context.Background())
	}
}
