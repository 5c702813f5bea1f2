// Package lower sets expectations for writes that may fail.
package lower

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/store"
)

// Fleet makes pods and expects them.
type Fleet struct {
	client.Client
	tally store.Tally
	scale store.Scale
	names *store.Names
}

func render(key string) (*corev1.Pod, error) { return &corev1.Pod{}, namespace.check(key) }

var namespace interface{ check(key string) error }

// forgets never lowers.
func (f *Fleet) forgets(ctx context.Context, key string) error {
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err // ok: nothing was set
	}
	pod, err := render(key)
	if err != nil {
		return err // want notlowered "f.tally keeps the expectation set at line 33, but nothing was created: later reconciles of the key wait for it; lower it before this return" @33 "ExpectCreations of f.tally sets the expectation here"
	}
	err = f.Create(ctx, pod)
	if err != nil && apierrors.IsTimeout(err) {
		return nil // ok: the pod may yet appear
	} else if err != nil {
		return fmt.Errorf("create: %w", err) // want notlowered "f.tally keeps the expectation set at line 33, but Create failed (line 40): later reconciles of the key wait for it; lower it before this return" @33 "ExpectCreations of f.tally sets the expectation here" @40 "Create fails here"
	}
	return nil
}

// lowers does so where it fails.
func (f *Fleet) lowers(ctx context.Context, key string) error {
	pod, err := render(key)
	if err != nil {
		return err // ok: before the expectation
	}
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err
	}
	if err := f.Create(ctx, pod); err != nil {
		f.tally.CreationObserved(key)
		return err // ok: lowered
	}
	return f.report(ctx)
}

func (f *Fleet) report(ctx context.Context) error { return ctx.Err() }

// half lowers one of two.
func (f *Fleet) half(ctx context.Context, key string, old, fresh *corev1.Pod) error {
	f.scale.ExpectScale(key, store.Create, fresh.Name)
	if err := f.Create(ctx, fresh); err != nil {
		f.scale.ObserveScale(key, store.Create, fresh.Name)
		return err // ok: lowered
	}
	f.scale.ExpectScale(key, store.Delete, old.Name)
	if err := f.Delete(ctx, old); client.IgnoreNotFound(err) != nil {
		log.Println("cannot delete", old.Name)
		return err // want notlowered "f.scale keeps the expectation set at line 74, but Delete failed (line 75): later reconciles of the key wait for it; lower it before this return" @74 "ExpectScale of f.scale sets the expectation here" @75 "Delete fails here"
	}
	return nil
}

// gone takes a pod that is not there for deleted.
func (f *Fleet) gone(ctx context.Context, key string, pods []*corev1.Pod) error {
	for _, pod := range pods {
		f.scale.ExpectScale(key, store.Delete, pod.Name)
		if err := f.Delete(ctx, pod); err != nil {
			if apierrors.IsNotFound(err) {
				return nil // ok: a choice
			}
			f.scale.ObserveScale(key, store.Delete, pod.Name)
			return err
		}
	}
	return nil
}

// later lowers what was not made, all at once.
func (f *Fleet) later(ctx context.Context, key string, pods []*corev1.Pod) error {
	made := 0
	if err := f.tally.ExpectCreations(key, len(pods)); err != nil {
		return err
	}
	var err error
	for _, pod := range pods {
		if err = f.Create(ctx, pod); err != nil {
			break
		}
		made++
	}
	if skipped := len(pods) - made; skipped > 0 {
		f.tally.LowerExpectations(key, skipped, 0)
	}
	return err // ok: lowered as far as needed
}

// spawned creates and lowers in goroutines.
func (f *Fleet) spawned(ctx context.Context, key string, pods []*corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, len(pods)); err != nil {
		return err
	}
	var wg sync.WaitGroup
	for _, pod := range pods {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := f.Create(ctx, pod); err != nil {
				f.tally.CreationObserved(key)
			}
		}()
	}
	wg.Wait()
	return ctx.Err()
}

// deferred lowers on the way out.
func (f *Fleet) deferred(ctx context.Context, key string, pod *corev1.Pod) (err error) {
	f.tally.RaiseExpectations(key, 1, 0)
	defer func() {
		if err != nil {
			f.tally.CreationObserved(key)
		}
	}()
	return f.Create(ctx, pod)
}

// callee leaves it to its caller.
func (f *Fleet) callee(ctx context.Context, key string, pod *corev1.Pod) error {
	f.tally.RaiseExpectations(key, 1, 0)
	if err := f.Create(ctx, pod); err != nil {
		return err // ok: the caller lowers
	}
	return nil
}

func (f *Fleet) caller(ctx context.Context, key string, pod *corev1.Pod) error {
	err := f.callee(ctx, key, pod)
	if err != nil {
		f.tally.CreationObserved(key)
	}
	return err
}

// version expects what a write has given.
func (f *Fleet) version(ctx context.Context, pod *corev1.Pod, versions objects) error {
	if err := f.Update(ctx, pod); err != nil {
		return err
	}
	versions.Expect(pod)
	if err := f.Status().Update(ctx, pod); err != nil {
		return err // ok: the first write has happened
	}
	return nil
}

type objects interface {
	Expect(obj client.Object)
	Observe(obj client.Object)
	IsSatisfied(obj client.Object) bool
}

// gates takes gates away and expects to see it.
func (f *Fleet) gates(ctx context.Context, key types.NamespacedName, pod *corev1.Pod) error {
	f.names.ExpectNames(key, pod.Name)
	if err := f.Patch(ctx, pod, client.Merge); err != nil {
		return errors.Join(err, ctx.Err()) // want notlowered "f.names keeps the expectation set at line 183, but Patch failed (line 184): later reconciles of the key wait for it; lower it before this return" @183 "ExpectNames of f.names sets the expectation here" @184 "Patch fails here"
	}
	return nil
}

// batch makes pods in a function literal.
func (f *Fleet) batch(ctx context.Context, key string, pods []*corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, len(pods)); err != nil {
		return err
	}
	err := each(len(pods), func(i int) error { return f.Create(ctx, pods[i]) })
	if err != nil {
		return err // want notlowered "f.tally keeps the expectation set at line 192, but each failed (line 195): later reconciles of the key wait for it; lower it before this return" @192 "ExpectCreations of f.tally sets the expectation here" @195 "each fails here"
	}
	return nil
}

func each(n int, fn func(int) error) error {
	for i := range n {
		if err := fn(i); err != nil {
			return err
		}
	}
	return nil
}

// grows makes pods in another function.
func (f *Fleet) grows(ctx context.Context, key string, pods []*corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, len(pods)); err != nil {
		return err
	}
	return f.fill(ctx, pods) // want notlowered "f.tally keeps the expectation set at line 213, but fill failed (line 216): later reconciles of the key wait for it; lower it before this return" @213 "ExpectCreations of f.tally sets the expectation here" @216 "fill fails here"
}

func (f *Fleet) fill(ctx context.Context, pods []*corev1.Pod) error {
	for _, pod := range pods {
		if err := f.Create(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

var _ = []any{(*Fleet).batch, (*Fleet).grows, (*Fleet).forgets, (*Fleet).lowers, (*Fleet).half, (*Fleet).gone, (*Fleet).later, (*Fleet).spawned,
	(*Fleet).deferred, (*Fleet).caller, (*Fleet).version, (*Fleet).gates}

func batch(n int, f func() error) error {
	for range n {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// notes lowers where the closure has noted a failure.
func (f *Fleet) notes(ctx context.Context, key string, pod *corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, 2); err != nil {
		return err
	}
	failed := false
	err := batch(2, func() error {
		if err := f.Create(ctx, pod); err != nil {
			failed = true
			return err
		}
		return nil
	})
	if failed {
		f.tally.CreationObserved(key)
	}
	return err // ok: lowered where it failed
}

// succeeds calls what never fails.
func (f *Fleet) succeeds(ctx context.Context, key string, pod *corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err
	}
	if err := f.label(pod); err != nil {
		return err // ok: label gives no error
	}
	if err := f.Create(ctx, pod); err != nil {
		f.tally.CreationObserved(key)
		return err // ok: lowered
	}
	return nil
}

func (f *Fleet) label(pod *corev1.Pod) error {
	pod.Labels = map[string]string{"fleet": "yes"}
	return nil
}
