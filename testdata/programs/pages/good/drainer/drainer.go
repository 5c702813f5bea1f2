// The case for the end of the context stays in the loop, but it takes its channel out of the select and lets the loop end when what is in the buffer is sent, or after the grace period.
//
//adv:rule=startctx sub=loop claim=no

package drainer

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Usage is what a Pod has used, for the bill.
type Usage struct {
	Pod     types.NamespacedName
	UID     types.UID
	Seconds float64
}

// Bill takes usages, each UID once however often it is sent; it has a timeout of its own.
type Bill interface {
	Charge(Usage) error
}

// Meter bills Pods that have ended.
type Meter struct {
	client.Client
	bill  Bill
	log   logr.Logger
	in    chan Usage
	grace time.Duration
}

// NewWithManager wires a Meter.
func NewWithManager(mgr ctrl.Manager, bill Bill) error {
	m := &Meter{
		Client: mgr.GetClient(),
		bill:   bill,
		log:    mgr.GetLogger().WithName("meter"),
		in:     make(chan Usage, 1000),
		grace:  20 * time.Second,
	}
	if err := mgr.Add(m); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("meter").For(&corev1.Pod{}).Complete(m)
}

func (m *Meter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := m.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Annotations["bill.example.com/sent"] != "" || pod.Status.StartTime == nil {
		return ctrl.Result{}, nil
	}
	if pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
		return ctrl.Result{}, nil
	}
	u := Usage{Pod: req.NamespacedName, UID: pod.UID}
	for _, c := range pod.Status.ContainerStatuses {
		if t := c.State.Terminated; t != nil {
			u.Seconds = max(u.Seconds, t.FinishedAt.Sub(pod.Status.StartTime.Time).Seconds())
		}
	}
	select {
	case m.in <- u:
		// Until the pod is marked it comes again: a usage may have been lost on its way.
		return ctrl.Result{RequeueAfter: 5 * time.Minute}, nil
	case <-ctx.Done():
		return ctrl.Result{}, ctx.Err()
	}
}

// Start implements manager.Runnable.
func (m *Meter) Start(ctx context.Context) error {
	var (
		done    = ctx.Done()
		expired <-chan time.Time
		failed  int
	)
	for {
		select {
		case <-done:
			done = nil
			m.log.Info("draining", "usages", len(m.in))
			t := time.NewTimer(m.grace)
			defer t.Stop()
			expired = t.C
		case <-expired:
			m.log.Info("gave up draining", "left", len(m.in), "failed", failed)
			return nil
		case u := <-m.in:
			if err := m.charge(context.WithoutCancel(ctx), u); err != nil {
				failed++
				m.log.Error(err, "usage is to be charged again", "pod", u.Pod)
			}
		}
		if done == nil && len(m.in) == 0 {
			return nil
		}
	}
}

// charge bills a usage and marks its Pod.
func (m *Meter) charge(ctx context.Context, u Usage) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := m.bill.Charge(u); err != nil {
		return err
	}
	pod := &corev1.Pod{}
	if err := m.Get(ctx, u.Pod, pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	if pod.UID != u.UID {
		return nil
	}
	base := pod.DeepCopy()
	metav1.SetMetaDataAnnotation(&pod.ObjectMeta, "bill.example.com/sent", time.Now().Format(time.RFC3339))
	return client.IgnoreNotFound(m.Patch(ctx, pod, client.MergeFrom(base)))
}
