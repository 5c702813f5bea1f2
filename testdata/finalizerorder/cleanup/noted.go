package cleanup

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Lease has a status of its own.
type Lease struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   struct{ Unit string }
	Status LeaseStatus
}

// LeaseStatus says how a lease has ended.
type LeaseStatus struct {
	Failed     bool
	Conditions []metav1.Condition
}

// DeepCopyObject is a copy.
func (l *Lease) DeepCopyObject() runtime.Object {
	out := *l
	l.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (l *Lease) note(err error) {
	l.Status.Failed = err != nil
	if err != nil {
		tell(&l.Status, err)
	}
}

func tell(s *LeaseStatus, err error) {
	klog.ErrorS(err, "ended badly")
	meta.SetStatusCondition(&s.Conditions, metav1.Condition{Type: "Ended", Status: metav1.ConditionFalse, Message: err.Error()})
}

type leases struct {
	reconciler
	left []string
}

// noted says it in the status of what goes.
func (r *leases) noted(ctx context.Context, lease *Lease) error {
	if lease.DeletionTimestamp == nil {
		return nil
	}
	err := r.cloud.Destroy(ctx, lease.Spec.Unit)
	lease.note(err)
	if err := r.Status().Update(ctx, lease); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(lease, guard) // want removedonerror "lease loses its finalizer even if Destroy (line 56) fails: the cleanup is never retried; return the error first" @56 "the error of this cleanup is ignored"
	return r.Update(ctx, lease)
}

// partly hands the status alone, where it has failed.
func (r *leases) partly(ctx context.Context, lease *Lease) error {
	if lease.DeletionTimestamp == nil {
		return nil
	}
	if err := r.cloud.Destroy(ctx, lease.Spec.Unit); err != nil {
		tell(&lease.Status, err)
	}
	controllerutil.RemoveFinalizer(lease, guard) // want removedonerror "lease loses its finalizer even if Destroy (line 70) fails: the cleanup is never retried; return the error first" @70 "the error of this cleanup is ignored"
	return r.Update(ctx, lease)
}

// asked looks at it again.
func (r *leases) asked(ctx context.Context, lease *Lease) error {
	if lease.DeletionTimestamp == nil {
		return nil
	}
	lease.note(r.cloud.Destroy(ctx, lease.Spec.Unit))
	if lease.Status.Failed {
		return r.Status().Update(ctx, lease)
	}
	controllerutil.RemoveFinalizer(lease, guard)
	return r.Update(ctx, lease)
}

func (r *leases) remember(lease *Lease, err error) {
	if err != nil {
		lease.Status.Failed = true
		r.left = append(r.left, lease.Spec.Unit)
	}
}

// remembered keeps it for later.
func (r *leases) remembered(ctx context.Context, lease *Lease) error {
	if lease.DeletionTimestamp == nil {
		return nil
	}
	r.remember(lease, r.cloud.Destroy(ctx, lease.Spec.Unit))
	controllerutil.RemoveFinalizer(lease, guard)
	return r.Update(ctx, lease)
}

func (l *Lease) holdsFinalizer() bool { return controllerutil.ContainsFinalizer(l, guard) }

// asksHolds has one look at the finalizers.
func (r *leases) asksHolds(ctx context.Context, lease *Lease) error {
	if lease.DeletionTimestamp == nil {
		return nil
	}
	lease.note(r.cloud.Destroy(ctx, lease.Spec.Unit))
	if !lease.holdsFinalizer() {
		return r.Status().Update(ctx, lease)
	}
	controllerutil.RemoveFinalizer(lease, guard) // want removedonerror "lease loses its finalizer even if Destroy (line 114) fails: the cleanup is never retried; return the error first" @114 "the error of this cleanup is ignored"
	return r.Update(ctx, lease)
}
