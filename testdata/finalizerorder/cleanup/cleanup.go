// Package cleanup releases objects after a cleanup that may have failed.
package cleanup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type provider interface {
	Destroy(ctx context.Context, name string) error
	Detach(ctx context.Context, name string) error
	Describe(ctx context.Context, name string) error
	Decommission(ctx context.Context, name string) error
	DeleteStalePreviews(ctx context.Context) error
	Ping(ctx context.Context, name string) error
	Generate(ctx context.Context, name string) (string, error)
}

type reconciler struct {
	client.Client
	cloud provider
}

func (r *reconciler) child(cm *corev1.ConfigMap) client.Object {
	return &corev1.Secret{ObjectMeta: cm.ObjectMeta}
}

// logged says that it failed and goes on.
func (r *reconciler) logged(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.ErrorS(err, "destroying")
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Destroy (line 40) fails: the cleanup is never retried; return the error first" @40 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}

// warned says that it need not succeed.
func (r *reconciler) warned(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.Warningf("destroying %s: %v", cm.Name, err)
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: its failure is only a warning
	return r.Update(ctx, cm)
}

// dropped does not even look.
func (r *reconciler) dropped(ctx context.Context, cm *corev1.ConfigMap) error {
	_ = r.cloud.Destroy(ctx, cm.Name)
	cm.Finalizers = slices.DeleteFunc(cm.Finalizers, func(f string) bool { return f == guard }) // want removedonerror "cm loses its finalizer even if Destroy (line 58) fails: the cleanup is never retried; return the error first" @58 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}

// collected returns the errors, but only after the removal.
func (r *reconciler) collected(ctx context.Context, cm *corev1.ConfigMap) error {
	var errs []error
	if err := r.Delete(ctx, r.child(cm)); err != nil && !apierrors.IsNotFound(err) {
		errs = append(errs, err)
	}
	if err := r.release(ctx, cm); err != nil { // want removedonerror "cm loses its finalizer even if Delete (line 66) fails: the cleanup is never retried; return the error first" @66 "the error of this cleanup is ignored" @77 "the finalizer is removed here"
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (r *reconciler) release(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

// deferred removes it on every way out.
func (r *reconciler) deferred(ctx context.Context, cm *corev1.ConfigMap) error {
	defer func() { // want removedonerror "cm loses its finalizer in a defer even if Destroy (line 88) fails: the cleanup is never retried; remove it only on success" @88 "the error of this cleanup is ignored" @83 "the finalizer is removed here"
		cm.Finalizers = without(cm.Finalizers, guard)
	}()
	if cm.Data == nil {
		return nil
	}
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		return fmt.Errorf("destroying: %w", err)
	}
	return nil
}

func without(list []string, s string) []string {
	var out []string
	for _, x := range list {
		if x != s {
			out = append(out, x)
		}
	}
	return out
}

// loop goes on after a failure.
func (r *reconciler) loop(ctx context.Context, cm *corev1.ConfigMap, names []string) error {
	for _, n := range names {
		if err := r.cloud.Detach(ctx, n); err != nil {
			klog.Error(err)
			continue
		}
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: it has said so in the log
	return r.Update(ctx, cm)
}

// failures is a list of errors that is one itself.
type failures []error

func (f failures) Error() string { return fmt.Sprint([]error(f)) }

// listed asks how many there are only after the removal.
func (r *reconciler) listed(ctx context.Context, cm *corev1.ConfigMap) error {
	fs := failures{}
	if err := r.Delete(ctx, r.child(cm)); err != nil && !apierrors.IsNotFound(err) {
		fs = append(fs, err)
	}
	if err := r.release(ctx, cm); err != nil && !apierrors.IsNotFound(err) { // want removedonerror "cm loses its finalizer even if Delete (line 124) fails: the cleanup is never retried; return the error first" @124 "the error of this cleanup is ignored" @77 "the finalizer is removed here"
		fs = append(fs, err)
	}
	if len(fs) == 0 {
		return nil
	}
	return fs
}

// swallowed says that it failed, in the status, and strips in a deferred function.
func (r *reconciler) swallowed(ctx context.Context, pod *corev1.Pod) (err error) {
	if len(pod.Finalizers) == 0 {
		return nil
	}
	defer func() { // want removedonerror "pod loses its finalizer in a defer even if Destroy (line 144) fails: the cleanup is never retried; remove it only on success" @144 "the error of this cleanup is ignored" @142 "the finalizer is removed here"
		pod.Finalizers = slices.DeleteFunc(pod.Finalizers, func(f string) bool { return f == guard || f == "old" })
	}()
	err = r.cloud.Destroy(ctx, pod.Name)
	if err != nil {
		pod.Status.Reason = short(err)
		klog.Error(err, "destroying")
		return nil
	}
	return nil
}

func short(err error) string { return err.Error() }

// returned is right.
func (r *reconciler) returned(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.ErrorS(err, "destroying")
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: only after success
	return r.Update(ctx, cm)
}

// gone counts an object that is gone as deleted.
func (r *reconciler) gone(ctx context.Context, cm *corev1.ConfigMap) error {
	err := r.Delete(ctx, r.child(cm))
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err := r.Delete(ctx, r.child(cm)); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: deleted, or not there
	return r.Update(ctx, cm)
}

// gathered asks before the removal.
func (r *reconciler) gathered(ctx context.Context, cm *corev1.ConfigMap, names []string) error {
	var errs []error
	for _, n := range names {
		if err := r.cloud.Destroy(ctx, n); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: no errors
	return r.Update(ctx, cm)
}

// onSuccess removes it in a deferred function that looks.
func (r *reconciler) onSuccess(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	defer func() {
		if err == nil {
			controllerutil.RemoveFinalizer(cm, guard) // ok: only on success
			err = r.Update(ctx, cm)
		}
	}()
	return r.cloud.Destroy(ctx, cm.Name)
}

type forbidden interface{ Forbidden() bool }

func denied(err error) bool { var f forbidden; return errors.As(err, &f) && f.Forbidden() }

// tolerated decides by the kind of the error.
func (r *reconciler) tolerated(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil && !denied(err) {
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: on purpose
	return r.Update(ctx, cm)
}

// forced deletes the very object that it frees.
func (r *reconciler) forced(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.Delete(ctx, cm); err != nil {
		klog.Error(err)
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: the same object
	return r.Update(ctx, cm)
}

// handedOver leaves it to another function to look at the error.
func (r *reconciler) handedOver(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		return r.unlessGone(ctx, cm, err) // ok: it is given the error, and may tell one that is none
	}
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

var errGone = errors.New("gone")

func (r *reconciler) unlessGone(ctx context.Context, cm *corev1.ConfigMap, err error) error {
	if err == errGone {
		controllerutil.RemoveFinalizer(cm, guard)
		return r.Update(ctx, cm)
	}
	return err
}

var _ = []any{
	(*reconciler).listed, (*reconciler).swallowed, (*reconciler).logged, (*reconciler).dropped, (*reconciler).collected, (*reconciler).deferred,
	(*reconciler).loop, (*reconciler).returned, (*reconciler).gone, (*reconciler).gathered, (*reconciler).onSuccess, (*reconciler).tolerated,
	(*reconciler).forced, (*reconciler).handedOver, (*reconciler).each, (*reconciler).retired, (*reconciler).always,
}

// each cleans up one after the other, and what has failed keeps its own finalizer.
func (r *reconciler) each(ctx context.Context, cm *corev1.ConfigMap, names []string) error {
	var failed []error
	for _, name := range names {
		if err := r.cloud.Detach(ctx, name); err != nil {
			failed = append(failed, err)
		} else {
			controllerutil.RemoveFinalizer(cm, name) // ok: the failure is another turn's
		}
	}
	if len(failed) > 0 {
		return failed[0]
	}
	return r.Update(ctx, cm)
}

// retired is cleaned up by another word.
func (r *reconciler) retired(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	_ = r.cloud.Decommission(ctx, cm.Name)
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Decommission (line 272) fails: the cleanup is never retried; return the error first" @272 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}

// always asks for something of the object whether it is being deleted or not.
func (r *reconciler) always(ctx context.Context, cm *corev1.ConfigMap) error {
	_ = r.cloud.Ping(ctx, cm.Name)
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: that is no cleanup
	return r.Update(ctx, cm)
}

// bucket is a service that deletes by name, and no client of the cluster's API.
type bucket interface {
	Delete(ctx context.Context, name string) error
}

// emptied drops what the service says.
func (r *reconciler) emptied(ctx context.Context, b bucket, cm *corev1.ConfigMap) error {
	_ = b.Delete(ctx, cm.Name)
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Delete (line 294) fails: the cleanup is never retried; return the error first" @294 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}

// swept keeps the failures of a loop over what belongs to the object, and removes it all the same.
func (r *reconciler) swept(ctx context.Context, cm *corev1.ConfigMap) error {
	var errs []error
	for name := range cm.Data {
		if err := r.cloud.Destroy(ctx, name); err != nil {
			errs = append(errs, err)
		}
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Destroy (line 303) fails: the cleanup is never retried; return the error first" @303 "the error of this cleanup is ignored"
	errs = append(errs, r.Update(ctx, cm))
	return errors.Join(errs...)
}

// sweptOwners is the same for a list.
func (r *reconciler) sweptOwners(ctx context.Context, cm *corev1.ConfigMap) error {
	var errs []error
	for _, o := range cm.OwnerReferences {
		errs = append(errs, r.cloud.Destroy(ctx, o.Name))
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Destroy (line 316) fails: the cleanup is never retried; return the error first" @316 "the error of this cleanup is ignored"
	errs = append(errs, r.Update(ctx, cm))
	return errors.Join(errs...)
}

// sweptWell asks before.
func (r *reconciler) sweptWell(ctx context.Context, cm *corev1.ConfigMap) error {
	var errs []error
	for name := range cm.Data {
		if err := r.cloud.Destroy(ctx, name); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: nothing has failed
	return r.Update(ctx, cm)
}

// A catalog says what is in use.
type catalog interface {
	Login() error
	Consumers(ctx context.Context, name string) (bool, error)
	ReleaseAll() error
	Vacate(ctx context.Context, name string) error
	RemoveUnused(ctx context.Context, name string) (bool, error)
}

// catalogs has one for each.
type catalogs interface{ Of(name string) catalog }

// questions lets go of what nobody answers for, after the same cleanup.
func (r *reconciler) questions(ctx context.Context, c catalogs, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp == nil {
		return nil
	}
	if err := c.Of(cm.Name).Login(); err != nil {
		return r.vacate(ctx, c, cm) // ok: nothing is taken away by that
	}
	used, err := c.Of(cm.Name).Consumers(ctx, cm.Name)
	if err != nil {
		return r.vacate(ctx, c, cm) // ok: a question
	}
	if used {
		return errors.New("it is in use")
	}
	return r.vacate(ctx, c, cm)
}

func (r *reconciler) vacate(ctx context.Context, c catalogs, cm *corev1.ConfigMap) error {
	if err := c.Of(cm.Name).Vacate(ctx, cm.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

// byName says by their names what else these calls do.
func (r *reconciler) byName(ctx context.Context, c catalogs, cm *corev1.ConfigMap) error {
	_ = c.Of(cm.Name).ReleaseAll()
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if ReleaseAll (line 378) fails: the cleanup is never retried; return the error first" @378 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}

func (r *reconciler) byNameToo(ctx context.Context, c catalogs, cm *corev1.ConfigMap) error {
	_, _ = c.Of(cm.Name).RemoveUnused(ctx, cm.Name)
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if RemoveUnused (line 384) fails: the cleanup is never retried; return the error first" @384 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}
