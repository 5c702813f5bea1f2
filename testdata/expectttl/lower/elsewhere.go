package lower

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"example.com/operators/expectttl/lower/pods"
)

// elsewhere makes the pod in a function of another package, whose name does not say so.
func (f *Fleet) elsewhere(ctx context.Context, key string, pod *corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err
	}
	return pods.Sync(ctx, f.Client, pod) // want notlowered "f.tally keeps the expectation set at line 13, but Sync failed (line 16): later reconciles of the key wait for it; lower it before this return" @13 "ExpectCreations of f.tally sets the expectation here" @16 "Sync fails here"
}

// named fails where a function of another package fails that makes nothing, whatever its name says, and lowers where the pod is made.
func (f *Fleet) named(ctx context.Context, key string, pod *corev1.Pod) error {
	name, err := pods.CreateName(pod)
	if err != nil {
		return err
	}
	pod.Name = name
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err
	}
	if err := pods.Sync(ctx, f.Client, pod); err != nil {
		f.tally.CreationObserved(key)
		return err
	}
	return nil
}

// after makes no pod after it expects one: the name alone would be one of a write.
func (f *Fleet) after(key string, pod *corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err
	}
	if _, err := pods.CreateName(pod); err != nil {
		return err
	}
	return nil
}

// forgetsElsewhere never lowers.
func (f *Fleet) forgetsElsewhere(ctx context.Context, key string, pod *corev1.Pod) error {
	if err := f.tally.ExpectCreations(key, 1); err != nil {
		return err
	}
	if err := pods.Sync(ctx, f.Client, pod); err != nil {
		return err // want notlowered "f.tally keeps the expectation set at line 49, but Sync failed (line 52): later reconciles of the key wait for it; lower it before this return" @49 "ExpectCreations of f.tally sets the expectation here" @52 "Sync fails here"
	}
	return nil
}
