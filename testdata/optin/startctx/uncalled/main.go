// Command uncalled starts some of what its package loops has for others.
package main

import (
	"context"
	"os"
	"os/signal"

	"example.com/operators/optin/startctx/uncalled/loops"
	"example.com/operators/optin/startctx/uncalled/parts"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	early := make(chan struct{})
	jobs := make(chan int)
	go loops.Lasting(ctx, jobs)
	go loops.NewWorker().Last(stop)
	go loops.NewHelper().Early(early)
	go loops.Endless(context.Background(), jobs)
	go loops.NewCloser().Close(stop)
	close(early)
	parts.Run(jobs)
	loops.Serve(ctx, jobs)
	take(loops.Taken)
	part(ctx, jobs)
	<-ctx.Done()
}

// part is a part of the program.
func part(ctx context.Context, jobs chan int) {
	stop := make(chan struct{})
	defer close(stop)
	go loops.Parted(stop, jobs)
	<-jobs
}

func take(run func(context.Context, chan int)) { run(context.TODO(), nil) }
