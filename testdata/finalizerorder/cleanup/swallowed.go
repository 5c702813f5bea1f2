package cleanup

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// free takes the finalizer off.
func (r *reconciler) free(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

// toItself logs why it has failed, and says that it has not.
func (r *reconciler) toItself(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.Errorf("destroying %s: %v", cm.Name, err)
	}
	return nil
}

func (r *reconciler) keptToItself(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.toItself(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer even if Destroy fails: toItself (line 28) drops the error, so the cleanup is never retried; return it" @21 "the error of this cleanup is ignored" @28 "called here" @16 "the finalizer is removed here"
}

// wrongWay returns nil where it has failed.
func (r *reconciler) wrongWay(ctx context.Context, cm *corev1.ConfigMap) error {
	for _, name := range []string{cm.Name, cm.Namespace} {
		err := r.cloud.Destroy(ctx, name)
		if err != nil {
			return nil
		}
	}
	return nil
}

func (r *reconciler) turnedRound(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.wrongWay(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer even if Destroy fails: wrongWay (line 46) drops the error, so the cleanup is never retried; return it" @37 "the error of this cleanup is ignored" @46 "called here" @16 "the finalizer is removed here"
}

// silent says nothing at all, and what it calls neither.
func (r *reconciler) silent(ctx context.Context, cm *corev1.ConfigMap) {
	for key := range cm.Data {
		r.quiet(ctx, cm, key)
	}
}

func (r *reconciler) quiet(ctx context.Context, cm *corev1.ConfigMap, key string) {
	if err := r.cloud.Destroy(ctx, cm.Name+key); err != nil {
		klog.ErrorS(err, "destroying")
	}
}

func (r *reconciler) saysNothing(ctx context.Context, cm *corev1.ConfigMap) error {
	r.silent(ctx, cm)
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer even if Destroy fails: silent (line 66) drops the error, so the cleanup is never retried; return it" @60 "the error of this cleanup is ignored" @66 "called here" @16 "the finalizer is removed here"
}

// onlyGone says nothing of what is gone.
func (r *reconciler) onlyGone(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.Delete(ctx, r.child(cm)); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	return nil
}

func (r *reconciler) goneOrTold(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.onlyGone(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // ok: any other failure is told
}

// copied gives the cleanup the object as it was read.
func (r *reconciler) copied(ctx context.Context, cm *corev1.ConfigMap) error {
	changed := cm.DeepCopy()
	_ = r.cloud.Destroy(ctx, cm.Name)
	controllerutil.RemoveFinalizer(changed, guard) // want removedonerror "changed loses its finalizer even if Destroy (line 91) fails: the cleanup is never retried; return the error first" @91 "the error of this cleanup is ignored"
	return r.Update(ctx, changed)
}

// shrugged says that it need not succeed.
func (r *reconciler) shrugged(ctx context.Context, cm *corev1.ConfigMap) {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.InfoS("still there", "err", err)
	}
}

func (r *reconciler) bestEffort(ctx context.Context, cm *corev1.ConfigMap) error {
	r.shrugged(ctx, cm)
	return r.free(ctx, cm) // ok: it says so
}

// whileAlive is called for living objects, too.
func (r *reconciler) whileAlive(ctx context.Context, cm *corev1.ConfigMap) error {
	r.silent(ctx, cm)
	if !cm.DeletionTimestamp.IsZero() {
		return r.free(ctx, cm) // ok: what is done for all is no cleanup
	}
	return nil
}

// adopt makes its account the object's own.
func (r *reconciler) adopt(cm *corev1.ConfigMap, account *corev1.ServiceAccount) error {
	return controllerutil.SetControllerReference(cm, account, r.Scheme())
}

// disown need not delete it: who deletes the object deletes that, too.
func (r *reconciler) disown(ctx context.Context, cm *corev1.ConfigMap) error {
	account := &corev1.ServiceAccount{}
	account.Name, account.Namespace = cm.Name, cm.Namespace
	if err := r.Delete(ctx, account); err != nil {
		klog.ErrorS(err, "deleting the account")
	}
	return r.free(ctx, cm) // ok: it is collected
}

// evict deletes what has no owner.
func (r *reconciler) evict(ctx context.Context, cm *corev1.ConfigMap) error {
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace = cm.Name, cm.Namespace
	if err := r.Delete(ctx, pod); err != nil {
		klog.ErrorS(err, "deleting the pod")
	}
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer even if Delete (line 136) fails: the cleanup is never retried; return the error first" @136 "the error of this cleanup is ignored" @16 "the finalizer is removed here"
}

// checked looks whether it is gone, after a try whose failure it keeps to itself.
func (r *reconciler) checked(ctx context.Context, cm *corev1.ConfigMap) error {
	_ = r.cloud.Destroy(ctx, cm.Name)
	left, err := r.cloud.Generate(ctx, cm.Name)
	if err != nil {
		return err
	}
	if left != "" {
		return errors.New("it is still there")
	}
	return nil
}

func (r *reconciler) afterTheLook(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.checked(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // ok: the look decides
}

// inPlace cleans up in a literal.
func (r *reconciler) inPlace(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := func() error { return r.cloud.Destroy(ctx, cm.Name) }(); err != nil {
		klog.ErrorS(err, "destroying")
	}
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer even if a function literal (line 164) fails: the cleanup is never retried; return the error first" @164 "the error of this cleanup is ignored" @16 "the finalizer is removed here"
}

// copiedDeleted is copied, where it is being deleted.
func (r *reconciler) copiedDeleted(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp != nil {
		changed := cm.DeepCopy()
		_ = r.cloud.Destroy(ctx, cm.Name)
		controllerutil.RemoveFinalizer(changed, guard) // want removedonerror "changed loses its finalizer even if Destroy (line 174) fails: the cleanup is never retried; return the error first" @174 "the error of this cleanup is ignored"
		return r.Update(ctx, changed)
	}
	return nil
}
