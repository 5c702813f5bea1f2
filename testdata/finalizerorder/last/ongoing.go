package last

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type state string

const (
	stateEnding state = "shutting-down"
	stateEnded  state = "terminated"
)

type instance struct{ State state }

type instances interface {
	Find(ctx context.Context, name string) (*instance, error)
	Stop(ctx context.Context, name string) error
}

type nodes struct {
	reconciler
	cloud instances
}

// ended takes a machine that is on its way out for one that is gone.
func (n *nodes) ended(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	switch machine.State {
	case stateEnding, stateEnded:
	default:
		if err := n.cloud.Stop(ctx, node.Name); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(node, guard) // want notawaited "node loses its finalizer here while what it guards may still be on its way out: line 39 finds that by State, and comes straight here; come back until it is gone" @39 "it is on its way out here"
	return n.Update(ctx, node)
}

// waited comes back for it.
func (n *nodes) waited(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if machine.State == stateEnding {
		return errInUse
	}
	controllerutil.RemoveFinalizer(node, guard)
	return n.Update(ctx, node)
}

// stopped asks once more, and that may fail until it is gone.
func (n *nodes) stopped(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if machine.State != stateEnding {
		return errInUse
	}
	if err := n.cloud.Stop(ctx, node.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, guard)
	return n.Update(ctx, node)
}

// gone asks for the end itself.
func (n *nodes) gone(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	machine, err := n.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if machine.State != stateEnded {
		return errInUse
	}
	controllerutil.RemoveFinalizer(node, guard)
	return n.Update(ctx, node)
}
