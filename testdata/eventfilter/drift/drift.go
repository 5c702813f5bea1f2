// Package drift has controllers that own objects without a generation.
package drift

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// writing fills in its ConfigMaps, and reads nothing of them.
type writing struct{ client.Client }

func (r *writing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"name": req.Name}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *writing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.ConfigMap: its metadata.generation never changes, so drift persists; compare its content" @32 "*v1.ConfigMap is watched here"
		Complete(r)
}

// reading has its Secrets filled in by somebody else.
type reading struct{ client.Client }

func (r *reading) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, err
	}
	if len(secret.Data["tls.crt"]) == 0 {
		return ctrl.Result{}, nil // it comes
	}
	return ctrl.Result{}, r.roll(ctx, req)
}

func (r *reading) roll(ctx context.Context, req ctrl.Request) error {
	return r.Patch(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}, client.Merge)
}

func (r *reading) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.Secret: its metadata.generation never changes; compare its content" @56 "*v1.Secret is watched here"
		Complete(r)
}

// waiting reads the address that a Service gets.
type waiting struct{ client.Client }

func (r *waiting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	service := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, service); err != nil {
		return ctrl.Result{}, err
	}
	if len(service.Status.LoadBalancer.Ingress) == 0 {
		return ctrl.Result{}, nil // it comes
	}
	return ctrl.Result{}, r.Delete(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}})
}

func (r *waiting) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).
		Owns(&corev1.Service{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.Service: its metadata.generation never changes; compare its content" @76 "*v1.Service is watched here"
		Complete(r)
}

// mapped queues the owners of what it writes by a handler, through any of their references.
type mapped struct{ writing }

func (r *mapped) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &appsv1.Deployment{}),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.ConfigMap: its metadata.generation never changes, so drift persists; compare its content" @85 "*v1.ConfigMap is watched here"
		Complete(r)
}
