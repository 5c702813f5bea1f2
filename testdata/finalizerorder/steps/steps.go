// Package steps cleans up step by step.
package steps

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/steps/inrow"
)

const guard = "example.com/guard"

type cloud interface {
	Drain(ctx context.Context, name string) error
	DeleteRack(ctx context.Context, name string) error
}

type racks struct {
	client.Client
	cloud    cloud
	teardown []inrow.Step[*corev1.Node]
	right    []inrow.Step[*corev1.Node]
	changed  []inrow.Step[*corev1.Node]
}

func newRacks(c client.Client, at cloud) *racks {
	r := &racks{Client: c, cloud: at}
	r.teardown = []inrow.Step[*corev1.Node]{{Name: "drain", Do: r.drain}, {Name: "release", Do: r.release}, {Name: "rack", Do: r.remove}}
	r.right = []inrow.Step[*corev1.Node]{{Name: "rack", Do: r.removed}, {Name: "release", Do: r.release}, {Name: "say", Do: r.say}}
	r.changed = []inrow.Step[*corev1.Node]{{Name: "release", Do: r.release}, {Name: "rack", Do: r.removed}}
	return r
}

func (r *racks) drain(ctx context.Context, node *corev1.Node) error {
	return r.cloud.Drain(ctx, node.Name)
}

func (r *racks) release(ctx context.Context, node *corev1.Node) error {
	if !controllerutil.RemoveFinalizer(node, guard) {
		return nil
	}
	return r.Update(ctx, node)
}

func (r *racks) remove(ctx context.Context, node *corev1.Node) error {
	return r.cloud.DeleteRack(ctx, node.Spec.ProviderID) // want writeafterremoval "node may be gone when DeleteRack cleans up in this step: the step release, which is run before it at line 69, has taken its finalizer off, so nobody tries again where this fails; put that last" @46 "the finalizer goes here" @69 "the steps are run here"
}

func (r *racks) removed(ctx context.Context, node *corev1.Node) error {
	return r.cloud.DeleteRack(ctx, node.Spec.ProviderID)
}

func (r *racks) say(ctx context.Context, node *corev1.Node) error {
	if err := r.cloud.Drain(ctx, node.Name); err != nil {
		klog.ErrorS(err, "draining what is gone")
	}
	return nil
}

// deleted has the rack deleted behind the release.
func (r *racks) deleted(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	return inrow.Until(ctx, node, r.teardown)
}

// wellDeleted has it deleted before.
func (r *racks) wellDeleted(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	return inrow.Until(ctx, node, r.right)
}

// backwards begins with the last step.
func (r *racks) backwards(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	return inrow.Backwards(ctx, node, r.changed)
}

// all says what has failed, and does not end there.
func (r *racks) all(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	return inrow.All(ctx, node, r.changed)
}

// living is about nodes that are not being deleted.
func (r *racks) living(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp != nil {
		return nil
	}
	return inrow.Until(ctx, node, r.changed)
}

func (r *racks) taken(ctx context.Context, node *corev1.Node) error {
	return r.cloud.DeleteRack(ctx, node.Name) // want writeafterremoval "node may be gone when DeleteRack cleans up in this step: the step release, which is run before it at line 114, has taken its finalizer off, so nobody tries again where this fails; put that last" @46 "the finalizer goes here" @114 "the steps are run here"
}

// here runs its steps itself.
func (r *racks) here(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	for _, step := range []func(context.Context, *corev1.Node) error{r.drain, r.release, r.taken} {
		if err := step(ctx, node); err != nil {
			return err
		}
	}
	return nil
}

type bays struct {
	racks
	either []inrow.Step[*corev1.Node]
}

// fill sets the list in two ways.
func (b *bays) fill(late bool) {
	b.either = []inrow.Step[*corev1.Node]{{Name: "rack", Do: b.removed}, {Name: "release", Do: b.release}}
	if late {
		b.either = []inrow.Step[*corev1.Node]{{Name: "release", Do: b.release}, {Name: "rack", Do: b.removed}}
	}
}

// perhaps runs one of two lists.
func (b *bays) perhaps(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	return inrow.Until(ctx, node, b.either)
}

// A shelf has one list for both lives.
type shelf struct {
	racks
	both []inrow.Step[*corev1.Node]
}

func newShelf(r *racks) *shelf {
	s := &shelf{racks: *r}
	s.both = []inrow.Step[*corev1.Node]{{Name: "release", Do: s.releaseDeleted}, {Name: "prune", Do: s.prune}}
	return s
}

func (s *shelf) releaseDeleted(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(node, guard)
	return s.Update(ctx, node)
}

// prune is for nodes that live.
func (s *shelf) prune(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp != nil {
		return nil
	}
	return s.cloud.DeleteRack(ctx, node.Spec.ProviderID) // ok
}

func (s *shelf) deleted(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp == nil {
		return nil
	}
	return inrow.Until(ctx, node, s.both)
}
