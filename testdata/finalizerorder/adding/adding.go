// Package adding puts finalizers on objects, before and after it has seen whether they are being deleted.
package adding

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/adding/lib"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client
	cs kubernetes.Interface
}

func (r *reconciler) cleanUp(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

func (r *reconciler) normal(context.Context, *corev1.ConfigMap) error { return nil }

// before is the order that fails while something else holds a deleted object.
func (r *reconciler) before(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(cm, guard) {
		controllerutil.AddFinalizer(cm, guard) // want addedbeforecheck "cm gets a finalizer here before line 45 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @45 "the check of the deletion timestamp"
		return ctrl.Result{}, r.Update(ctx, cm)
	}
	if !cm.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.cleanUp(ctx, cm)
	}
	return ctrl.Result{}, r.normal(ctx, cm)
}

// raw does so with append, and writes in a deferred function.
func (r *reconciler) raw(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	base := cm.DeepCopy()
	defer func() {
		if patchErr := r.Patch(ctx, cm, client.MergeFrom(base)); err == nil {
			err = patchErr
		}
	}()
	if len(cm.Finalizers) == 0 {
		cm.Finalizers = append(cm.Finalizers, guard) // want lateadd "cm gets its finalizer only where it has none at all, as line 59 asks: with one of somebody else on it, nothing guards what is made for it; ask whether this one is there" @59 "any finalizer counts here"
		return nil
	}
	deleted := cm.GetDeletionTimestamp() != nil
	if deleted {
		return r.cleanUp(ctx, cm)
	}
	return r.normal(ctx, cm)
}

// through handles the deletion only while its own finalizer is there.
func (r *reconciler) through(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp != nil {
		if controllerutil.ContainsFinalizer(cm, guard) {
			return r.cleanUp(ctx, cm)
		}
	}
	if controllerutil.AddFinalizer(cm, guard) { // want addedbeforecheck "cm may be on its way out when it gets a finalizer here: the check at line 72 lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled" @72 "the check of the deletion timestamp"
		return r.Update(ctx, cm)
	}
	return r.normal(ctx, cm)
}

// fallsThrough uses helpers of another package, which do not say that the object is gone.
func (r *reconciler) fallsThrough(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := lib.Release(ctx, r.Client, cm); err != nil {
		return err
	}
	if err := lib.Hold(ctx, r.Client, cm); err != nil { // want addedagain "cm gets its finalizer again here once it is being deleted and line 85 has taken it off: the object is gone then, or the API server refuses the finalizer, and each deletion ends in an error; return behind the cleanup" @85 "the finalizer goes here"
		return err
	}
	return r.normal(ctx, cm)
}

// patches spells the addition as a patch.
func (r *reconciler) patches(ctx context.Context, cm *corev1.ConfigMap) error {
	p := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":["example.com/guard"]}}`))
	if err := r.Patch(ctx, cm, p); err != nil { // want addedbeforecheck "cm gets a finalizer here before line 100 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @100 "the check of the deletion timestamp" dropped "this merge patch puts its list in the place of all finalizers of the object: those of others are lost; add one with the list as it is, and an optimistic lock"
		return err
	}
	if cm.GetDeletionTimestamp() != nil {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// retried adds in the body of a retry.
func (r *reconciler) retried(ctx context.Context, cm *corev1.ConfigMap) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error { // want addedbeforecheck "cm gets a finalizer here before line 118 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @118 "the check of the deletion timestamp"
		if err := r.Get(ctx, client.ObjectKeyFromObject(cm), cm); err != nil {
			return err
		}
		cm.SetFinalizers(lib.With(cm.GetFinalizers(), guard))
		return r.Update(ctx, cm)
	})
	if err != nil {
		return err
	}
	if isGoing(cm) {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

func isGoing(obj client.Object) bool { return !obj.GetDeletionTimestamp().IsZero() } // want isGoing:"tests p0: [yes]"

// after is the right order.
func (r *reconciler) after(ctx context.Context, cm *corev1.ConfigMap) error {
	if isGoing(cm) {
		return r.cleanUp(ctx, cm)
	}
	if controllerutil.AddFinalizer(cm, guard) { // ok: not being deleted
		return r.Update(ctx, cm)
	}
	return r.normal(ctx, cm)
}

// sameCondition asks in the condition of the addition.
func (r *reconciler) sameCondition(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() && !controllerutil.ContainsFinalizer(cm, guard) {
		controllerutil.AddFinalizer(cm, guard) // ok: asked
		return r.Update(ctx, cm)
	}
	if !cm.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// local asks once and keeps the answer.
func (r *reconciler) local(ctx context.Context, cm *corev1.ConfigMap) error {
	deleted := cm.GetDeletionTimestamp() != nil
	if !deleted && len(cm.Finalizers) == 0 {
		cm.SetFinalizers(append(cm.GetFinalizers(), guard)) // not deleted // want lateadd "cm gets its finalizer only where it has none at all, as line 152 asks: with one of somebody else on it, nothing guards what is made for it; ask whether this one is there" @152 "any finalizer counts here"
		return r.Update(ctx, cm)
	}
	if deleted {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// says leaves it to a helper that tells its caller.
func (r *reconciler) says(ctx context.Context, cm *corev1.ConfigMap) error {
	if done, err := lib.Finish(ctx, r.Client, cm); err != nil || done {
		return err
	}
	if controllerutil.AddFinalizer(cm, guard) { // ok: done would have been true
		return r.Update(ctx, cm)
	}
	return r.normal(ctx, cm)
}

// inside calls helpers that look for themselves.
func (r *reconciler) inside(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := lib.Keep(ctx, r.Client, cm); err != nil { // ok: asks whether it is being deleted
		return err
	}
	if !cm.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// caller has asked for add.
func (r *reconciler) caller(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp != nil {
		return nil
	}
	return r.add(ctx, cm)
}

func (r *reconciler) add(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.AddFinalizer(cm, guard) { // ok: the only caller has asked
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	if cm.DeletionTimestamp != nil {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// unrelated asks about another object.
func (r *reconciler) unrelated(ctx context.Context, cm *corev1.ConfigMap, owner *corev1.Pod) error {
	if controllerutil.AddFinalizer(cm, guard) { // ok: nothing shows that deleted ones come here
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	if owner.DeletionTimestamp != nil {
		return nil
	}
	return r.normal(ctx, cm)
}

// fresh is created here.
func (r *reconciler) fresh(ctx context.Context, ns string) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: ns}}
	controllerutil.AddFinalizer(pod, guard) // ok: not created yet
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	if pod.DeletionTimestamp != nil {
		return nil
	}
	return nil
}

type fsm interface {
	Enter(ctx context.Context, obj client.Object) (proceed bool, err error)
}

// unseen leaves the question to something that cannot be seen.
func (r *reconciler) unseen(ctx context.Context, f fsm, cm *corev1.ConfigMap) error { // want unseen:"writes p3; writes p3 once it is being deleted; adds at once p3 example.com/guard; removes at once p3 example.com/guard once it is being deleted; tests p3: [either]; keeps p3"
	ok, err := f.Enter(ctx, cm)
	if err != nil {
		return err
	}
	if ok {
		if controllerutil.AddFinalizer(cm, guard) { // ok: f may have asked
			return r.Update(ctx, cm)
		}
		return nil
	}
	if cm.DeletionTimestamp != nil {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// told uses helpers that are told what to do.
func (r *reconciler) told(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp != nil {
		if err := lib.Change(ctx, r.Client, cm, lib.Take); err != nil { // ok: takes it away
			return err
		}
		return lib.Switch(ctx, r.Client, cm, false) // ok: takes it away
	}
	return lib.Switch(ctx, r.Client, cm, true) // ok: not being deleted
}

// toldWrong tells them the wrong thing.
func (r *reconciler) toldWrong(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := lib.Switch(ctx, r.Client, cm, true); err != nil { // want addedbeforecheck "cm gets a finalizer here before line 268 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @268 "the check of the deletion timestamp"
		return err
	}
	if cm.DeletionTimestamp != nil {
		return lib.Switch(ctx, r.Client, cm, false) // ok: takes it away
	}
	return nil
}

// updateWithRetry reads, changes and writes an object until that has worked.
func updateWithRetry(ctx context.Context, c client.Client, key types.NamespacedName, change func(*corev1.ConfigMap) bool) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		cm := &corev1.ConfigMap{}
		if err := c.Get(ctx, key, cm); err != nil {
			return false, err
		}
		if !change(cm) {
			return true, nil
		}
		return c.Update(ctx, cm) == nil, nil
	})
}

// handed adds in a literal that gets the object anew.
func (r *reconciler) handed(ctx context.Context, req ctrl.Request) error {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return err
	}
	if !controllerutil.ContainsFinalizer(cm, guard) {
		return updateWithRetry(ctx, r.Client, req.NamespacedName, func(cm *corev1.ConfigMap) bool { // want addedbeforecheck "cm gets a finalizer here before line 299 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @299 "the check of the deletion timestamp"
			return controllerutil.AddFinalizer(cm, guard)
		})
	}
	if !cm.DeletionTimestamp.IsZero() {
		return updateWithRetry(ctx, r.Client, req.NamespacedName, func(cm *corev1.ConfigMap) bool {
			return controllerutil.RemoveFinalizer(cm, guard)
		})
	}
	return nil
}

// handedLooks looks in the literal.
func (r *reconciler) handedLooks(ctx context.Context, req ctrl.Request) error {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return err
	}
	if err := updateWithRetry(ctx, r.Client, req.NamespacedName, func(cm *corev1.ConfigMap) bool { // ok: looks at what it was given
		return cm.DeletionTimestamp == nil && controllerutil.AddFinalizer(cm, guard)
	}); err != nil {
		return err
	}
	if !cm.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

type pauser interface {
	Paused(obj client.Object) bool
}

// pausable asks something that cannot be about the deletion: the check comes behind it.
func (r *reconciler) pausable(ctx context.Context, p pauser, cm *corev1.ConfigMap) error {
	if p.Paused(cm) {
		return nil
	}
	if controllerutil.AddFinalizer(cm, guard) { // want addedbeforecheck "cm gets a finalizer here before line 336 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @336 "the check of the deletion timestamp"
		return r.Update(ctx, cm)
	}
	if cm.DeletionTimestamp != nil {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

// takenBack takes off again what it has added, before the object is written.
func (r *reconciler) takenBack(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.AddFinalizer(cm, guard) // ok: a deleted object is written without it
	if cm.DeletionTimestamp != nil {
		if err := r.cleanUp(ctx, cm.DeepCopy()); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(cm, guard)
	}
	return r.Update(ctx, cm)
}

// writtenFirst writes it in between.
func (r *reconciler) writtenFirst(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.AddFinalizer(cm, guard) // want addedbeforecheck "cm gets a finalizer here before line 360 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @360 "the check of the deletion timestamp"
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	if cm.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(cm, guard)
		return r.Update(ctx, cm)
	}
	return nil
}

// stored is written by a function that asks for the deletion to understand the answer.
func (r *reconciler) stored(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.AddFinalizer(cm, guard) // ok: whether deleted ones come here is not said
	return lib.Store(ctx, r.Client, cm)
}

// saved has a function of the package do so.
func (r *reconciler) saved(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.AddFinalizer(cm, guard) { // ok: whether deleted ones come here is not said
		return r.save(ctx, cm)
	}
	return nil
}

func (r *reconciler) save(ctx context.Context, cm *corev1.ConfigMap) error {
	return lib.Store(ctx, r.Client, cm)
}

// savedEmpty asks in between.
func (r *reconciler) savedEmpty(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.AddFinalizer(cm, guard) // want addedbeforecheck "cm gets a finalizer here before line 388 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @388 "the check of the deletion timestamp"
	return r.saveEmpty(ctx, cm)
}

func (r *reconciler) saveEmpty(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp != nil {
		cm.Data = nil
	}
	return lib.Store(ctx, r.Client, cm)
}

// onlyFirst is for objects without any finalizer: one of these that is being deleted is gone.
func (r *reconciler) onlyFirst(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.Labels["kept"] != "" {
		keepFirst(cm) // ok: it asks
		return r.Update(ctx, cm)
	}
	if len(cm.Finalizers) == 0 {
		controllerutil.AddFinalizer(cm, guard) // ok: none of them is being deleted
		return r.Update(ctx, cm)
	}
	if cm.DeletionTimestamp != nil {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

func keepFirst(cm *corev1.ConfigMap) {
	if len(cm.Finalizers) == 0 {
		keep(cm, true) // want lateadd "cm gets its finalizer only where it has none at all, as line 415 asks: with one of somebody else on it, nothing guards what is made for it; ask whether this one is there" @415 "any finalizer counts here"
	}
}

func keep(cm *corev1.ConfigMap, on bool) {
	if on {
		controllerutil.AddFinalizer(cm, guard)
	}
}

var _ = []any{
	(*reconciler).onlyFirst,
	(*reconciler).stored, (*reconciler).saved, (*reconciler).savedEmpty,
	(*reconciler).takenBack, (*reconciler).writtenFirst,
	(*reconciler).handed, (*reconciler).handedLooks, (*reconciler).told, (*reconciler).toldWrong, (*reconciler).pausable,
	(*reconciler).before, (*reconciler).raw, (*reconciler).through, (*reconciler).fallsThrough, (*reconciler).patches, (*reconciler).retried,
	(*reconciler).after, (*reconciler).sameCondition, (*reconciler).local, (*reconciler).says, (*reconciler).inside, (*reconciler).caller,
	(*reconciler).unrelated, (*reconciler).fresh, (*reconciler).unseen,
}

// on puts the finalizer back with a request of its own, and is told of that once.
func (r *reconciler) on(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !cm.DeletionTimestamp.IsZero() {
		if err := r.cleanUp(ctx, cm); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.ensure(ctx, cm); err != nil { // want addedagain "cm gets its finalizer again here once it is being deleted and line 443 has taken it off: the object is gone then, or the API server refuses the finalizer, and each deletion ends in an error; return behind the cleanup" @443 "the finalizer goes here"
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.normal(ctx, cm)
}

func (r *reconciler) ensure(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.ContainsFinalizer(cm, guard) {
		return nil
	}
	controllerutil.AddFinalizer(cm, guard)
	return r.Update(ctx, cm)
}
