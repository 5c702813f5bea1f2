package ignored

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type finalizer struct{ client client.Client }

func (f *finalizer) ready(ctx context.Context, pod *corev1.Pod) error {
	if err := f.client.Get(ctx, client.ObjectKeyFromObject(pod), pod); err != nil {
		return err
	}
	if pod.Status.Phase != corev1.PodRunning {
		return errors.New("it does not run")
	}
	return nil
}

// reverts looks at the error of the revert twice.
func (f *finalizer) reverts(ctx context.Context, pod *corev1.Pod) error {
	err := f.client.Update(ctx, pod)
	if err != nil {
		return fmt.Errorf("reverting: %w", err)
	}
	retry.OnError(retry.DefaultBackoff, func(error) bool { return true }, func() error { return f.ready(ctx, pod) }) // want ignoredresult "the error of retry.OnError is dropped, and the test behind it is about an older one, which is nil here: where it has not come to what it waits for, (*finalizer).reverts goes on as if it had" @34 "this is never true"
	if err != nil {
		return fmt.Errorf("waiting: %w", err)
	}
	return f.client.Delete(ctx, pod)
}

// polls does so as well.
func (f *finalizer) polls(ctx context.Context, pod *corev1.Pod) error {
	err := f.client.Update(ctx, pod)
	if err != nil {
		return err
	}
	wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) { return f.ready(ctx, pod) == nil, nil }) // want ignoredresult "the error of wait.PollUntilContextTimeout is dropped, and the test behind it is about an older one, which is nil here: where it has not come to what it waits for, (*finalizer).polls goes on as if it had" @47 "this is never true"
	if err != nil {
		return err
	}
	return f.client.Delete(ctx, pod)
}

// asks has its own error.
func (f *finalizer) asks(ctx context.Context, pod *corev1.Pod) error {
	err := f.client.Update(ctx, pod)
	if err != nil {
		return err
	}
	err = retry.OnError(retry.DefaultBackoff, func(error) bool { return true }, func() error { return f.ready(ctx, pod) })
	if err != nil { // ok: this one
		return err
	}
	return f.client.Delete(ctx, pod)
}

// later looks at both.
func (f *finalizer) later(ctx context.Context, pod *corev1.Pod) error {
	err := f.client.Update(ctx, pod)
	retry.OnError(retry.DefaultBackoff, func(error) bool { return true }, func() error { return f.ready(ctx, pod) }) // ok: in any case
	if err != nil {
		return err
	}
	return nil
}

// outside gives the error from within.
func (f *finalizer) outside(ctx context.Context, pod *corev1.Pod) error {
	var err error
	wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		err = f.ready(ctx, pod)
		return err == nil, nil
	})
	if err != nil { // ok: the last one of the function that is polled
		return err
	}
	return f.client.Delete(ctx, pod)
}
