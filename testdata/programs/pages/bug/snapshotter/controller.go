// A PersistentVolumeClaim whose annotation cannot be patched after its backup was asked for stays in the set of those that run, and is turned away as busy for ever.
//
//adv:rule=expectttl sub=inflight claim=near

// Package snapshotter takes nightly backups of PersistentVolumeClaims.
package snapshotter

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const (
	scheduleAnnotation = "backup.example.org/every"
	lastAnnotation     = "backup.example.org/last"
)

// Backend takes the backups.
type Backend interface {
	Snapshot(ctx context.Context, volume string) (id string, err error)
	Wait(ctx context.Context, id string) error
}

type reconciler struct {
	client  client.Client
	backend Backend
	now     func() time.Time

	mu      sync.Mutex
	running sets.Set[string]
}

func (r *reconciler) claim(volume string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running.Has(volume) {
		return false
	}
	r.running.Insert(volume)
	return true
}

func (r *reconciler) release(volume string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running.Delete(volume)
}

// Reconcile implements reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pvc := &corev1.PersistentVolumeClaim{}
	if err := r.client.Get(ctx, req.NamespacedName, pvc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	every, err := time.ParseDuration(pvc.Annotations[scheduleAnnotation])
	if err != nil || pvc.Status.Phase != corev1.ClaimBound {
		return ctrl.Result{}, nil
	}
	if last, err := time.Parse(time.RFC3339, pvc.Annotations[lastAnnotation]); err == nil {
		if due := last.Add(every); r.now().Before(due) {
			return ctrl.Result{RequeueAfter: due.Sub(r.now())}, nil
		}
	}
	if err := r.backup(ctx, pvc); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: every}, nil
}

// backup may be asked for by several claims of one volume at once.
func (r *reconciler) backup(ctx context.Context, pvc *corev1.PersistentVolumeClaim) error {
	volume := pvc.Spec.VolumeName
	if !r.claim(volume) {
		return fmt.Errorf("volume %s is being backed up", volume)
	}
	logger := log.FromContext(ctx).WithValues("volume", volume)
	id, err := r.backend.Snapshot(ctx, volume)
	if err != nil {
		r.release(volume)
		return fmt.Errorf("snapshot of %s: %w", volume, err)
	}
	logger.Info("snapshot asked for", "id", id)
	before := pvc.DeepCopy()
	metav1.SetMetaDataAnnotation(&pvc.ObjectMeta, lastAnnotation, r.now().Format(time.RFC3339))
	if err := r.client.Patch(ctx, pvc, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("note snapshot %s: %w", id, err)
	}
	wctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	if err := r.backend.Wait(wctx, id); err != nil {
		r.release(volume)
		return fmt.Errorf("snapshot %s: %w", id, err)
	}
	r.release(volume)
	return nil
}

// Add starts the controller with the manager.
func Add(mgr ctrl.Manager, backend Backend) error {
	r := &reconciler{client: mgr.GetClient(), backend: backend, now: time.Now, running: sets.New[string]()}
	c, err := controller.New("snapshotter", mgr, controller.Options{Reconciler: r, MaxConcurrentReconciles: 4})
	if err != nil {
		return err
	}
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.PersistentVolumeClaim{},
		&handler.TypedEnqueueRequestForObject[*corev1.PersistentVolumeClaim]{}))
}
