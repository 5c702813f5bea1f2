package cleanup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
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
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer here even where Destroy has failed, of which toItself (line 32) tells nothing: what was not cleaned up stays behind for good; return the error" @25 "the cleanup whose failure is not heeded" @32 "it is called here" @20 "the finalizer is removed here"
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
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer here even where Destroy has failed, of which wrongWay (line 50) tells nothing: what was not cleaned up stays behind for good; return the error" @41 "the cleanup whose failure is not heeded" @50 "it is called here" @20 "the finalizer is removed here"
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
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer here even where Destroy has failed, of which silent (line 70) tells nothing: what was not cleaned up stays behind for good; return the error" @64 "the cleanup whose failure is not heeded" @70 "it is called here" @20 "the finalizer is removed here"
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

// saysGone says nothing of what is gone, as the text of the failure has it.
func (r *reconciler) saysGone(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	if err = r.cloud.Destroy(ctx, cm.Name); err != nil {
		if strings.Contains(err.Error(), "no such") {
			err = nil
		} else {
			err = fmt.Errorf("destroying: %w", err)
		}
	}
	return
}

func (r *reconciler) asText(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.saysGone(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // ok: any other failure is told
}

// texts tells of all failures at the end.
func (r *reconciler) texts(ctx context.Context, cm *corev1.ConfigMap) error {
	var failed []string
	for key := range cm.Data {
		if err := r.cloud.Destroy(ctx, cm.Name+key); err != nil {
			failed = append(failed, err.Error())
			continue
		}
	}
	if len(failed) > 0 {
		return errors.New(strings.Join(failed, ", "))
	}
	return nil
}

func (r *reconciler) atTheEnd(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.texts(ctx, cm); err != nil {
		return fmt.Errorf("cleaning up: %w", err)
	}
	return r.free(ctx, cm) // ok: the list is looked at
}

// counted says how many are left.
func (r *reconciler) counted(ctx context.Context, cm *corev1.ConfigMap) int {
	left := 0
	for key := range cm.Data {
		if err := r.cloud.Destroy(ctx, cm.Name+key); err != nil {
			left++
		}
	}
	return left
}

func (r *reconciler) none(ctx context.Context, cm *corev1.ConfigMap) error {
	if r.counted(ctx, cm) == 0 {
		return r.free(ctx, cm) // ok: none is left
	}
	return errors.New("some are left")
}

// copied gives the cleanup the object as it was read.
func (r *reconciler) copied(ctx context.Context, cm *corev1.ConfigMap) error {
	changed := cm.DeepCopy()
	_ = r.cloud.Destroy(ctx, cm.Name)
	controllerutil.RemoveFinalizer(changed, guard) // want removedonerror "changed loses its finalizer here even where Destroy at line 154 has failed: what was not cleaned up stays behind for good; return the error first" @154 "the cleanup whose failure is not heeded"
	return r.Update(ctx, changed)
}

// codes tells of failures by a number.
func (r *reconciler) codes(ctx context.Context, cm *corev1.ConfigMap) (int, error) {
	return len(cm.Data), r.cloud.Destroy(ctx, cm.Name)
}

func (r *reconciler) byCode(ctx context.Context, cm *corev1.ConfigMap) error {
	if code, err := r.codes(ctx, cm); err != nil {
		switch code {
		case 403:
			klog.ErrorS(err, "not allowed to")
		case 409:
			klog.ErrorS(err, "in use")
		default:
			return err
		}
	}
	return r.free(ctx, cm) // ok: the code decides
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
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer here even where Delete at line 218 has failed: what was not cleaned up stays behind for good; return the error first" @218 "the cleanup whose failure is not heeded" @20 "the finalizer is removed here"
}

// disownByName deletes it by its name.
func (r *reconciler) disownByName(ctx context.Context, set kubernetes.Interface, cm *corev1.ConfigMap) error {
	if err := set.CoreV1().ServiceAccounts(cm.Namespace).Delete(ctx, cm.Name, metav1.DeleteOptions{}); err != nil {
		klog.ErrorS(err, "deleting the account")
	}
	return r.free(ctx, cm) // ok: it is collected
}

// evictByName deletes what has no owner.
func (r *reconciler) evictByName(ctx context.Context, set kubernetes.Interface, cm *corev1.ConfigMap) error {
	if err := set.CoreV1().Pods(cm.Namespace).Delete(ctx, cm.Name, metav1.DeleteOptions{}); err != nil {
		klog.ErrorS(err, "deleting the pod")
	}
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer here even where Delete at line 234 has failed: what was not cleaned up stays behind for good; return the error first" @234 "the cleanup whose failure is not heeded" @20 "the finalizer is removed here"
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

// tells has the cleanup told, and somebody else of it.
func (r *reconciler) tells(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		return err
	}
	if err := r.cloud.Destroy(ctx, "notes"); err != nil {
		klog.ErrorS(err, "telling")
	}
	return nil
}

func (r *reconciler) told(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.tells(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // ok: what is only told of nothing of the object leaves nothing behind
}

// inPlace cleans up in a literal.
func (r *reconciler) inPlace(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := func() error { return r.cloud.Destroy(ctx, cm.Name) }(); err != nil {
		klog.ErrorS(err, "destroying")
	}
	return r.free(ctx, cm) // want removedonerror "cm loses its finalizer here even where a function literal at line 280 has failed: what was not cleaned up stays behind for good; return the error first" @280 "the cleanup whose failure is not heeded" @20 "the finalizer is removed here"
}

// copiedDeleted is copied, where it is being deleted.
func (r *reconciler) copiedDeleted(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp != nil {
		changed := cm.DeepCopy()
		_ = r.cloud.Destroy(ctx, cm.Name)
		controllerutil.RemoveFinalizer(changed, guard) // want removedonerror "changed loses its finalizer here even where Destroy at line 290 has failed: what was not cleaned up stays behind for good; return the error first" @290 "the cleanup whose failure is not heeded"
		return r.Update(ctx, changed)
	}
	return nil
}

// flags says by a flag that it is gone already, whatever the error.
func (r *reconciler) flags(ctx context.Context, cm *corev1.ConfigMap) error {
	gone, err := r.destroyed(ctx, cm.Name)
	if !gone && err != nil {
		return err
	}
	return nil
}

func (r *reconciler) destroyed(ctx context.Context, name string) (bool, error) {
	err := r.cloud.Destroy(ctx, name)
	return errors.Is(err, context.Canceled), err
}

func (r *reconciler) byFlag(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.flags(ctx, cm); err != nil {
		return err
	}
	return r.free(ctx, cm) // ok: the flag decides
}
