package late

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// configs is a client of ConfigMaps by another name.
type configs interface {
	Get(name string) (*corev1.ConfigMap, error)
	Create(cm *corev1.ConfigMap) error
}

// machines are outside of the cluster.
type machines interface {
	Describe(ctx context.Context, cm *corev1.ConfigMap) (string, error)
	Create(cm *corev1.ConfigMap) error
}

// bootstrap creates the object itself.
func bootstrap(cs configs) error {
	cm := &corev1.ConfigMap{}
	cm.Name = "default"
	controllerutil.AddFinalizer(cm, guard) // ok: it is created with the finalizer
	return cs.Create(cm)
}

// provide creates something for the object.
func provide(ms machines, cm *corev1.ConfigMap) error {
	controllerutil.AddFinalizer(cm, guard) // want lateadd "cm has its finalizer only in memory when Create runs (line 33): a crash then leaks what that creates; write it first" @33 "created here"
	return ms.Create(cm)
}

var _ = []any{bootstrap, provide}
