// Package maporder has a Deployment whose environment comes from a map.
package maporder

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Bad has another order each time.
type Bad struct{ client.Client }

func (r Bad) Deploy(ctx context.Context, key client.ObjectKey, options map[string]string) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	wanted := found.DeepCopy()
	var env []corev1.EnvVar
	for name, value := range options {
		env = append(env, corev1.EnvVar{Name: name, Value: value}) // want maporder "Container.Env is in map order, which differs on each reconcile: the object is updated again and again; sort it" @26 "it is stored in Container.Env here" @30 "the cluster gets it here"
	}
	wanted.Spec.Template.Spec.Containers = []corev1.Container{{Name: "exporter", Env: env}}
	if equality.Semantic.DeepEqual(found.Spec, wanted.Spec) {
		return nil
	}
	return r.Update(ctx, wanted)
}
