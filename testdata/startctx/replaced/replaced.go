// Package replaced has run loops that hand on their context, and some that hand on one that is never done.
package replaced

import (
	"context"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	synced cache.InformerSynced
	queue  workqueue.TypedInterface[string]
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(context.Background(), req.NamespacedName, &pod); err != nil { // ok: its cache answers at once
		return ctrl.Result{}, err
	}
	if err := r.label(ctx, &pod); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.fail(ctx, &pod); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.unnamed(ctx); err != nil {
		return ctrl.Result{}, err
	}
	defer func() {
		_ = r.Status().Update(context.Background(), &pod) // ok: clean-up in a defer may have to outlive ctx
	}()
	go func() {
		_ = r.Update(context.Background(), &pod) // ok: it outlives the reconciliation on purpose
	}()
	short, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return ctrl.Result{}, r.Update(short, &pod) // ok: it has an end of its own
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

func (r *reconciler) unnamed(context.Context) error {
	return r.List(context.Background(), &corev1.PodList{}) // ok: it has no name for the context that it is given
}

func (r *reconciler) label(ctx context.Context, pod *corev1.Pod) error {
	return r.Update(context.TODO(), pod)
}

func (r *reconciler) elsewhere(ctx context.Context, pod *corev1.Pod) error {
	return r.Update(context.TODO(), pod) // ok: nothing that a manager runs comes here
}

type loop struct {
	client.Client
	informer cache.SharedInformer
	server   *http.Server
}

func (l *loop) Start(ctx context.Context) error {
	go l.informer.Run(context.Background().Done()) // want replaced "l.informer.Run gets context.Background(), though ctx is at hand in (*loop).Start: it waits for the component to stop, and the end of (*loop).Start does not end it" @84 "ctx is at hand"
	l.poll(context.TODO())
	l.poll(ctx)
	go wait.UntilWithContext(ctx, func(ctx context.Context) { _ = l.List(ctx, &corev1.PodList{}) }, time.Second)
	<-ctx.Done()
	_ = l.Update(context.Background(), &corev1.Pod{}) // ok: ctx has ended
	return l.server.Shutdown(context.Background())
}

func (l *loop) poll(ctx context.Context) {
	_ = wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		return true, l.List(ctx, &corev1.PodList{})
	})
}

type selecting struct{ client.Client }

func (s *selecting) Start(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-ctx.Done():
			return s.Update(context.Background(), &corev1.Pod{}) // ok: ctx has ended
		case <-tick.C:
			if err := s.DeleteAllOf(context.Background(), &corev1.Pod{}); err != nil { // ok: a server answers
				return err
			}
		}
		if ctx.Err() != nil {
			_ = s.Delete(context.Background(), &corev1.Pod{}) // ok: ctx has ended
		}
	}
}

type candidate struct {
	config leaderelection.LeaderElectionConfig
	work   func(context.Context)
}

func (c *candidate) elect(ctx context.Context) {
	config := c.config
	config.Callbacks = leaderelection.LeaderCallbacks{OnStartedLeading: c.work, OnStoppedLeading: c.lost}
	go leaderelection.RunOrDie(ctx, config)
}

func (c *candidate) lost() {
	c.elect(context.Background()) // want replaced "c.elect gets context.Background() when the lease is lost, and it waits for the component to stop (leaderelection.RunOrDie, line 127): the end of ctx, with which (*candidate).elect registers it, does not end it any more" @124 "this context ends with the process"
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
	go l.informer.Run(context.TODO().Done()) // want replaced "l.informer.Run gets context.TODO(), though ctx is at hand in (*loop).resume: it waits for the component to stop, and the end of (*loop).Run does not end it" @146 "ctx is at hand"
	l.poll(ctx)
}
