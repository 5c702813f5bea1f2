// The steps of a rollout get a context without cancel, so that the note in the ConfigMap survives a shutdown, and with it the wait for a Deployment that never becomes available holds the worker for good.
//
//adv:rule=unboundedsync sub=neverstops claim=yes

// Package addonrollout applies the addons that ConfigMaps ask for, step by step.
package addonrollout

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/bug/addonrollout/readiness"
)

// rollout is what the steps share.
type rollout struct {
	client client.Client
	addon  *corev1.ConfigMap
	image  string
}

type step struct {
	name string
	run  func(ctx context.Context, ro *rollout) error
}

// Reconciler of addons.
type Reconciler struct {
	client.Client
	steps []step
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	image, ok := cm.Data["image"]
	if cm.Labels["addons.example.org/enabled"] != "true" || !ok || cm.Annotations["addons.example.org/rolled-out"] == image {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.rollOut(ctx, &rollout{client: r.Client, addon: cm, image: image})
}

func (r *Reconciler) rollOut(ctx context.Context, ro *rollout) error {
	logger := log.FromContext(ctx).WithValues("addon", ro.addon.Name, "image", ro.image)
	// A rollout that was begun is noted, also when the manager stops meanwhile.
	ctx = log.IntoContext(context.WithoutCancel(ctx), logger)
	started := time.Now()
	if err := applyDeployment(ctx, ro); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	if err := readiness.Deployment(ctx, r.Client, client.ObjectKeyFromObject(ro.addon)); err != nil {
		return err
	}
	for _, s := range r.steps {
		if err := s.run(ctx, ro); err != nil {
			return fmt.Errorf("step %s: %w", s.name, err)
		}
		logger.V(1).Info("step done", "step", s.name)
	}
	logger.Info("rolled out", "took", time.Since(started))
	return nil
}

func applyDeployment(ctx context.Context, ro *rollout) error {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: ro.addon.Namespace, Name: ro.addon.Name}}
	op, err := controllerutil.CreateOrUpdate(ctx, ro.client, d, func() error {
		labels := map[string]string{"addon": ro.addon.Name}
		if d.Spec.Selector == nil {
			d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		}
		d.Spec.Template.Labels = labels
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "addon", Image: ro.image}}
		return controllerutil.SetControllerReference(ro.addon, d, ro.client.Scheme())
	})
	if err == nil {
		log.FromContext(ctx).V(1).Info("deployment applied", "operation", op)
	}
	return err
}

func dropOldSecrets(ctx context.Context, ro *rollout) error {
	return ro.client.DeleteAllOf(ctx, &corev1.Secret{}, client.InNamespace(ro.addon.Namespace),
		client.MatchingLabels{"addon": ro.addon.Name, "addons.example.org/stale": "true"})
}

func note(ctx context.Context, ro *rollout) error {
	before := ro.addon.DeepCopy()
	metav1.SetMetaDataAnnotation(&ro.addon.ObjectMeta, "addons.example.org/rolled-out", ro.image)
	return ro.client.Patch(ctx, ro.addon, client.MergeFrom(before))
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Client = mgr.GetClient()
	r.steps = []step{{"drop-old-secrets", dropOldSecrets}, {"note", note}}
	return ctrl.NewControllerManagedBy(mgr).Named("addon-rollout").For(&corev1.ConfigMap{}).Complete(r)
}
