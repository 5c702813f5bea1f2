// Package fixes has what can be fixed without a look.
package fixes

import (
	"context"

	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type poller struct {
	client.Client
	informer cache.SharedInformer
	jobs     chan int
}

func (p *poller) Start(ctx context.Context) error {
	go p.informer.Run(context.TODO().Done()) // want replaced "p.informer.Run gets context.TODO() instead of ctx, so it does not stop with (*poller).Start; pass ctx (and 1 more call here)" @18 "ctx is available here" @25 "so does this call"
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*poller).Start busy-waits forever; return, or break out of the loop"
			break
		case <-p.jobs:
			go p.informer.Run(context.Background().Done())
		}
	}
}

func (p *poller) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	p.informer.Run(context.TODO().Done()) // want replaced "p.informer.Run gets context.TODO() instead of ctx, so it does not stop with (*poller).Reconcile; pass ctx" @30 "ctx is available here"
	return ctrl.Result{}, nil
}

func wait(ctx context.Context, jobs chan int) error {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in wait busy-waits forever; return, or break out of the loop"
			println("stopping")
		case <-jobs:
		}
	}
}

func drain(stop <-chan struct{}, jobs chan int) {
	for {
		select {
		case <-stop: // want loop "case <-stop does not leave the loop: once it is closed, the loop in drain busy-waits forever; return, or break out of the loop"
			continue
		case <-jobs:
		}
	}
}

func empty(ctx context.Context, jobs chan int) {
	go func() {
		for {
			select {
			case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in empty busy-waits forever; return, or break out of the loop"
			case <-jobs:
			}
		}
	}()
}

func after(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in after busy-waits until another case leaves it; return, or break out of the loop"
			break
		case <-jobs:
			if len(jobs) == 0 {
				goto out
			}
		}
	}
out: // what comes after the loop may have to be done: no fix
	println("done")
}

type hidden struct{ informer cache.SharedInformer }

func (h *hidden) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	{
		ctx := "another"
		h.informer.Run(context.Background().Done()) // want replaced "h.informer.Run gets context.Background() instead of ctx, so it does not stop with (*hidden).Reconcile; pass ctx" @83 "ctx is available here"
		_ = ctx
	}
	return ctrl.Result{}, nil
}

func alone(ctx context.Context, f func()) {
	for {
		select {
		case <-ctx.Done(): // want loop "<-ctx.Done() does not leave the loop: once ctx is done, the loop in alone busy-waits forever; return, or break out of the loop"
			f()
		}
	}
}

func bare(ctx context.Context, f func()) {
	for {
		<-ctx.Done() // want loop "<-ctx.Done() does not leave the loop: once ctx is done, the loop in bare busy-waits forever; return, or break out of the loop"
		f()
	}
}

func twice(ctx context.Context, f func()) {
	for range 2 { // ok: it ends
		<-ctx.Done()
		f()
	}
}

func last(ctx context.Context, jobs chan int) {
	for range jobs {
		if len(jobs) > 1 {
			<-ctx.Done()
			return
		}
	}
}
