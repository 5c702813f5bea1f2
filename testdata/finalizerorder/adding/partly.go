package adding

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A gate works on config maps that others have chosen; those that are being deleted have its finalizer already.
type gate struct{ client.Client }

func (g *gate) open(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.Data["more"] != "" && cm.DeletionTimestamp == nil {
		if err := g.more(ctx, cm); err != nil {
			return err
		}
	}
	if !controllerutil.AddFinalizer(cm, guard) { // ok: the check left out a part of the work, and no more
		return nil
	}
	return g.Update(ctx, cm)
}

func (g *gate) more(ctx context.Context, cm *corev1.ConfigMap) error {
	return g.Create(ctx, &corev1.Secret{ObjectMeta: cm.ObjectMeta})
}

var _ = (*gate).open
