// Package named looks up what others look after: who names it decides whether it may go first.
package named

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/named/api"
)

const guard = "example.com/data"

type reconciler struct{ client.Client }

// inSpec names a kind of another module, which does not know tables.
func (r *reconciler) inSpec(ctx context.Context, table *api.Table) error {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := r.Get(ctx, types.NamespacedName{Name: fmt.Sprintf("%s.example.com", table.Spec.Definition)}, crd); err != nil { // want unreachable "table keeps its finalizer if its CustomResourceDefinition is gone: this lookup fails before line 29 removes it; handle deletion first or ignore NotFound" @29 "the finalizer is removed here"
		return err
	}
	if table.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(table, guard)
		return r.Update(ctx, table)
	}
	return nil
}

// labelled has been given its name by somebody, who may see to it that the other one stays.
func (r *reconciler) labelled(ctx context.Context, view *api.View) error {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := r.Get(ctx, types.NamespacedName{Name: view.Labels["definition"]}, crd); err != nil {
		return err // ok: who has set the label may wait for it
	}
	if view.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(view, guard)
		return r.Update(ctx, view)
	}
	return nil
}

// through another object, which may keep what it names.
func (r *reconciler) through(ctx context.Context, index *api.Index) error {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := r.Get(ctx, types.NamespacedName{Name: index.Labels["definition"]}, crd); err != nil {
		return client.IgnoreNotFound(err)
	}
	svc := &corev1.Service{}
	if err := r.Get(ctx, types.NamespacedName{Name: crd.Spec.Names.Plural, Namespace: index.Namespace}, svc); err != nil {
		return err // ok: it is the definition's
	}
	if index.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(index, guard)
		return r.Update(ctx, index)
	}
	return nil
}

type session struct{ password []byte }

func (s *session) drop(name string) error {
	if len(s.password) == 0 {
		return fmt.Errorf("cannot drop %s", name)
	}
	return nil
}

func (r *reconciler) login(ctx context.Context, name string) (*session, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, types.NamespacedName{Name: name}, secret); err != nil {
		return nil, err
	}
	return &session{secret.Data["password"]}, nil
}

// needed cannot clean up without the password.
func (r *reconciler) needed(ctx context.Context, role *api.Role) error {
	s, err := r.login(ctx, role.Spec.Password)
	if err != nil {
		return err // ok: the role waits for the password
	}
	if role.DeletionTimestamp != nil {
		if err := s.drop(role.Name); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(role, guard)
		return r.Update(ctx, role)
	}
	return nil
}

// unneeded cleans up nothing that takes the password.
func (r *reconciler) unneeded(ctx context.Context, grant *api.Grant) error {
	if _, err := r.login(ctx, grant.Spec.Password); err != nil { // want unreachable "grant keeps its finalizer if its Secret is gone: this lookup fails before line 104 removes it; handle deletion first or ignore NotFound" @104 "the finalizer is removed here" @76 "looked up here"
		return err
	}
	if grant.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(grant, guard)
		return r.Update(ctx, grant)
	}
	return nil
}

// ofAnyKind looks up what the spec names, whatever it is.
func (r *reconciler) ofAnyKind(ctx context.Context, trigger *api.Trigger) error {
	target := &unstructured.Unstructured{}
	if err := r.Get(ctx, types.NamespacedName{Name: trigger.Spec.Server}, target); err != nil { // want unreachable "trigger keeps its finalizer if another object is gone: this lookup fails before line 117 removes it; handle deletion first or ignore NotFound" @117 "the finalizer is removed here"
		return err
	}
	if trigger.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(trigger, guard)
		return r.Update(ctx, trigger)
	}
	return nil
}

var _ = []any{
	(*reconciler).ofAnyKind,
	(*reconciler).inSpec, (*reconciler).labelled, (*reconciler).through, (*reconciler).needed, (*reconciler).unneeded,
}
