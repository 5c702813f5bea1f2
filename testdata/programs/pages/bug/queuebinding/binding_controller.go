// The client for the broker is built before the deletion branch, so a Binding
// whose Broker is already gone fails at each reconcile and keeps its finalizer.
//
//adv:rule=finalizerorder sub=unreachable claim=yes
package queuebinding

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/bug/queuebinding/brokerclient"
	topologyv1 "example.com/pages/bug/queuebinding/topology/v1"
)

const deletionFinalizer = "deletion.finalizers.bindings.messaging.hopper.io"

// BindingReconciler reconciles a Binding object
type BindingReconciler struct {
	client.Client
	Log      logr.Logger
	Recorder record.EventRecorder
}

// +kubebuilder:rbac:groups=messaging.hopper.io,resources=bindings,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=messaging.hopper.io,resources=brokers,verbs=get;list;watch

func (r *BindingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := r.Log.WithValues("binding", req.NamespacedName)

	binding := &topologyv1.Binding{}
	if err := r.Get(ctx, req.NamespacedName, binding); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	broker, err := brokerclient.ForReference(ctx, r.Client, binding.Spec.BrokerRef, binding.Namespace)
	if err != nil {
		logger.Error(err, "failed to generate broker client")
		return ctrl.Result{}, err
	}

	if !binding.ObjectMeta.DeletionTimestamp.IsZero() {
		logger.Info("Deleting")
		return ctrl.Result{}, r.deleteBinding(ctx, broker, binding)
	}

	if err := r.addFinalizerIfNeeded(ctx, binding); err != nil {
		return ctrl.Result{}, err
	}

	if err := broker.DeclareBinding(ctx, binding.Spec.Source, binding.Spec.Queue); err != nil {
		r.Recorder.Event(binding, corev1.EventTypeWarning, "FailedDeclare", "failed to declare binding")
		return ctrl.Result{}, fmt.Errorf("declare binding: %w", err)
	}
	if binding.Status.ObservedGeneration == binding.Generation {
		return ctrl.Result{}, nil
	}
	binding.Status.ObservedGeneration = binding.Generation
	binding.Status.PropertiesKey = binding.Spec.Source + "~" + binding.Spec.Queue
	return ctrl.Result{}, r.Status().Update(ctx, binding)
}

func (r *BindingReconciler) addFinalizerIfNeeded(ctx context.Context, binding *topologyv1.Binding) error {
	if controllerutil.ContainsFinalizer(binding, deletionFinalizer) {
		return nil
	}
	controllerutil.AddFinalizer(binding, deletionFinalizer)
	return r.Update(ctx, binding)
}

func (r *BindingReconciler) deleteBinding(ctx context.Context, broker *brokerclient.Client, binding *topologyv1.Binding) error {
	if err := broker.DeleteBinding(ctx, binding.Spec.Source, binding.Spec.Queue); err != nil {
		r.Recorder.Event(binding, corev1.EventTypeWarning, "FailedDelete", "failed to delete binding")
		return err
	}
	controllerutil.RemoveFinalizer(binding, deletionFinalizer)
	return r.Update(ctx, binding)
}

func (r *BindingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&topologyv1.Binding{}).Complete(r)
}
