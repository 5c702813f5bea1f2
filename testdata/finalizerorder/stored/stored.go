// Package stored calls steps through interfaces: what runs is what the package puts there.
package stored

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/stored/steps"
)

const guard = "example.com/guard"

type remote interface {
	Ensure(ctx context.Context, name, with string) error
}

// inField has its steps in a field.
type inField struct {
	x remote
	h podSteps
}

type podSteps interface {
	password(ctx context.Context, name string) (string, error)
	finish(ctx context.Context, obj *corev1.Pod) (bool, error)
}

type helper struct{ client.Client }

func (h *helper) password(ctx context.Context, name string) (string, error) {
	var s corev1.Secret
	if err := h.Get(ctx, client.ObjectKey{Name: name}, &s); err != nil {
		return "", fmt.Errorf("secret: %w", err)
	}
	return string(s.Data["password"]), nil
}

func (h *helper) finish(ctx context.Context, obj *corev1.Pod) (bool, error) {
	if obj.DeletionTimestamp == nil {
		return false, nil
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return true, h.Update(ctx, obj)
}

func newInField(c client.Client, x remote) *inField { return &inField{x, &helper{c}} }

func (r *inField) run(ctx context.Context, obj *corev1.Pod) error {
	pw, err := r.h.password(ctx, obj.Labels["secret"]) // want unreachable "obj keeps its finalizer if its Secret is gone: this lookup fails before line 57 removes it; handle deletion first or ignore NotFound" @57 "the finalizer is removed here" @36 "looked up here"
	if err != nil {
		return err
	}
	if done, err := r.h.finish(ctx, obj); err != nil || done {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, pw)
}

// Exported has them where other packages could put others: the one of this package is what it is for.
type Exported struct {
	x     remote
	Steps NodeSteps
}

// NodeSteps are the steps for nodes.
type NodeSteps interface {
	Password(ctx context.Context, name string) (string, error)
	Finish(ctx context.Context, obj *corev1.Node) error
}

type nodes struct{ client.Client }

func (n *nodes) Password(ctx context.Context, name string) (string, error) {
	var s corev1.Secret
	if err := n.Get(ctx, client.ObjectKey{Name: name}, &s); err != nil {
		return "", err
	}
	return string(s.Data["password"]), nil
}

func (n *nodes) Finish(ctx context.Context, obj *corev1.Node) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return n.Update(ctx, obj)
}

// NewExported has the steps of the package.
func NewExported(c client.Client, x remote) *Exported { return &Exported{x, &nodes{c}} }

func (r *Exported) run(ctx context.Context, obj *corev1.Node) error {
	pw, err := r.Steps.Password(ctx, obj.Labels["secret"]) // want unreachable "obj keeps its finalizer if its Secret is gone: this lookup fails before line 101 removes it; handle deletion first or ignore NotFound" @101 "the finalizer is removed here" @79 "looked up here"
	if err != nil {
		return err
	}
	if err := r.Steps.Finish(ctx, obj); err != nil {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, pw)
}

// given gets them as a parameter.
type serviceSteps interface {
	password(ctx context.Context, name string) (string, error)
	leave(ctx context.Context, obj *corev1.Service) error
}

func (h *helper) leave(ctx context.Context, obj *corev1.Service) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return h.Update(ctx, obj)
}

func (r *inField) given(ctx context.Context, obj *corev1.Service, s serviceSteps) error {
	pw, err := s.password(ctx, obj.Labels["secret"]) // want unreachable "obj keeps its finalizer if its Secret is gone: this lookup fails before line 126 removes it; handle deletion first or ignore NotFound" @126 "the finalizer is removed here" @36 "looked up here"
	if err != nil {
		return err
	}
	if err := s.leave(ctx, obj); err != nil {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, pw)
}

func (r *inField) gives(ctx context.Context, c client.Client, obj *corev1.Service) error {
	return r.given(ctx, obj, &helper{c})
}

// far has steps of another package.
type far struct {
	x remote
	h volumeSteps
}

type volumeSteps interface {
	Class(ctx context.Context, name string) (string, error)
	Finish(ctx context.Context, obj client.Object) error
}

func newFar(c client.Client, x remote) *far { return &far{x, &steps.Volumes{Client: c}} }

func (r *far) run(ctx context.Context, obj *corev1.PersistentVolume) error {
	class, err := r.h.Class(ctx, obj.Labels["class"]) // want unreachable "obj keeps its finalizer if its Secret is gone: this lookup fails before line 154 removes it; handle deletion first or ignore NotFound" @154 "the finalizer is removed here"
	if err != nil {
		return err
	}
	if err := r.h.Finish(ctx, obj); err != nil {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, class)
}

// twofold has one of two: only the first needs the secret.
type twofold struct {
	x remote
	h claimSteps
}

type claimSteps interface {
	word(ctx context.Context, name string) (string, error)
	done(ctx context.Context, obj *corev1.PersistentVolumeClaim) error
}

type stored struct{ client.Client }

func (s *stored) word(ctx context.Context, name string) (string, error) {
	var secret corev1.Secret
	if err := s.Get(ctx, client.ObjectKey{Name: name}, &secret); err != nil {
		return "", err
	}
	return string(secret.Data["word"]), nil
}

func (s *stored) done(ctx context.Context, obj *corev1.PersistentVolumeClaim) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return s.Update(ctx, obj)
}

type fixed struct{ *stored }

func (fixed) word(context.Context, string) (string, error) { return "word", nil }

func newTwofold(c client.Client, x remote, secret bool) *twofold {
	if secret {
		return &twofold{x, &stored{c}}
	}
	return &twofold{x, fixed{&stored{c}}}
}

func (r *twofold) run(ctx context.Context, obj *corev1.PersistentVolumeClaim) error {
	pw, err := r.h.word(ctx, obj.Labels["secret"])
	if err != nil {
		return err
	}
	if err := r.h.done(ctx, obj); err != nil {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, pw)
}

// first sees to the deletion first.
type first struct {
	x remote
	h quotaSteps
}

type quotaSteps interface {
	password(ctx context.Context, name string) (string, error)
	let(ctx context.Context, obj *corev1.ResourceQuota) (bool, error)
}

func (h *helper) let(ctx context.Context, obj *corev1.ResourceQuota) (bool, error) {
	if obj.DeletionTimestamp == nil {
		return false, nil
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return true, h.Update(ctx, obj)
}

func newFirst(c client.Client, x remote) *first { return &first{x, &helper{c}} }

func (r *first) run(ctx context.Context, obj *corev1.ResourceQuota) error {
	if done, err := r.h.let(ctx, obj); err != nil || done {
		return err
	}
	pw, err := r.h.password(ctx, obj.Labels["secret"])
	if err != nil {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, pw)
}

// Open gets its steps from other packages alone: nothing is known of them.
type Open struct {
	x remote
	h RangeSteps
}

// RangeSteps are the steps for limits.
type RangeSteps interface {
	Word(ctx context.Context, name string) (string, error)
	Leave(ctx context.Context, obj *corev1.LimitRange) error
}

// NewOpen has the steps that it is given.
func NewOpen(x remote, h RangeSteps) *Open { return &Open{x, h} }

func (r *Open) run(ctx context.Context, obj *corev1.LimitRange) error {
	pw, err := r.h.Word(ctx, obj.Labels["secret"])
	if err != nil {
		return err
	}
	if err := r.h.Leave(ctx, obj); err != nil {
		return err
	}
	return r.x.Ensure(ctx, obj.Name, pw)
}
