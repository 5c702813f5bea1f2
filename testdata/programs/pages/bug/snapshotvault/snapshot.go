// Cleanup logs a failed DeleteSnapshot and returns nil, so that the shared
// lifecycle package takes the finalizer off and the snapshot stays in the vault.
//
//adv:rule=finalizerorder sub=removedonerror claim=yes
package snapshotvault

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/bug/snapshotvault/lifecycle"
)

type VaultSnapshot struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   VaultSnapshotSpec
	Status VaultSnapshotStatus
}

type VaultSnapshotSpec struct {
	SourceVolume string
	Retention    metav1.Duration
}

type VaultSnapshotStatus struct {
	Handle  string
	TakenAt *metav1.Time
}

func (in *VaultSnapshot) DeepCopyObject() runtime.Object {
	out := *in
	out.ObjectMeta = *in.ObjectMeta.DeepCopy()
	out.Status.TakenAt = in.Status.TakenAt.DeepCopy()
	return &out
}

// VaultAPI is the REST client of the backup appliance.
type VaultAPI interface {
	TakeSnapshot(ctx context.Context, volume string) (handle string, err error)
	DeleteSnapshot(ctx context.Context, handle string) error
	ReleaseHold(ctx context.Context, handle string) error
}

type snapshotCleaner struct {
	vault VaultAPI
}

var _ lifecycle.Cleaner = &snapshotCleaner{}

func (s *snapshotCleaner) FinalizerName() string { return "backup.vaultline.dev/snapshot" }

func (s *snapshotCleaner) Cleanup(ctx context.Context, obj client.Object) error {
	snap, ok := obj.(*VaultSnapshot)
	if !ok {
		return fmt.Errorf("unexpected object %T", obj)
	}
	logger := log.FromContext(ctx).WithValues("handle", snap.Status.Handle)
	if snap.Status.Handle == "" {
		return nil
	}
	if err := s.vault.ReleaseHold(ctx, snap.Status.Handle); err != nil {
		return fmt.Errorf("release hold: %w", err)
	}
	if err := s.vault.DeleteSnapshot(ctx, snap.Status.Handle); err != nil {
		logger.Error(err, "Could not delete snapshot from vault")
		return nil
	}
	logger.Info("snapshot deleted")
	return nil
}

type SnapshotReconciler struct {
	client.Client
	Vault VaultAPI
}

func (r *SnapshotReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var snap VaultSnapshot
	if err := r.Get(ctx, req.NamespacedName, &snap); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stop, err := lifecycle.Handle(ctx, r.Client, &snap, &snapshotCleaner{vault: r.Vault})
	if stop || err != nil {
		return ctrl.Result{}, err
	}
	if snap.Status.Handle == "" {
		handle, err := r.Vault.TakeSnapshot(ctx, snap.Spec.SourceVolume)
		if err != nil {
			return ctrl.Result{}, err
		}
		now := metav1.Now()
		snap.Status.Handle, snap.Status.TakenAt = handle, &now
		if err := r.Status().Update(ctx, &snap); err != nil {
			return ctrl.Result{}, err
		}
	}
	return r.expire(ctx, &snap)
}

func (r *SnapshotReconciler) expire(ctx context.Context, snap *VaultSnapshot) (ctrl.Result, error) {
	if snap.Spec.Retention.Duration == 0 || snap.Status.TakenAt == nil {
		return ctrl.Result{}, nil
	}
	left := time.Until(snap.Status.TakenAt.Add(snap.Spec.Retention.Duration))
	if left > 0 {
		return ctrl.Result{RequeueAfter: left}, nil
	}
	return ctrl.Result{}, client.IgnoreNotFound(r.Delete(ctx, snap))
}

func (r *SnapshotReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&VaultSnapshot{}).Complete(r)
}
