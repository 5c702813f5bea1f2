// Package aside cleans up beside the removal of a finalizer, behind it, and only where there is something to clean up.
package aside

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	shed  = "garden.example.com/shed"
	fence = "garden.example.com/fence"
	leave = "garden.example.com/leave-the-rubble"
)

// Digger is a contractor, who is reached by telephone.
type Digger interface {
	Demolish(ctx context.Context, plot string) error
	Fill(ctx context.Context, pit string) error
	Warn(ctx context.Context, plot string) error
	Gone(ctx context.Context, plot string) (bool, error)
}

type reconciler struct {
	client.Client
	digger Digger
}

// hurried sends somebody, and does not wait for him.
func (r *reconciler) hurried(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	go func() {
		if err := r.digger.Demolish(ctx, cm.Name); err != nil {
			klog.ErrorS(err, "demolishing")
		}
	}()
	controllerutil.RemoveFinalizer(cm, shed) // want removedonerror "cm loses its finalizer here while the goroutine of line 38 cleans up: what that does not get done stays behind for good; clean up first, and return its error" @38 "nobody waits for this goroutine"
	return r.Update(ctx, cm)
}

// errand sends a method.
func (r *reconciler) errand(ctx context.Context, cm *corev1.ConfigMap) error {
	if !cm.DeletionTimestamp.IsZero() {
		go r.demolish(ctx, cm.Name)
		controllerutil.RemoveFinalizer(cm, shed) // want removedonerror "cm loses its finalizer here while the goroutine of line 50 cleans up: what that does not get done stays behind for good; clean up first, and return its error" @50 "nobody waits for this goroutine"
		return r.Update(ctx, cm)
	}
	return nil
}

func (r *reconciler) demolish(ctx context.Context, plot string) {
	if err := r.digger.Demolish(ctx, plot); err != nil {
		klog.ErrorS(err, "demolishing")
	}
}

// gang waits for all who are at work.
func (r *reconciler) gang(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	var wg sync.WaitGroup
	errs := make([]error, len(cm.Data))
	i := 0
	for plot := range cm.Data {
		wg.Add(1)
		go func(at *error) {
			defer wg.Done()
			*at = r.digger.Demolish(ctx, plot+cm.Name)
		}(&errs[i])
		i++
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, shed) // ok: all have come back
	return r.Update(ctx, cm)
}

// shout hears how it went.
func (r *reconciler) shout(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	done := make(chan error)
	go func() { done <- r.digger.Demolish(ctx, cm.Name) }()
	if err := <-done; err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cm, shed) // ok: the error has been received
	return r.Update(ctx, cm)
}

// planted sends somebody for an object that stays.
func (r *reconciler) planted(ctx context.Context, cm *corev1.ConfigMap) error {
	go r.demolish(ctx, cm.Name)
	controllerutil.RemoveFinalizer(cm, shed) // ok: it is not being deleted
	return r.Update(ctx, cm)
}

// rear demolishes when nobody will ask again.
func (r *reconciler) rear(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, shed)
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	return r.digger.Demolish(ctx, cm.Name) // want writeafterremoval "cm may be gone when Demolish cleans up here: line 116 has taken its finalizer off while it is being deleted, so nobody tries again where this fails; clean up first" @116 "the finalizer goes here"
}

// rearTested looks at the error, and returns it.
func (r *reconciler) rearTested(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	base := cm.DeepCopy()
	controllerutil.RemoveFinalizer(cm, shed)
	if err := r.Patch(ctx, cm, client.MergeFrom(base)); err != nil {
		return err
	}
	if err := r.digger.Demolish(ctx, cm.Name); err != nil { // want writeafterremoval "cm may be gone when Demolish cleans up here: line 129 has taken its finalizer off while it is being deleted, so nobody tries again where this fails; clean up first" @129 "the finalizer goes here"
		return err
	}
	return nil
}

// front demolishes first.
func (r *reconciler) front(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := r.digger.Demolish(ctx, cm.Name); err != nil { // ok: before the removal
		return err
	}
	controllerutil.RemoveFinalizer(cm, shed)
	return r.Update(ctx, cm)
}

// sweeps does what it can afterwards.
func (r *reconciler) sweeps(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, shed)
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	_ = r.digger.Fill(ctx, cm.Name) // ok: best effort, which nobody wants to try again
	return nil
}

// shedFirst takes one of two, and the fence keeps the object.
func (r *reconciler) shedFirst(ctx context.Context, secret *corev1.Secret) error {
	if secret.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(secret, shed)
	if err := r.Update(ctx, secret); err != nil {
		return err
	}
	return r.digger.Demolish(ctx, secret.Name) // ok: it still has the other one, and so is there the next time
}

// fenceLast takes the other one.
func (r *reconciler) fenceLast(ctx context.Context, secret *corev1.Secret) error {
	if secret.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(secret, fence)
	return r.Update(ctx, secret)
}

// overwritten forgets what the first one has said.
func (r *reconciler) overwritten(ctx context.Context, node *corev1.Node) (err error) {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	if node.Status.Phase != "" {
		err = r.digger.Demolish(ctx, string(node.Status.Phase))
	}
	err = r.digger.Fill(ctx, node.Name)
	if err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, shed) // want removedonerror "node loses its finalizer here even where Demolish at line 190 has failed: what was not cleaned up stays behind for good; return the error first" @190 "the cleanup whose failure is not heeded"
	return r.Update(ctx, node)
}

// oneByOne returns each.
func (r *reconciler) oneByOne(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	if node.Status.Phase != "" {
		if err := r.digger.Demolish(ctx, string(node.Status.Phase)); err != nil {
			return err
		}
	}
	if err := r.digger.Fill(ctx, node.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, shed) // ok: both are done, or there was nothing to do
	return r.Update(ctx, node)
}

// lenient lets it go where its owner says so.
func (r *reconciler) lenient(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := r.digger.Demolish(ctx, node.Name); err != nil && node.Annotations[leave] != "true" {
		return err
	}
	controllerutil.RemoveFinalizer(node, shed) // ok: whoever set the annotation wants it
	return r.Update(ctx, node)
}

// looks asks for it to be done, as well as may be, and then goes and looks.
func (r *reconciler) looks(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	_ = r.digger.Demolish(ctx, node.Name)
	gone, err := r.digger.Gone(ctx, node.Name)
	if err != nil {
		return err
	}
	if gone {
		controllerutil.RemoveFinalizer(node, shed) // ok: it has seen that it is gone
		return r.Update(ctx, node)
	}
	return nil
}

// lateBase has the change in both sides of the patch.
func (r *reconciler) lateBase(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(pod, shed) // want notpersisted "pod loses a finalizer here in memory only: line 253 copies the base of the patch after that, so that the patch leaves it out; copy first" @253 "the base has the change already"
	base := pod.DeepCopy()
	delete(pod.Labels, "plot")
	return r.Patch(ctx, pod, client.MergeFrom(base))
}

// lateLock does so with a lock on the version.
func (r *reconciler) lateLock(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	controllerutil.AddFinalizer(pod, shed) // want notpersisted "pod gets a finalizer here in memory only: line 265 copies the base of the patch after that, so that the patch leaves it out; copy first" @265 "the base has the change already"
	base := pod.DeepCopy()
	return r.Patch(ctx, pod, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}

// earlyBase copies first.
func (r *reconciler) earlyBase(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	base := pod.DeepCopy()
	controllerutil.RemoveFinalizer(pod, shed) // ok: the base still has it
	return r.Patch(ctx, pod, client.MergeFrom(base))
}

var _ = []any{
	(*reconciler).hurried, (*reconciler).errand, (*reconciler).gang, (*reconciler).shout, (*reconciler).planted,
	(*reconciler).rear, (*reconciler).rearTested, (*reconciler).front, (*reconciler).sweeps, (*reconciler).shedFirst, (*reconciler).fenceLast,
	(*reconciler).overwritten, (*reconciler).oneByOne, (*reconciler).lenient, (*reconciler).looks,
	(*reconciler).lateBase, (*reconciler).lateLock, (*reconciler).earlyBase,
}
