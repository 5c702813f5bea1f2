package example

type server struct {
	factory informers.SharedInformerFactory
}

func (s *server) serve(ctx context.Context) error {
	<-ctx.Done()
	return nil
}
