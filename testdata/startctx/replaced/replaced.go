// Package replaced has run loops that hand on their context, and some that hand on one that is never done.
package replaced

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(context.Background(), req.NamespacedName, &pod); err != nil { // ok: the answer comes
		return ctrl.Result{}, err
	}
	defer r.settle(context.Background(), &pod) // ok: clean-up in a defer may have to outlive ctx
	go r.settle(context.Background(), &pod)    // ok: it outlives the reconciliation on purpose
	short, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r.settle(short, &pod) // ok: it has an end of its own
	return ctrl.Result{}, r.fail(ctx, &pod)
}

func (r *reconciler) settle(ctx context.Context, pod *corev1.Pod) {
	_ = wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		return true, r.Update(ctx, pod)
	})
}

func (r *reconciler) elsewhere(ctx context.Context, pod *corev1.Pod) {
	r.settle(context.TODO(), pod) // ok: nothing that a manager runs comes here
}

// fail marks the object, and tries again after a conflict alone.
func (r *reconciler) fail(ctx context.Context, pod *corev1.Pod) error {
	return r.retried(context.Background(), pod) // ok: it is over at once, but for conflicts
}

func (r *reconciler) retried(ctx context.Context, pod *corev1.Pod) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		if err := r.Update(ctx, pod); apierrors.IsConflict(err) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		return true, nil
	})
}

type loop struct {
	client.Client
	informer cache.SharedInformer
}

func (l *loop) Start(ctx context.Context) error {
	go l.informer.Run(context.Background().Done()) // want replaced "l.informer.Run gets context.Background() instead of ctx, so it does not stop with (*loop).Start; pass ctx" @62 "ctx is available here"
	l.poll(context.TODO())
	l.poll(ctx)
	go wait.UntilWithContext(ctx, func(ctx context.Context) { _ = l.List(ctx, &corev1.PodList{}) }, time.Second)
	<-ctx.Done()
	l.poll(context.Background()) // ok: ctx has ended
	return nil
}

func (l *loop) poll(ctx context.Context) {
	_ = wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		return true, l.List(ctx, &corev1.PodList{})
	})
}

type selecting struct{ reconciler }

func (s *selecting) Start(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-ctx.Done():
			s.settle(context.Background(), &corev1.Pod{}) // ok: ctx has ended
			return nil
		case <-tick.C:
		}
		if ctx.Err() != nil {
			s.settle(context.Background(), &corev1.Pod{}) // ok: ctx has ended
		}
	}
}

func (l *loop) Run(stop <-chan struct{}) {
	l.begin(context.Background())
	l.resume(context.TODO())
	l.resume(wait.ContextForChannel(stop))
	<-stop
}

func (l *loop) begin(ctx context.Context) {
	go l.informer.Run(context.TODO().Done()) // ok: ctx ends as little
	l.poll(ctx)
}

func (l *loop) resume(ctx context.Context) {
	go l.informer.Run(context.TODO().Done()) // want replaced "l.informer.Run gets context.TODO() instead of ctx, so it does not stop with (*loop).Run; pass ctx" @107 "ctx is available here"
	l.poll(ctx)
}
