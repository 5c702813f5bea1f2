// The finalizer is written by the first sub-reconciler, which stops the run when the write fails, so nothing is created outside before it is there.
//
//adv:rule=finalizerorder sub=lateadd claim=no
package objectbucket

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const bucketFinalizer = "storage.media.example/bucket"

// errDone ends a run early.
var errDone = errors.New("nothing more to do")

// Bucket is a bucket for uploads.
type Bucket struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Quota int64 `json:"quota"`
	} `json:"spec"`
	Status struct {
		Endpoint string `json:"endpoint,omitempty"`
	} `json:"status,omitempty"`
}

func (b *Bucket) DeepCopy() *Bucket {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (b *Bucket) DeepCopyObject() runtime.Object { return b.DeepCopy() }

// Minio is the administration API of the store.
type Minio interface {
	CreateBucket(ctx context.Context, name string) (endpoint string, err error)
	SetQuota(ctx context.Context, name string, bytes int64) error
	RemoveBucket(ctx context.Context, name string) error
}

// subReconciler does one part of the work.
type subReconciler interface {
	reconcile(ctx context.Context, bucket *Bucket) error
}

type guard struct{ client.Client }

func (g guard) reconcile(ctx context.Context, bucket *Bucket) error {
	if bucket.DeletionTimestamp != nil || controllerutil.ContainsFinalizer(bucket, bucketFinalizer) {
		return nil
	}
	base := bucket.DeepCopy()
	controllerutil.AddFinalizer(bucket, bucketFinalizer)
	if err := g.Patch(ctx, bucket, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("guarding bucket: %w", err)
	}
	return nil
}

type remover struct {
	client.Client
	minio Minio
}

func (r remover) reconcile(ctx context.Context, bucket *Bucket) error {
	if bucket.DeletionTimestamp == nil {
		return nil
	}
	if !controllerutil.ContainsFinalizer(bucket, bucketFinalizer) {
		return errDone
	}
	if err := r.minio.RemoveBucket(ctx, nameOf(bucket)); err != nil {
		return fmt.Errorf("removing bucket: %w", err)
	}
	base := bucket.DeepCopy()
	controllerutil.RemoveFinalizer(bucket, bucketFinalizer)
	if err := r.Patch(ctx, bucket, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("releasing bucket: %w", err)
	}
	return errDone
}

type creator struct {
	client.Client
	minio Minio
}

func (c creator) reconcile(ctx context.Context, bucket *Bucket) error {
	endpoint, err := c.minio.CreateBucket(ctx, nameOf(bucket))
	if err != nil {
		return fmt.Errorf("creating bucket: %w", err)
	}
	if err := c.minio.SetQuota(ctx, nameOf(bucket), bucket.Spec.Quota); err != nil {
		return fmt.Errorf("setting quota: %w", err)
	}
	if bucket.Status.Endpoint == endpoint {
		return nil
	}
	bucket.Status.Endpoint = endpoint
	return c.Status().Update(ctx, bucket)
}

func nameOf(bucket *Bucket) string { return bucket.Namespace + "." + bucket.Name }

// Reconciler runs its parts in turn.
type Reconciler struct {
	client client.Client
	parts  []subReconciler
}

// NewReconciler gives a reconciler of buckets.
func NewReconciler(c client.Client, minio Minio) *Reconciler {
	return &Reconciler{client: c, parts: []subReconciler{guard{c}, remover{c, minio}, creator{c, minio}}}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	bucket := &Bucket{}
	if err := r.client.Get(ctx, req.NamespacedName, bucket); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, part := range r.parts {
		err := part.reconcile(ctx, bucket)
		if errors.Is(err, errDone) {
			return ctrl.Result{}, nil
		}
		if err != nil {
			log.FromContext(ctx).Error(err, "Part failed", "part", fmt.Sprintf("%T", part))
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Bucket{}).Complete(r)
}
