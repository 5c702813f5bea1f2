// Package fixed returns in front of the deletion for what a field of the spec says.
package fixed

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/fixed/api"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// required is said by a field that the API server lets nobody change: where it is empty, there has been no finalizer.
func (r *reconciler) required(ctx context.Context, obj *api.Repo) error {
	if obj.Spec.Source.URL == "" { // ok
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// optional is said by one that may go.
func (r *reconciler) optional(ctx context.Context, obj *api.Fork) error {
	if obj.Spec.Source.Branch == "" { // want unreachable "obj keeps its finalizer for as long as its Spec.Source.Branch says so: a deleted object goes another way here and never comes to line 35, behind which alone the finalizer goes; handle the deletion first" @35 "the deletion is handled from here on"
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// free is said by one that may become another.
func (r *reconciler) free(ctx context.Context, obj *api.Tag) error {
	if obj.Spec.Source.Mode == "none" { // want unreachable "obj keeps its finalizer for as long as its Spec.Source.Mode says so: a deleted object goes another way here and never comes to line 48, behind which alone the finalizer goes; handle the deletion first" @48 "the deletion is handled from here on"
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// held asks for what is always there.
func (r *reconciler) held(ctx context.Context, obj *api.Held) error {
	if obj.Spec.Holder == nil {
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// read asks for what may be null.
func (r *reconciler) read(ctx context.Context, obj *api.Read) error {
	if obj.Spec.Reader == nil { // want unreachable "obj keeps its finalizer for as long as its Spec.Reader says so: a deleted object goes another way here and never comes to line 74, behind which alone the finalizer goes; handle the deletion first" @74 "the deletion is handled from here on"
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// written asks for what may be absent.
func (r *reconciler) written(ctx context.Context, obj *api.Written) error {
	if obj.Spec.Writer == nil { // want unreachable "obj keeps its finalizer for as long as its Spec.Writer says so: a deleted object goes another way here and never comes to line 87, behind which alone the finalizer goes; handle the deletion first" @87 "the deletion is handled from here on"
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// led leaves those with an owner alone, which are all.
func (r *reconciler) led(ctx context.Context, obj *api.Led) error {
	if obj.Spec.Holder != nil { // want unreachable "obj keeps its finalizer for as long as its Spec.Holder says so: a deleted object goes another way here and never comes to line 100, behind which alone the finalizer goes; handle the deletion first" @100 "the deletion is handled from here on"
		return nil
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	controllerutil.AddFinalizer(obj, guard)
	return r.Update(ctx, obj)
}
