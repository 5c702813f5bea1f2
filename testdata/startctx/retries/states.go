package retries

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"example.com/operators/startctx/retries/client"
)

type phase string

// machine has a function for each phase of a pod.
type machine struct {
	pods  *client.Pods
	steps map[phase]func(ctx context.Context, pod *corev1.Pod) error
}

func newMachine(pods *client.Pods) *machine {
	m := &machine{pods: pods, steps: map[phase]func(ctx context.Context, pod *corev1.Pod) error{}}
	m.steps["ready"] = m.ready
	m.steps["pending"] = m.pending
	m.steps["failed"] = m.failed
	m.steps["deleted"] = m.deleted
	m.steps["unknown"] = m.unknown
	return m
}

// step gives each pod a minute.
func (m *machine) step(of phase, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return m.steps[of](ctx, pod)
}

func (m *machine) ready(context.Context, *corev1.Pod) error { return nil }

func (m *machine) pending(ctx context.Context, pod *corev1.Pod) error {
	_, err := m.pods.Get(ctx, pod.Namespace, pod.Name)
	return err
}

// failed asks until the pod is gone.
func (m *machine) failed(ctx context.Context, pod *corev1.Pod) error {
	for {
		_, err := m.pods.Get(ctx, pod.Namespace, pod.Name) // want loop "once ctx has ended m.pods.Get fails at once, and the loop in (*machine).failed takes that for an error that passes: it asks again and again, and goes on for ever; leave it where ctx.Err() is not nil" @47 "the context that has ended"
		if apierrors.IsNotFound(err) {
			return nil
		}
		klog.Errorf("pod %s is still there: %v", pod.Name, err)
	}
}

// deleted asks until the pod is gone, or the time is over.
func (m *machine) deleted(ctx context.Context, pod *corev1.Pod) error {
	for ctx.Err() == nil {
		if _, err := m.pods.Get(ctx, pod.Namespace, pod.Name); apierrors.IsNotFound(err) { // ok
			return nil
		}
	}
	return ctx.Err()
}

// unknown has a context of its own.
func (m *machine) unknown(_ context.Context, pod *corev1.Pod) error {
	ctx := context.Background()
	for {
		if _, err := m.pods.Get(ctx, pod.Namespace, pod.Name); err == nil { // ok
			return nil
		}
	}
}

var _ = []any{newMachine, (*machine).step}
