// Package migration moves virtual machines between hosts.
package migration

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// HostAnnotation names the host on which a launcher pod's machine is.
const HostAnnotation = "vm.acme.io/host"

// TargetAnnotation asks the agent to move the machine.
const TargetAnnotation = "vm.acme.io/migrate-to"

// Mover moves machines by the annotations of their launcher pods.
type Mover struct {
	Client   client.Client
	Interval time.Duration
}

// Begin asks for the migration.
func (m *Mover) Begin(ctx context.Context, launcher *corev1.Pod, target string) error {
	if launcher.Annotations[TargetAnnotation] == target {
		return nil
	}
	base := launcher.DeepCopy()
	if launcher.Annotations == nil {
		launcher.Annotations = map[string]string{}
	}
	launcher.Annotations[TargetAnnotation] = target
	return m.Client.Patch(ctx, launcher, client.MergeFrom(base))
}

// Await comes back when the machine is on its target, or when the context ends.
func (m *Mover) Await(ctx context.Context, key client.ObjectKey, target string) error {
	logger := log.FromContext(ctx).WithValues("launcher", key)
	err := wait.PollUntilContextCancel(ctx, m.Interval, true, func(ctx context.Context) (bool, error) {
		pod := &corev1.Pod{}
		switch err := m.Client.Get(ctx, key, pod); {
		case apierrors.IsNotFound(err):
			return false, err
		case err != nil:
			logger.Error(err, "cannot see the launcher")
			return false, nil
		}
		return pod.Annotations[HostAnnotation] == target, nil
	})
	if err != nil {
		return fmt.Errorf("migration of %s to %s: %w", key, target, err)
	}
	return nil
}
