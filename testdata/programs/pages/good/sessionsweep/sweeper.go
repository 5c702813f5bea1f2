// The iterator of the table goes over a copy and has given the lock back before it yields, so the loop may remove rows.
//
//adv:rule=lockheld sub=relock claim=no

package sessionsweep

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/good/sessionsweep/table"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

type beat struct {
	at     time.Time
	holder string
}

// Sweeper deletes leases that nobody renews.
type Sweeper struct {
	kube    kubernetes.Interface
	reg     cache.ResourceEventHandlerRegistration
	expired time.Duration
	beats   table.Table[cache.ObjectName, beat]
}

// NewSweeper watches the leases of a factory that the caller starts.
func NewSweeper(kube kubernetes.Interface, f informers.SharedInformerFactory, expired time.Duration) (*Sweeper, error) {
	s := &Sweeper{kube: kube, expired: expired}
	reg, err := f.Coordination().V1().Leases().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    s.note,
		UpdateFunc: func(_, cur any) { s.note(cur) },
		DeleteFunc: func(obj any) {
			if name, err := cache.DeletionHandlingObjectToName(obj); err == nil {
				s.beats.Remove(name)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	s.reg = reg
	return s, nil
}

func (s *Sweeper) note(obj any) {
	lease, ok := obj.(*coordinationv1.Lease)
	if !ok || lease.Spec.RenewTime == nil || lease.Labels["sessions.acme.io/session"] == "" {
		return
	}
	b := beat{at: lease.Spec.RenewTime.Time}
	if lease.Spec.HolderIdentity != nil {
		b.holder = *lease.Spec.HolderIdentity
	}
	s.beats.Set(cache.MetaObjectToName(lease), b)
}

// Run sweeps until the context ends.
func (s *Sweeper) Run(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), s.reg.HasSynced) {
		return ctx.Err()
	}
	wait.JitterUntilWithContext(ctx, s.sweep, 30*time.Second, 0.2, true)
	return nil
}

func (s *Sweeper) sweep(ctx context.Context) {
	logger := klog.FromContext(ctx)
	for name, b := range s.beats.Rows() {
		if time.Since(b.at) < s.expired {
			continue
		}
		err := s.kube.CoordinationV1().Leases(name.Namespace).Delete(ctx, name.Name, metav1.DeleteOptions{})
		if err != nil {
			logger.Error(err, "session is not removed", "session", name, "holder", b.holder)
			continue
		}
		s.beats.Remove(name)
		logger.Info("session has expired", "session", name, "holder", b.holder)
	}
}
