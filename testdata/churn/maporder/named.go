package maporder

import (
	"context"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A store is implemented elsewhere: its name says that it writes.
type store interface {
	Apply(ctx context.Context, obj client.Object) error
	Show(obj client.Object) error
}

func same(a, b *corev1.Pod) bool { return reflect.DeepEqual(a.Spec, b.Spec) }

func applied(ctx context.Context, s store, pod *corev1.Pod, app *App) error {
	var volumes []corev1.Volume
	for k := range app.Spec.Options {
		volumes = append(volumes, corev1.Volume{Name: k}) // want maporder "PodSpec.Volumes is in map order, which differs on each reconcile: the object is updated again and again; sort it" @24 "it is stored in PodSpec.Volumes here" @25 "the cluster gets it here"
	}
	pod.Spec.Volumes = volumes
	return s.Apply(ctx, pod)
}

func shown(s store, pod *corev1.Pod, app *App) error {
	var volumes []corev1.Volume
	for k := range app.Spec.Options {
		volumes = append(volumes, corev1.Volume{Name: k})
	}
	pod.Spec.Volumes = volumes
	return s.Show(pod)
}
