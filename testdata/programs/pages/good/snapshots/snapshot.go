// begin leaves the mark where it succeeds, for the goroutine that waits for the snapshot takes it off; on each way that fails before that goroutine is there a deferred function takes it off.
//
//adv:rule=expectttl sub=inflight claim=no

package snapshots

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	wantAnnotation = "snap.example.com/want"
	haveAnnotation = "snap.example.com/have"
)

// Store takes snapshots of volumes.
type Store interface {
	Begin(ctx context.Context, volume, name string) (id string, err error)
	Finished(ctx context.Context, id string) (bool, error)
}

// Snapshotter takes the snapshots that claims ask for.
type Snapshotter struct {
	client.Client
	Store Store

	running sync.Map // of types.UID
}

func (s *Snapshotter) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("snapshotter").For(&corev1.PersistentVolumeClaim{}).Complete(s)
}

func (s *Snapshotter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pvc := &corev1.PersistentVolumeClaim{}
	if err := s.Get(ctx, req.NamespacedName, pvc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	want := pvc.Annotations[wantAnnotation]
	if want == "" || want == pvc.Annotations[haveAnnotation] || pvc.Spec.VolumeName == "" {
		return ctrl.Result{}, nil
	}
	if err := s.begin(ctx, pvc, want); err != nil {
		return ctrl.Result{}, fmt.Errorf("snapshot %q: %w", want, err)
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func (s *Snapshotter) begin(ctx context.Context, pvc *corev1.PersistentVolumeClaim, name string) (err error) {
	if _, busy := s.running.LoadOrStore(pvc.UID, struct{}{}); busy {
		log.FromContext(ctx).V(1).Info("a snapshot is being taken")
		return nil
	}
	defer func() {
		if err != nil {
			s.running.Delete(pvc.UID)
		}
	}()

	if pvc.Status.Phase != corev1.ClaimBound {
		return fmt.Errorf("claim is %s", pvc.Status.Phase)
	}
	id, err := s.Store.Begin(ctx, pvc.Spec.VolumeName, name)
	if err != nil {
		return fmt.Errorf("storage: %w", err)
	}
	base := pvc.DeepCopy()
	metav1.SetMetaDataAnnotation(&pvc.ObjectMeta, "snap.example.com/id", id)
	if err := s.Patch(ctx, pvc, client.MergeFrom(base)); err != nil {
		return fmt.Errorf("note the id: %w", err)
	}
	go s.follow(ctx, pvc.UID, client.ObjectKeyFromObject(pvc), name, id)
	return nil
}

func (s *Snapshotter) follow(ctx context.Context, uid types.UID, key client.ObjectKey, name, id string) {
	defer s.running.Delete(uid)
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	logger := log.FromContext(ctx).WithValues("snapshot", id)
	for {
		done, err := s.Store.Finished(ctx, id)
		if err != nil {
			logger.Error(err, "snapshot is lost")
			return
		}
		if done {
			break
		}
		select {
		case <-ctx.Done():
			logger.Info("snapshot takes too long")
			return
		case <-time.After(5 * time.Second):
		}
	}
	pvc := &corev1.PersistentVolumeClaim{}
	if err := s.Get(ctx, key, pvc); err != nil {
		return
	}
	base := pvc.DeepCopy()
	metav1.SetMetaDataAnnotation(&pvc.ObjectMeta, haveAnnotation, name)
	if err := s.Patch(ctx, pvc, client.MergeFrom(base)); err != nil {
		logger.Error(err, "claim was not marked")
	}
}
