// Package checked looks whether the spec of an object is as it should be, before or behind the deletion.
package checked

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type services struct{ client.Client }

func validate(svc *corev1.Service) error {
	if len(svc.Spec.Ports) == 0 {
		return errors.New("no ports")
	}
	var all field.ErrorList
	for i, p := range svc.Spec.Ports {
		if p.Port == 0 {
			all = append(all, field.Required(field.NewPath("spec", "ports").Index(i), "a port"))
		}
	}
	return all.ToAggregate()
}

func (r *services) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := validate(svc); err != nil { // want unreachable "svc keeps its finalizer for as long as its Spec says so: a deleted object goes another way here and never comes to line 43, behind which alone the finalizer goes; handle the deletion first" @43 "the deletion is handled from here on"
		return ctrl.Result{}, nil
	}
	if svc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(svc, guard)
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	controllerutil.AddFinalizer(svc, guard)
	return ctrl.Result{}, r.Update(ctx, svc)
}

type sets struct{ client.Client }

func validSet(set *appsv1.StatefulSet) error {
	if set.Spec.ServiceName == "" {
		return fmt.Errorf("%s has no service", set.Name)
	}
	return nil
}

// Reconcile sees to the deletion first.
func (r *sets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) { // ok
	set := &appsv1.StatefulSet{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if set.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(set, guard)
		return ctrl.Result{}, r.Update(ctx, set)
	}
	if err := validSet(set); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.AddFinalizer(set, guard)
	return ctrl.Result{}, r.Update(ctx, set)
}

type jobs struct{ client.Client }

// ready asks for something else.
func (r *jobs) ready(ctx context.Context, job *batchv1.Job) error {
	return r.Get(ctx, client.ObjectKey{Namespace: job.Namespace, Name: job.Spec.Template.Spec.ServiceAccountName}, &corev1.ServiceAccount{})
}

func (r *jobs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) { // ok: it waits, perhaps on purpose
	job := &batchv1.Job{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.ready(ctx, job); err != nil && !controllerutil.ContainsFinalizer(job, "example.com/other") {
		return ctrl.Result{Requeue: true}, nil
	}
	if job.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(job, guard)
		return ctrl.Result{}, r.Update(ctx, job)
	}
	controllerutil.AddFinalizer(job, guard)
	return ctrl.Result{}, r.Update(ctx, job)
}

type maps struct{ client.Client }

// named asks for what never changes.
func named(cm *corev1.ConfigMap) error {
	if cm.Name == "" {
		return errors.New("no name")
	}
	return nil
}

func (r *maps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) { // ok
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := named(cm); err != nil {
		return ctrl.Result{}, nil
	}
	if cm.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(cm, guard)
		return ctrl.Result{}, r.Update(ctx, cm)
	}
	controllerutil.AddFinalizer(cm, guard)
	return ctrl.Result{}, r.Update(ctx, cm)
}
