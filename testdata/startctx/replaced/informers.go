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
		if _, err := w.cache.GetInformer(context.Background(), kind); err != nil { // want replaced "w.cache.GetInformer gets context.Background(), though ctx is at hand in (*writer).Start: it waits for the API server, and the end of (*writer).Start does not end it" @19 "ctx is at hand"
			return err
		}
	}
	<-ctx.Done()
	return nil
}
