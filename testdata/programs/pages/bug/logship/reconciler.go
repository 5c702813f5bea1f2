// The update filter of LogPipeline compares source, destination, paused and extra fields but not the buffer size, which render.Config writes into the ConfigMap.
//
//adv:rule=eventfilter sub=fields claim=yes
package logship

import (
	"context"
	"crypto/sha1"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/bug/logship/render"
	"example.com/pages/bug/logship/v1alpha1"
)

var log = logf.Log.WithName("logpipeline")

// PipelineReconciler renders the config of a pipeline.
type PipelineReconciler struct {
	client.Client
	APIReader client.Reader
}

// +kubebuilder:rbac:groups=logs.acme.io,resources=logpipelines,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update

// Reconcile brings the ConfigMap in line.
func (r *PipelineReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	reqLog := log.WithValues("pipeline", req.String())
	pipeline := &v1alpha1.LogPipeline{}
	if err := r.Get(ctx, req.NamespacedName, pipeline); err != nil {
		if apierrors.IsNotFound(err) {
			reqLog.V(1).Info("pipeline is gone")
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	if pipeline.Spec.Paused {
		reqLog.Info("pipeline is paused")
		return ctrl.Result{}, nil
	}

	text := render.Config(pipeline)
	if err := r.ensureConfigMap(ctx, pipeline, text); err != nil {
		return ctrl.Result{}, fmt.Errorf("config of %s: %w", req.NamespacedName, err)
	}

	sum := fmt.Sprintf("%x", sha1.Sum([]byte(text)))
	if pipeline.Status.ConfigHash == sum && pipeline.Status.ObservedGeneration == pipeline.Generation {
		return ctrl.Result{}, nil
	}
	pipeline.Status.ConfigHash = sum
	pipeline.Status.ObservedGeneration = pipeline.Generation
	return ctrl.Result{}, r.Status().Update(ctx, pipeline)
}

func (r *PipelineReconciler) ensureConfigMap(ctx context.Context, p *v1alpha1.LogPipeline, text string) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: "shipper-" + p.Name}}
	err := r.Get(ctx, client.ObjectKeyFromObject(cm), cm)
	if apierrors.IsNotFound(err) {
		cm.Data = map[string]string{"shipper.toml": text}
		if err := ctrl.SetControllerReference(p, cm, r.Scheme()); err != nil {
			return err
		}
		return r.Create(ctx, cm)
	}
	if err != nil || cm.Data["shipper.toml"] == text {
		return err
	}
	cm = cm.DeepCopy()
	cm.Data = map[string]string{"shipper.toml": text}
	return r.Update(ctx, cm)
}

func pipelineChanged() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			before, ok1 := e.ObjectOld.(*v1alpha1.LogPipeline)
			after, ok2 := e.ObjectNew.(*v1alpha1.LogPipeline)
			if !ok1 || !ok2 {
				return false
			}
			if before.Spec.Paused != after.Spec.Paused {
				return true
			}
			return before.Spec.Source != after.Spec.Source ||
				before.Spec.Destination != after.Spec.Destination ||
				!maps.Equal(before.Spec.ExtraFields, after.Spec.ExtraFields)
		},
	}
}

// SetupWithManager sets the controller up.
func (r *PipelineReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1alpha1.LogPipeline{}, builder.WithPredicates(pipelineChanged())).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
