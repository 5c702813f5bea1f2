// The error of DeleteBucket is only handed to setReleased, which turns it into
// a condition, and the finalizer goes whatever it was.
//
//adv:rule=finalizerorder sub=removedonerror claim=near
package bucketclaim

import (
	"context"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const finalizerBucket = "finalizer.objectstore.example.org"

type BucketClaim struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		BucketName string
		Region     string
	}
	Status struct {
		Bound      bool
		Conditions []metav1.Condition
	}
}

func (b *BucketClaim) DeepCopyObject() runtime.Object {
	c := *b
	c.ObjectMeta = *b.ObjectMeta.DeepCopy()
	c.Status.Conditions = append([]metav1.Condition{}, b.Status.Conditions...)
	return &c
}

type ObjectStore interface {
	EnsureBucket(ctx context.Context, region, name string) error
	DeleteBucket(ctx context.Context, region, name string) error
}

// ReconcileBucketClaim reconciles a BucketClaim object
type ReconcileBucketClaim struct {
	client   client.Client
	log      logr.Logger
	recorder record.EventRecorder
	store    ObjectStore
}

// Add creates the controller and adds it to the manager.
func Add(mgr manager.Manager, store ObjectStore) error {
	r := &ReconcileBucketClaim{
		client:   mgr.GetClient(),
		log:      mgr.GetLogger().WithName("controller_bucketclaim"),
		recorder: mgr.GetEventRecorderFor("bucketclaim"),
		store:    store,
	}
	c, err := controller.New("bucketclaim-controller", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	return c.Watch(source.Kind(mgr.GetCache(), &BucketClaim{}, &handler.TypedEnqueueRequestForObject[*BucketClaim]{}))
}

func (r *ReconcileBucketClaim) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	reqLogger := r.log.WithValues("Request.Namespace", request.Namespace, "Request.Name", request.Name)

	instance := &BucketClaim{}
	if err := r.client.Get(ctx, request.NamespacedName, instance); err != nil {
		if errors.IsNotFound(err) {
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, err
	}

	if instance.GetDeletionTimestamp() != nil {
		for _, f := range instance.GetFinalizers() {
			if f == finalizerBucket {
				return r.release(ctx, reqLogger, instance)
			}
		}
		return reconcile.Result{}, nil
	}

	if !hasFinalizer(instance) {
		instance.SetFinalizers(append(instance.GetFinalizers(), finalizerBucket))
		if err := r.client.Update(ctx, instance); err != nil {
			reqLogger.Error(err, "Failed to update BucketClaim with finalizer")
			return reconcile.Result{}, err
		}
	}
	if err := r.store.EnsureBucket(ctx, instance.Spec.Region, instance.Spec.BucketName); err != nil {
		r.recorder.Event(instance, corev1.EventTypeWarning, "ProvisioningFailed", err.Error())
		return reconcile.Result{}, err
	}
	instance.Status.Bound = true
	return reconcile.Result{}, r.client.Status().Update(ctx, instance)
}

func (r *ReconcileBucketClaim) release(ctx context.Context, reqLogger logr.Logger, claim *BucketClaim) (reconcile.Result, error) {
	err := r.store.DeleteBucket(ctx, claim.Spec.Region, claim.Spec.BucketName)
	setReleased(claim, err)
	if err := r.client.Status().Update(ctx, claim); err != nil {
		return reconcile.Result{}, err
	}

	kept := []string{}
	for _, f := range claim.GetFinalizers() {
		if f != finalizerBucket {
			kept = append(kept, f)
		}
	}
	claim.SetFinalizers(kept)
	if err := r.client.Update(ctx, claim); err != nil {
		return reconcile.Result{}, err
	}
	reqLogger.Info("Successfully finalized BucketClaim")
	return reconcile.Result{}, nil
}

func hasFinalizer(c *BucketClaim) bool {
	for _, f := range c.GetFinalizers() {
		if f == finalizerBucket {
			return true
		}
	}
	return false
}

func setReleased(c *BucketClaim, err error) {
	cond := metav1.Condition{Type: "Released", Status: metav1.ConditionTrue, Reason: "Deleted", LastTransitionTime: metav1.Now()}
	if err != nil {
		cond.Status, cond.Reason, cond.Message = metav1.ConditionFalse, "DeleteFailed", err.Error()
	}
	c.Status.Bound = false
	c.Status.Conditions = append(c.Status.Conditions, cond)
}
