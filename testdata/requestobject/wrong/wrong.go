// Package wrong sends another object than the one with the changes.
package wrong

import (
	"context"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct {
	client.Client
	scheme *runtime.Scheme
}

func service() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "web"},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "web"}},
	}
}

// The stored cluster IP is lost, or the update refused.
func (r *reconciler) publish(ctx context.Context, owner *corev1.ConfigMap) error {
	wanted := service()
	if err := controllerutil.SetControllerReference(owner, wanted, r.scheme); err != nil {
		return err
	}
	existing := &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err != nil {
		if apierrors.IsNotFound(err) {
			return r.Create(ctx, wanted)
		}
		return err
	}
	if !reflect.DeepEqual(existing.Spec.Selector, wanted.Spec.Selector) {
		existing.Labels = wanted.Labels
		existing.Spec.Selector = wanted.Spec.Selector
		return r.Update(ctx, wanted) // want wrongobject "the changes are in existing (line 44), and wanted is sent, which has no resource version and so may overwrite all of it; send existing" @44 "this is never sent"
	}
	return nil
}

// A custom resource must have a resource version.
func (r *reconciler) define(ctx context.Context, scope apiextensions.ResourceScope) error {
	wanted := &apiextensions.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "webs.example.com"}}
	wanted.Spec.Scope = scope
	var existing apiextensions.CustomResourceDefinition
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), &existing); err != nil {
		return err
	}
	existing.Spec.Scope = wanted.Spec.Scope
	return r.Update(ctx, wanted) // want wrongobject "the changes are in existing (line 58), and wanted is sent, which has no resource version and so is refused; send existing" @58 "this is never sent"
}

// Good: the one with the changes is sent.
func (r *reconciler) published(ctx context.Context) error {
	wanted, existing := service(), &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err != nil {
		return err
	}
	existing.Spec.Selector = wanted.Spec.Selector
	return r.Update(ctx, existing)
}

// Near miss: the new one has the resource version.
func (r *reconciler) replaced(ctx context.Context) error {
	wanted, existing := service(), &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err != nil {
		return err
	}
	existing.Spec.Selector = wanted.Spec.Selector
	wanted.ResourceVersion = existing.ResourceVersion
	return r.Update(ctx, wanted)
}

// Near miss: the new one is what the stored one is compared with, and nothing is stored in that.
func (r *reconciler) compared(ctx context.Context) error {
	wanted, existing := service(), &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err != nil {
		return err
	}
	if reflect.DeepEqual(existing.Spec, wanted.Spec) {
		return nil
	}
	return r.Update(ctx, wanted)
}

// Near miss: both are sent.
func (r *reconciler) both(ctx context.Context) error {
	wanted, existing := service(), &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err != nil {
		return err
	}
	existing.Labels = wanted.Labels
	if err := r.Patch(ctx, existing, client.Merge); err != nil {
		return err
	}
	return r.Update(ctx, wanted)
}

// Near miss: what the function does with the stored one is not known.
func (r *reconciler) handed(ctx context.Context, store func(*corev1.Service)) error {
	wanted, existing := service(), &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err != nil {
		return err
	}
	existing.Labels = wanted.Labels
	store(existing)
	return r.Update(ctx, wanted)
}

// Near miss: it is sent where there was none.
func (r *reconciler) created(ctx context.Context) error {
	wanted, existing := service(), &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), existing); err == nil {
		existing.Labels = wanted.Labels
		return r.Update(ctx, existing)
	}
	return r.Update(ctx, wanted)
}
