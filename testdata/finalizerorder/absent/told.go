package absent

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var errNoSuch = errors.New("no such thing")

func isNotFound(err error) bool { return errors.Is(err, errNoSuch) }

type group struct{ Name, ID string }

type groups interface {
	Fetch(g *group) error
	Delete(g *group) error
}

type tenant struct{ groups groups }

// kind asks for the kind of the failure, and lets the finalizer go in a deferred function that is not there yet.
func (r *reconciler) kind(ctx context.Context, pod *corev1.Pod) (err error) {
	found, err := r.cloud.Find(ctx, pod.Name)
	if err != nil {
		if isNotFound(err) {
			return nil // want unreachable "pod keeps its finalizer if what Find looks up (line 28) is gone: this returns before line 35 removes it; remove it then, too" @28 "looked up here" @35 "the finalizer is removed here"
		}
		return err
	}
	defer func() {
		if err == nil {
			controllerutil.RemoveFinalizer(pod, guard)
			err = r.Update(ctx, pod)
		}
	}()
	return r.cloud.Delete(ctx, found.id)
}

// tolerant goes on where it is gone.
func (r *reconciler) tolerant(ctx context.Context, pod *corev1.Pod) error {
	found, err := r.cloud.Find(ctx, pod.Name)
	if err != nil && !isNotFound(err) { // ok
		return err
	}
	if found != nil {
		if err := r.cloud.Delete(ctx, found.id); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// deferred has the function in place that lets it go.
func (r *reconciler) deferred(ctx context.Context, pod *corev1.Pod) (err error) {
	defer func() {
		if err == nil {
			controllerutil.RemoveFinalizer(pod, guard)
			err = r.Update(ctx, pod)
		}
	}()
	found, err := r.cloud.Find(ctx, pod.Name)
	if isNotFound(err) {
		return nil // ok
	}
	if err != nil {
		return err
	}
	return r.cloud.Delete(ctx, found.id)
}

func (r *reconciler) current(ctx context.Context, pod *corev1.Pod) (*corev1.Pod, error) {
	var now corev1.Pod
	return &now, r.Get(ctx, client.ObjectKeyFromObject(pod), &now)
}

// itself looks for the object itself: once that is gone there is no finalizer.
func (r *reconciler) itself(ctx context.Context, pod *corev1.Pod) error {
	now, err := r.current(ctx, pod)
	if apierrors.IsNotFound(err) {
		return nil // ok
	}
	if err != nil {
		return err
	}
	if err := r.cloud.Delete(ctx, now.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// empty has a service fill what it has made, and asks whether it did.
func (t *tenant) empty(node *corev1.Node) error {
	g := &group{Name: node.Name}
	_ = t.groups.Fetch(g)
	if g.ID == "" {
		return nil // want unreachable "node keeps its finalizer if what Fetch looks up (line 101) is gone: this returns before line 108 removes it; remove it then, too" @101 "looked up here" @108 "the finalizer is removed here"
	}
	if err := t.groups.Delete(g); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, guard)
	return nil
}

// full has an ID from the start.
func (t *tenant) full(node *corev1.Node) error {
	g := &group{Name: node.Name}
	if node.Spec.ProviderID != "" {
		g.ID = node.Spec.ProviderID
	}
	_ = t.groups.Fetch(g)
	if g.ID == "" {
		return nil // ok: that it has none says nothing of what was looked up
	}
	if err := t.groups.Delete(g); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, guard)
	return nil
}
