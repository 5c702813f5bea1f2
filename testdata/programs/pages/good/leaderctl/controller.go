// The leader's work does not get the context of OnStartedLeading but that of the term, which OnStoppedLeading cancels, and the loop behind the election stands again when a lease was lost.
//
//adv:rule=startctx sub=unmanaged claim=no

package leaderctl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/pages/good/leaderctl/election"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// Reaper deletes Pods that have failed long ago, from one replica at a time.
type Reaper struct {
	kube kubernetes.Interface
	lock resourcelock.Interface
	age  time.Duration
	term sync.Mutex // one term at a time does the work
}

func NewReaper(kube kubernetes.Interface, namespace string, age time.Duration) (*Reaper, error) {
	lock, err := election.Lock(kube, namespace, "pod-reaper")
	if err != nil {
		return nil, err
	}
	return &Reaper{kube: kube, lock: lock, age: age}, nil
}

// Run stands for election until ctx ends.
func (r *Reaper) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.stand(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reaper) stand(ctx context.Context) error {
	logger := klog.FromContext(ctx).WithValues("identity", r.lock.Identity())
	term, resign := context.WithCancel(ctx)
	defer resign()
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:          r.lock,
		LeaseDuration: 30 * time.Second,
		RenewDeadline: 20 * time.Second,
		RetryPeriod:   5 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				r.term.Lock()
				defer r.term.Unlock()
				logger.Info("leading")
				wait.UntilWithContext(term, r.reap, time.Minute)
			},
			OnStoppedLeading: func() {
				logger.Info("not leading")
				resign()
			},
		},
	})
	if err != nil {
		return fmt.Errorf("elector: %w", err)
	}
	elector.Run(term)
	return nil
}

func (r *Reaper) reap(ctx context.Context) {
	logger := klog.FromContext(ctx)
	opts := metav1.ListOptions{FieldSelector: "status.phase=" + string(corev1.PodFailed), Limit: 200}
	for {
		pods, err := r.kube.CoreV1().Pods(metav1.NamespaceAll).List(ctx, opts)
		if err != nil {
			logger.Error(err, "no list of failed pods")
			return
		}
		for i := range pods.Items {
			p := &pods.Items[i]
			if time.Since(p.CreationTimestamp.Time) < r.age {
				continue
			}
			err := r.kube.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, *metav1.NewPreconditionDeleteOptions(string(p.UID)))
			if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
				logger.Error(err, "pod stays", "pod", klog.KObj(p))
			}
		}
		if opts.Continue = pods.Continue; opts.Continue == "" {
			return
		}
	}
}
