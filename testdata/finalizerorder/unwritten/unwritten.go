// Package unwritten goes on where the write of a finalizer has failed, or an error is lost on the way to its removal.
package unwritten

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const guard = "example.com/guard"

type balancers interface {
	CreateBalancer(ctx context.Context, name string) error
	RemoveRecord(ctx context.Context, name string) error
}

type reconciler struct {
	client.Client
	balancers balancers
}

// conflicts takes a conflict for a success.
func (r *reconciler) conflicts(ctx context.Context, svc *corev1.Service) error {
	if controllerutil.AddFinalizer(svc, guard) {
		if err := r.Update(ctx, svc); err != nil && !apierrors.IsConflict(err) { // want lateadd "Update may fail to write the finalizer of svc, and CreateBalancer at line 37 runs all the same: nothing guards what that makes; come back with the error" @37 "something is created here"
			return err
		}
	}
	return r.balancers.CreateBalancer(ctx, svc.Name)
}

// logs goes on with an error in the log.
func (r *reconciler) logs(ctx context.Context, svc *corev1.Service) error {
	controllerutil.AddFinalizer(svc, guard)
	if err := r.Update(ctx, svc); err != nil { // want lateadd "Update may fail to write the finalizer of svc, and CreateBalancer at line 46 runs all the same: nothing guards what that makes; come back with the error" @46 "something is created here"
		log.FromContext(ctx).Error(err, "adding the finalizer")
	}
	return r.balancers.CreateBalancer(ctx, svc.Name)
}

func (r *reconciler) comesBack(ctx context.Context, svc *corev1.Service) error { // ok
	if controllerutil.AddFinalizer(svc, guard) {
		if err := r.Update(ctx, svc); err != nil {
			return client.IgnoreNotFound(err)
		}
	}
	return r.balancers.CreateBalancer(ctx, svc.Name)
}

// waits has the next run create.
func (r *reconciler) waits(ctx context.Context, svc *corev1.Service) error { // ok
	if controllerutil.AddFinalizer(svc, guard) {
		if err := r.Update(ctx, svc); err != nil && !apierrors.IsConflict(err) {
			return err
		}
		return nil
	}
	return r.balancers.CreateBalancer(ctx, svc.Name)
}

// last looks at the error of the last record alone.
func (r *reconciler) last(ctx context.Context, svc *corev1.Service) error {
	if svc.DeletionTimestamp == nil {
		return nil
	}
	var err error
	for _, port := range svc.Spec.Ports {
		err = r.balancers.RemoveRecord(ctx, svc.Name+port.Name)
	}
	if err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(svc, guard) // want removedonerror "svc loses its finalizer here even where RemoveRecord at line 76 has failed: what was not cleaned up stays behind for good; return the error first" @76 "the cleanup whose failure is not heeded"
	return r.Update(ctx, svc)
}

// first ends the loop where one fails.
func (r *reconciler) first(ctx context.Context, svc *corev1.Service) error { // ok
	if svc.DeletionTimestamp == nil {
		return nil
	}
	var err error
	for _, port := range svc.Spec.Ports {
		if err = r.balancers.RemoveRecord(ctx, svc.Name+port.Name); err != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

// kept keeps that one has failed.
func (r *reconciler) kept(ctx context.Context, svc *corev1.Service) error { // ok
	if svc.DeletionTimestamp == nil {
		return nil
	}
	var failed error
	for _, port := range svc.Spec.Ports {
		if err := r.balancers.RemoveRecord(ctx, svc.Name+port.Name); err != nil {
			failed = err
		}
	}
	if failed != nil {
		return failed
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

var (
	holdOne  = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":["example.com/guard"]}}`))
	holdMore = client.RawPatch(types.StrategicMergePatchType, []byte(`{"metadata":{"finalizers":["example.com/guard"]}}`))
)

// hold puts one finalizer in the place of all.
func (r *reconciler) hold(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	return r.Patch(ctx, claim, holdOne) // want dropped "this merge patch puts its list in the place of all finalizers of the object: those of others are lost; add one with the list as it is, and an optimistic lock"
}

func (r *reconciler) holdWithOthers(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	return r.Patch(ctx, claim, holdMore) // ok: such a patch adds to the list
}

func (r *reconciler) holdAlone(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if len(claim.Finalizers) > 0 {
		return nil
	}
	return r.Patch(ctx, claim, holdOne) // nothing is lost // want lateadd "claim gets its finalizer only where it has none at all, as line 136 asks: with one of somebody else on it, nothing guards what is made for it; ask whether this one is there" @136 "any finalizer counts here"
}

// letGo changes copies, and writes the elements.
func (r *reconciler) letGo(ctx context.Context) error {
	claims := &corev1.PersistentVolumeClaimList{}
	if err := r.List(ctx, claims); err != nil {
		return err
	}
	for i, claim := range claims.Items {
		if !controllerutil.RemoveFinalizer(&claim, guard) { // want notpersisted "claim loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).letGo, and the change is lost"
			continue
		}
		if err := r.Update(ctx, &claims.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *reconciler) letGoOfCopies(ctx context.Context) error {
	claims := &corev1.PersistentVolumeClaimList{}
	if err := r.List(ctx, claims); err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if controllerutil.RemoveFinalizer(&claim, guard) { // ok: the copy is written
			if err := r.Update(ctx, &claim); err != nil {
				return err
			}
		}
	}
	return nil
}

// defaults writes the object only where it has changed the spec.
func (r *reconciler) defaults(ctx context.Context, svc *corev1.Service) error {
	before := svc.DeepCopy()
	controllerutil.AddFinalizer(svc, guard) // want notpersisted "svc gets a finalizer here in memory, and is written only where another part of it has changed (line 181): the change is lost else; compare the whole object, or write it where the finalizers have changed" @181 "this does not ask for the finalizers"
	if svc.Spec.ClusterIP == "" {
		svc.Spec.ClusterIP = "None"
	}
	if !equality.Semantic.DeepEqual(before.Spec, svc.Spec) {
		return r.Update(ctx, svc)
	}
	return nil
}

func (r *reconciler) defaultsAll(ctx context.Context, svc *corev1.Service) error {
	before := svc.DeepCopy()
	controllerutil.AddFinalizer(svc, guard) // ok: all of it is compared
	if svc.Spec.ClusterIP == "" {
		svc.Spec.ClusterIP = "None"
	}
	if !equality.Semantic.DeepEqual(before, svc) {
		return r.Update(ctx, svc)
	}
	return nil
}

func (r *reconciler) defaultsTwice(ctx context.Context, svc *corev1.Service) error {
	before := svc.DeepCopy()
	controllerutil.AddFinalizer(svc, guard) // ok: another write has it
	if !equality.Semantic.DeepEqual(before.Spec, svc.Spec) {
		if err := r.Update(ctx, svc); err != nil {
			return err
		}
	}
	return r.Patch(ctx, svc, client.MergeFrom(before))
}

func (r *reconciler) defaultsMeta(ctx context.Context, svc *corev1.Service) error {
	before := svc.DeepCopy()
	controllerutil.AddFinalizer(svc, guard) // ok: they are in what is compared
	if !slices.Equal(before.Finalizers, svc.Finalizers) {
		return r.Update(ctx, svc)
	}
	return nil
}

// readsAgain takes the finalizer off what it reads anew then.
func (r *reconciler) readsAgain(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard) // want notpersisted "svc loses a finalizer here in memory, and is read again at line 223 before it is written: what is written has none of it; change it behind the read" @223 "this takes the change back"
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.Get(ctx, client.ObjectKeyFromObject(svc), svc); err != nil {
			return err
		}
		return r.Update(ctx, svc)
	})
}

func (r *reconciler) changesAgain(ctx context.Context, svc *corev1.Service) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.Get(ctx, client.ObjectKeyFromObject(svc), svc); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(svc, guard) // ok: behind the read
		return r.Update(ctx, svc)
	})
}

func (r *reconciler) readsOnConflict(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard) // ok: the first write has it
	err := r.Update(ctx, svc)
	if apierrors.IsConflict(err) {
		if err := r.Get(ctx, client.ObjectKeyFromObject(svc), svc); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(svc, guard)
		return r.Update(ctx, svc)
	}
	return err
}

// guarded has what a helper has written: where it has added nothing, there was nothing to write.
func (r *reconciler) guarded(ctx context.Context, svc *corev1.Service) error {
	if err := r.put(ctx, svc); err != nil { // ok
		return err
	}
	return r.balancers.CreateBalancer(ctx, svc.Name)
}

func (r *reconciler) put(ctx context.Context, svc *corev1.Service) error {
	if !controllerutil.AddFinalizer(svc, guard) {
		return nil
	}
	return r.Update(ctx, svc)
}

// twice changes what it has read again.
func (r *reconciler) twice(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard) // ok: so does the next one
	if err := r.Get(ctx, client.ObjectKeyFromObject(svc), svc); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}
