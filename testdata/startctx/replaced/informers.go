package replaced

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// A writer starts with a context that never ends, when the caches run.
type writer struct {
	cache cache.Cache
	kinds []client.Object
}

var _ manager.Runnable = &writer{}

func (w *writer) Start(ctx context.Context) error {
	for _, kind := range w.kinds {
		if _, err := w.cache.GetInformer(context.Background(), kind); err != nil { // want replaced "w.cache.GetInformer gets context.Background() instead of ctx: while the API server is down, the manager cannot stop (*writer).Start; pass ctx" @19 "ctx is available here"
			return err
		}
	}
	<-ctx.Done()
	return nil
}
