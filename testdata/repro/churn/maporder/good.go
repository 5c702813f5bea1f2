package maporder

import (
	"context"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Good sorts the names.
type Good struct{ client.Client }

func (r Good) Deploy(ctx context.Context, key client.ObjectKey, options map[string]string) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	wanted := found.DeepCopy()
	var env []corev1.EnvVar
	for _, name := range slices.Sorted(maps.Keys(options)) {
		env = append(env, corev1.EnvVar{Name: name, Value: options[name]})
	}
	wanted.Spec.Template.Spec.Containers = []corev1.Container{{Name: "exporter", Env: env}}
	if equality.Semantic.DeepEqual(found.Spec, wanted.Spec) {
		return nil
	}
	return r.Update(ctx, wanted)
}
