package refused

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/refused/api"
)

// surveyors and diggers look after the same plots, each with a finalizer of their own: when one is done, the other one's is still there.
type (
	surveyors struct{ client.Client }
	diggers   struct{ client.Client }
)

func (s *surveyors) survey(ctx context.Context, plot *api.Plot) error {
	if controllerutil.AddFinalizer(plot, "example.com/survey") { // want addedwhiledeleting "plot gets a finalizer here before line 23 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, and one without this finalizer stays for as long as it has the other one, which line 32 takes off: each reconcile of it fails here; handle the deletion first" @23 "the check of the deletion timestamp" @32 "the other finalizer goes here"
		return s.Update(ctx, plot)
	}
	if !plot.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(plot, "example.com/survey")
		return s.Update(ctx, plot)
	}
	return nil
}

func (d *diggers) dig(ctx context.Context, plot *api.Plot) error {
	if !plot.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(plot, "example.com/dig")
		return d.Update(ctx, plot)
	}
	if controllerutil.AddFinalizer(plot, "example.com/dig") {
		return d.Update(ctx, plot)
	}
	return nil
}

// builders took over from a version that called the finalizer otherwise.
type builders struct{ client.Client }

func (b *builders) build(ctx context.Context, shed *api.Shed) error {
	if controllerutil.AddFinalizer(shed, "example.com/shed") { // want addedwhiledeleting "shed gets a finalizer here before line 48 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, and one without this finalizer stays for as long as it has the other one, which line 51 takes off: each reconcile of it fails here; handle the deletion first" @48 "the check of the deletion timestamp" @51 "the other finalizer goes here"
		return b.Update(ctx, shed)
	}
	if shed.DeletionTimestamp.IsZero() {
		return nil
	}
	return b.tearDown(ctx, shed)
}

func (b *builders) tearDown(ctx context.Context, shed *api.Shed) error {
	controllerutil.RemoveFinalizer(shed, "example.com/hut")
	controllerutil.RemoveFinalizer(shed, "example.com/shed")
	return b.Update(ctx, shed)
}

// gardeners put both finalizers on at once: what has not the one has not the other either.
type gardeners struct{ client.Client }

func (g *gardeners) plant(ctx context.Context, hedge *api.Hedge) error {
	if controllerutil.AddFinalizer(hedge, "example.com/roots") || controllerutil.AddFinalizer(hedge, "example.com/leaves") { // want addedbeforecheck "hedge gets a finalizer here before line 67 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @67 "the check of the deletion timestamp" addedbeforecheck "hedge gets a finalizer here before line 67 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @67 "the check of the deletion timestamp"
		return g.Update(ctx, hedge)
	}
	if !hedge.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(hedge, "example.com/roots")
		controllerutil.RemoveFinalizer(hedge, "example.com/leaves")
		return g.Update(ctx, hedge)
	}
	return nil
}

// pavers go by what they are given, which may be the same one twice.
type pavers struct {
	client.Client
	finalizer string
}

func (p *pavers) pave(ctx context.Context, path *api.Path) error {
	if controllerutil.AddFinalizer(path, p.finalizer) { // want addedbeforecheck "path gets a finalizer here before line 85 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @85 "the check of the deletion timestamp"
		return p.Update(ctx, path)
	}
	if !path.DeletionTimestamp.IsZero() {
		return p.dig(ctx, path)
	}
	return nil
}

func (up *pavers) dig(ctx context.Context, path *api.Path) error {
	controllerutil.RemoveFinalizer(path, up.finalizer)
	return up.Update(ctx, path)
}

// of Kubernetes' own kinds, the claims of the one are not those of the other.
type claims struct{ client.Client }

func (c *claims) backUp(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if controllerutil.AddFinalizer(claim, "example.com/backup") { // want addedbeforecheck "claim gets a finalizer here before line 103 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @103 "the check of the deletion timestamp"
		return c.Update(ctx, claim)
	}
	if !claim.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(claim, "example.com/backup")
		return c.Update(ctx, claim)
	}
	return nil
}

func (c *claims) copyOut(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if !claim.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(claim, "example.com/copy")
		return c.Update(ctx, claim)
	}
	if controllerutil.AddFinalizer(claim, "example.com/copy") {
		return c.Update(ctx, claim)
	}
	return nil
}
