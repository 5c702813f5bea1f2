// Package owner reads the object that it expects something of, or for.
package owner

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/store"
)

// Forgetful expects pods by its object's key and never lets go of a key.
type Forgetful struct {
	client.Client
	tally store.Tally
}

func (r *Forgetful) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want neverdeleted "r.tally keeps what it expects for an object that is found gone here (RaiseExpectations at line 31): nothing in the package deletes it, and an object that is made again under the same name waits for it" @31 "RaiseExpectations of r.tally is called here"
	}
	return ctrl.Result{}, r.grow(ctx, req.String())
}

func (r *Forgetful) grow(ctx context.Context, key string) error {
	r.tally.RaiseExpectations(key, 1, 0)
	if err := r.Create(ctx, &corev1.Pod{}); err != nil {
		r.tally.CreationObserved(key)
		return err
	}
	return nil
}

// Tidy lets go where the object is gone.
type Tidy struct {
	client.Client
	scale store.Scale
}

func (r *Tidy) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		if apierrors.IsNotFound(err) {
			r.scale.DeleteExpectations(req.String()) // ok: here
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	r.scale.ExpectScale(req.String(), store.Create, "a")
	if err := r.Create(ctx, &corev1.Pod{}); err != nil {
		r.scale.ObserveScale(req.String(), store.Create, "a")
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// Undroppable has a store that cannot drop a key: what is open for it goes with its objects.
type Undroppable struct {
	client.Client
	names *store.Names
}

func (r *Undroppable) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: nothing to call
	}
	r.names.ExpectNames(req.NamespacedName, "a")
	return ctrl.Result{}, nil
}

// Shared has a store that others can name.
type Shared struct {
	client.Client
	Tallies store.Tally
}

func (r *Shared) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: others may drop
	}
	r.Tallies.RaiseExpectations(req.String(), 0, 1)
	return ctrl.Result{}, nil
}

// ensure makes the pod that it does not find: the pod is not what the key is about.
func (r *Forgetful) ensure(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	err := r.Get(ctx, key, pod)
	if apierrors.IsNotFound(err) { // ok: no reconciler's own object
		return r.grow(ctx, key.String())
	}
	return err
}

var _ = (*Forgetful).ensure

// readiness is told what has been loaded.
type readiness interface {
	Expect(o runtime.Object)
	Observe(o runtime.Object)
	CancelExpect(o runtime.Object)
	Satisfied() bool
}

type trackers struct{ byKind map[string]readiness }

func (t *trackers) of(kind string) readiness { return t.byKind[kind] }

// Constraints loads objects, and unloads those that are gone or going.
type Constraints struct {
	client.Client
	trackers *trackers
	loaded   map[string]bool
}

func (r *Constraints) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	deleted := false
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil { // want neverdeleted "of(), observed at line 147 (Observe) for the object that is read here, is not told when the object is gone or being deleted: what is expected of it stays expected" @147 "Observe of of() is called here"
		if !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err
		}
		deleted = true
	}
	deleted = deleted || !config.GetDeletionTimestamp().IsZero()
	if !deleted {
		return ctrl.Result{}, r.add(config)
	}
	delete(r.loaded, config.Name)
	return ctrl.Result{}, nil
}

func (r *Constraints) add(config *corev1.ConfigMap) error {
	t := r.trackers.of("ConfigMap")
	if config.Data == nil {
		t.CancelExpect(config)
		return apierrors.NewBadRequest("empty")
	}
	r.loaded[config.Name] = true
	t.Observe(config)
	return nil
}

// Cancelling tells it.
type Cancelling struct {
	client.Client
	trackers *trackers
}

func (r *Cancelling) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	err := r.Get(ctx, req.NamespacedName, config)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	t := r.trackers.of("ConfigMap")
	if err != nil {
		config.Name = req.Name
		t.CancelExpect(config) // ok: told
		return ctrl.Result{}, nil
	}
	t.Observe(config)
	return ctrl.Result{}, nil
}

// Finalizing tells it while the object is being deleted.
type Finalizing struct {
	client.Client
	trackers *trackers
}

func (r *Finalizing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: told before
	}
	t := r.trackers.of("ConfigMap")
	if config.DeletionTimestamp != nil {
		t.CancelExpect(config)
		return ctrl.Result{}, nil
	}
	t.Observe(config)
	return ctrl.Result{}, nil
}

// Old has the signature of reconcilers before v0.7, and handles what is deleted without a word to the tracker.
type Old struct {
	client.Client
	trackers *trackers
}

func (r *Old) Reconcile(req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(context.TODO(), req.NamespacedName, config); err != nil { // want neverdeleted "of(), observed at line 204 (Observe) for the object that is read here, is not told when the object is gone or being deleted: what is expected of it stays expected" @204 "Observe of of() is called here"
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.trackers.of("ConfigMap").Observe(config)
	return ctrl.Result{}, nil
}
