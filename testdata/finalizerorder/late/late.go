// Package late has things created before and after the finalizer that guards them is written.
package late

import (
	"context"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/late/cloud"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client
	endpoint string
	lister   listers.ConfigMapLister
}

// atTheEnd writes in a deferred patch, after the machine is there.
func (r *reconciler) atTheEnd(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	base := cm.DeepCopy()
	defer func() {
		if patchErr := r.Patch(ctx, cm, client.MergeFrom(base)); err == nil {
			err = patchErr
		}
	}()
	controllerutil.AddFinalizer(cm, guard) // want lateadd "cm has its finalizer only in memory when CreateMachine runs (line 37): a crash then leaks what that creates; write it first" @37 "created here"
	svc := cloud.New(r.endpoint)
	if err := svc.DescribeMachine(ctx, cm.Name); err == nil {
		return nil
	}
	return svc.CreateMachine(ctx, cm.Name)
}

// raw appends, and leaves the write to its caller.
func raw(ctx context.Context, svc *cloud.Service, cm *corev1.ConfigMap) error {
	if len(cm.Finalizers) == 0 {
		cm.Finalizers = append(cm.Finalizers, guard) // want lateadd "cm has its finalizer only in memory when CreateMachine runs (line 45): a crash then leaks what that creates; write it first" @45 "created here"
	}
	return svc.CreateMachine(ctx, cm.Name)
}

// first writes and goes on.
func (r *reconciler) first(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.AddFinalizer(cm, guard) { // ok: written at once
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return cloud.New(r.endpoint).CreateMachine(ctx, cm.Name)
}

// nextTime comes back once the finalizer is there.
func (r *reconciler) nextTime(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	base := cm.DeepCopy()
	defer func() { err = r.Patch(ctx, cm, client.MergeFrom(base)) }()
	if controllerutil.AddFinalizer(cm, guard) { // ok: the machine comes in the next run
		return nil
	}
	return cloud.New(r.endpoint).CreateMachine(ctx, cm.Name)
}

var _ = []any{(*reconciler).atTheEnd, raw, (*reconciler).first, (*reconciler).nextTime}

// inVain adds it after the machine is there.
func (r *reconciler) inVain(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := cloud.New(r.endpoint).CreateMachine(ctx, cm.Name); err != nil {
		return err
	}
	controllerutil.AddFinalizer(cm, guard)
	return r.Update(ctx, cm) // want lateadd "cm gets its finalizer only after CreateMachine (line 72): a crash in between leaks what that created; store the finalizer first" @72 "created here"
}

// byName adds it through the name, after a function of the package has made the machine.
func (r *reconciler) byName(ctx context.Context, name string) error {
	if err := r.createMachine(ctx, name); err != nil {
		return err
	}
	return r.guardByName(ctx, name) // want lateadd "the object called name gets its finalizer only after createMachine (line 81): a crash in between leaks what that created; store the finalizer first" @81 "created here"
}

func (r *reconciler) createMachine(ctx context.Context, name string) error {
	return cloud.New(r.endpoint).CreateMachine(ctx, name)
}

func (r *reconciler) guardByName(ctx context.Context, name string) error {
	cm, err := r.lister.ConfigMaps("machines").Get(name)
	if err != nil {
		return err
	}
	next := cm.DeepCopy()
	controllerutil.AddFinalizer(next, guard)
	return r.Patch(ctx, next, client.MergeFrom(cm))
}

// guardFirst is right.
func (r *reconciler) guardFirst(ctx context.Context, name string) error {
	if err := r.guardByName(ctx, name); err != nil { // ok: before the machine
		return err
	}
	return r.createMachine(ctx, name)
}

// createChild makes an object of the cluster.
func (r *reconciler) createChild(ctx context.Context, child *corev1.Secret) error { // want createChild:"creates p2"
	return r.Create(ctx, child)
}

// childFirst makes a child, which is collected with its owner.
func (r *reconciler) childFirst(ctx context.Context, name string, child *corev1.Secret) error {
	if err := r.createChild(ctx, child); err != nil {
		return err
	}
	return r.guardByName(ctx, name) // ok: nothing outside of the cluster
}

var _ = []any{(*reconciler).inVain, (*reconciler).byName, (*reconciler).guardFirst, (*reconciler).childFirst}

// A holder has the object of a reconcile, and writes it when it is closed.
type holder struct {
	*cloud.Service
	object *corev1.ConfigMap
}

// close writes the object.
func (h *holder) close(ctx context.Context, c client.Client) error { return c.Update(ctx, h.object) }

func (r *reconciler) reconcile(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	h := &holder{cloud.New(r.endpoint), cm}
	defer func() { err = h.close(ctx, r.Client) }()
	if cm.DeletionTimestamp != nil {
		return nil
	}
	return held(ctx, h)
}

// held adds it to what the holder has, which is written when all is done.
func held(ctx context.Context, h *holder) error {
	cm := h.object
	if len(cm.Finalizers) == 0 {
		cm.Finalizers = append(cm.Finalizers, guard) // want lateadd "cm has its finalizer only in memory when CreateMachine runs (line 149): a crash then leaks what that creates; write it first" @149 "created here"
	}
	svc := cloud.New("x")
	if err := svc.CreateMachine(ctx, cm.Name); err != nil {
		return err
	}
	return nil
}

var _ = (*reconciler).reconcile

// compares writes where the object differs from its copy.
func (r *reconciler) compares(ctx context.Context, svc *cloud.Service, cm *corev1.ConfigMap) error {
	stored := cm.DeepCopy()
	controllerutil.AddFinalizer(cm, guard) // ok: written where that has changed it
	if !reflect.DeepEqual(cm, stored) {
		if err := r.Patch(ctx, cm, client.MergeFrom(stored)); err != nil {
			return client.IgnoreNotFound(err)
		}
	}
	return svc.CreateMachine(ctx, cm.Name)
}

var _ = (*reconciler).compares

// begun has something made that takes its time.
func (r *reconciler) begun(ctx context.Context, cm *corev1.ConfigMap) error {
	op, err := cloud.New(r.endpoint).CreateDisk(ctx, cm.Name)
	if err != nil {
		return err
	}
	if controllerutil.AddFinalizer(cm, guard) {
		if err := r.Update(ctx, cm); err != nil { // want lateadd "cm gets its finalizer only after CreateDisk (line 173): a crash in between leaks what that created; store the finalizer first" @173 "created here"
			return err
		}
	}
	return op.Wait(ctx)
}
