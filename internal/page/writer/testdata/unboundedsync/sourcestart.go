package example

type source struct {
	cache ctrlcache.Cache
	kind  client.Object
}

func (s *source) watch(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	_, err := s.cache.GetInformer(ctx, s.kind)
	return err
}
