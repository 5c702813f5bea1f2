package example

type job struct{}

func (job) do(context.Context) {}
