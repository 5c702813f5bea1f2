// Package overwrite sets the same key of a store more than once.
package overwrite

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/store"
)

// Fleet makes and deletes pods.
type Fleet struct {
	client.Client
	tally store.Tally
	scale store.Scale
}

func keyOf(pod *corev1.Pod, what string) string { return pod.Namespace + "/" + pod.Name + "/" + what }

// loop counts one at a time.
func (f *Fleet) loop(ctx context.Context, owner *corev1.Pod, pods []*corev1.Pod) {
	key := keyOf(owner, "pods")
	for _, pod := range pods {
		_ = f.tally.ExpectCreations(key, 1) // want overwritten "f.tally forgets what this ExpectCreations expects when the next pass of the loop sets the same key again: it counts as satisfied before all has been seen"
		if f.Create(ctx, pod) != nil {
			f.tally.CreationObserved(key)
		}
	}
}

// raise adds.
func (f *Fleet) raise(ctx context.Context, owner *corev1.Pod, pods []*corev1.Pod) {
	key := keyOf(owner, "pods")
	for _, pod := range pods {
		f.tally.RaiseExpectations(key, 1, 0) // ok: adds
		if f.Create(ctx, pod) != nil {
			f.tally.CreationObserved(key)
		}
	}
}

// keys has a key for each.
func (f *Fleet) keys(ctx context.Context, pods []*corev1.Pod) {
	for _, pod := range pods {
		key := keyOf(pod, "self")
		_ = f.tally.ExpectCreations(key, 1) // ok: another key
		if f.Create(ctx, pod) != nil {
			f.tally.CreationObserved(key)
		}
	}
}

// once leaves the loop.
func (f *Fleet) once(ctx context.Context, owner *corev1.Pod, pods []*corev1.Pod) {
	for _, pod := range pods {
		if pod.Name == "" {
			_ = f.tally.ExpectCreations(keyOf(owner, "pods"), 1) // ok: one pass
			if f.Create(ctx, pod) != nil {
				f.tally.CreationObserved(keyOf(owner, "pods"))
			}
			return
		}
	}
}

// both expects creations, and then deletions that replace them.
func (f *Fleet) both(owner *corev1.Pod, more, less int) {
	_ = f.tally.ExpectCreations(keyOf(owner, "pods"), more) // want overwritten "f.tally forgets what this ExpectCreations expects when ExpectDeletions at line 71 sets the same key again: it counts as satisfied before all has been seen"
	_ = f.tally.ExpectDeletions(keyOf(owner, "pods"), less)
}

// either is one or the other.
func (f *Fleet) either(owner *corev1.Pod, diff int) {
	grow := diff > 0
	if grow {
		_ = f.tally.ExpectCreations(keyOf(owner, "pods"), diff) // ok: not on the way to the other one
	}
	if !grow {
		_ = f.tally.ExpectDeletions(keyOf(owner, "pods"), -diff)
	}
}

// rounds waits in between.
func (f *Fleet) rounds(owner *corev1.Pod, n int) {
	key := keyOf(owner, "pods")
	_ = f.tally.ExpectCreations(key, n)
	if f.tally.SatisfiedExpectations(key) {
		_ = f.tally.ExpectDeletions(key, n) // ok: asked before
	}
}

// names is of a store that adds.
func (f *Fleet) names(key string, pods []*corev1.Pod) {
	for _, pod := range pods {
		f.scale.ExpectScale(key, store.Create, pod.Name) // ok: adds
	}
}

// one is called in a loop with one key.
func (f *Fleet) one(ctx context.Context, owner *corev1.Pod, kind string, pod *corev1.Pod) {
	key := keyOf(owner, kind)
	_ = f.tally.ExpectCreations(key, 1)
	if f.Create(ctx, pod) != nil {
		f.tally.CreationObserved(key)
	}
}

func (f *Fleet) all(ctx context.Context, owner *corev1.Pod, pods []*corev1.Pod) {
	for _, pod := range pods {
		f.one(ctx, owner, "pods", pod) // want overwritten "f.tally forgets what ExpectCreations at line 104 expects when the next pass of this loop sets the same key again: it counts as satisfied before all has been seen" @104 "ExpectCreations of f.tally sets the expectation here"
	}
	for _, kind := range []string{"a", "b"} {
		f.one(ctx, owner, kind, owner) // ok: a key for each kind
	}
}

var _ = []any{(*Fleet).loop, (*Fleet).raise, (*Fleet).keys, (*Fleet).once, (*Fleet).both, (*Fleet).either,
	(*Fleet).rounds, (*Fleet).names, (*Fleet).all}
