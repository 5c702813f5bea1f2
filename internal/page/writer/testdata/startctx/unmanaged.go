package example

type controller struct{ n int }

func (c *controller) Run(ctx context.Context) { <-ctx.Done() }
