// Package fixes has what can be mended without a look.
package fixes

import (
	"context"

	corev1 "k8s.io/api/core/v1"
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
	go p.informer.Run(context.TODO().Done()) // want `p\.informer\.Run gets context\.TODO\(\), though ctx is at hand`
	for {
		select {
		case <-ctx.Done(): // want `case <-ctx\.Done\(\) does not leave the loop`
			break
		case <-p.jobs:
			_ = p.DeleteAllOf(context.Background(), &corev1.Pod{}) // want `p\.DeleteAllOf gets context\.Background\(\), though ctx is at hand`
		}
	}
}

func (p *poller) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	return ctrl.Result{}, p.Delete(context.TODO(), &pod) // want `p\.Delete gets context\.TODO\(\), though ctx is at hand`
}

func wait(ctx context.Context, jobs chan int) error {
	for {
		select {
		case <-ctx.Done(): // want `case <-ctx\.Done\(\) does not leave the loop`
			println("stopping")
		case <-jobs:
		}
	}
}

func drain(stop <-chan struct{}, jobs chan int) {
	for {
		select {
		case <-stop: // want `case <-stop does not leave the loop`
			continue
		case <-jobs:
		}
	}
}

func empty(ctx context.Context, jobs chan int) {
	go func() {
		for {
			select {
			case <-ctx.Done(): // want `case <-ctx\.Done\(\) does not leave the loop`
			case <-jobs:
			}
		}
	}()
}

func after(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // want `case <-ctx\.Done\(\) does not leave the loop`
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

type hidden struct{ client.Client }

func (h *hidden) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	{
		ctx := "another"
		_ = h.DeleteAllOf(context.Background(), &corev1.Pod{}) // want `h\.DeleteAllOf gets context\.Background\(\), though ctx is at hand`
		_ = ctx
	}
	return ctrl.Result{}, nil
}
