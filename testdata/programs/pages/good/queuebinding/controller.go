// The broker is looked up before the deletion branch, and where it is gone a deleted binding has nothing to unbind any more and is released.
//
//adv:rule=finalizerorder sub=unreachable claim=no
package queuebinding

import (
	"context"
	"errors"
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/queuebinding/broker"
	"example.com/pages/good/queuebinding/v1alpha1"
)

// BindingReconciler binds queues to exchanges.
type BindingReconciler struct {
	client.Client
	Brokers *broker.Finder
}

func (r *BindingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	binding := &v1alpha1.QueueBinding{}
	if err := r.Get(ctx, req.NamespacedName, binding); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deleted := !binding.DeletionTimestamp.IsZero()
	if deleted && !controllerutil.ContainsFinalizer(binding, v1alpha1.BindingFinalizer) {
		return ctrl.Result{}, nil
	}

	management, err := r.Brokers.Of(ctx, binding)
	if errors.Is(err, broker.ErrNoBroker) {
		if deleted {
			logger.Info("Broker is gone, and the binding with it", "broker", binding.Spec.BrokerName)
			return ctrl.Result{}, r.release(ctx, binding)
		}
		logger.Info("Waiting for the broker", "broker", binding.Spec.BrokerName)
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}

	spec := binding.Spec
	if deleted {
		if err := management.Unbind(ctx, spec.Exchange, spec.Queue, spec.RoutingKey); err != nil {
			return ctrl.Result{}, fmt.Errorf("unbinding %s from %s: %w", spec.Queue, spec.Exchange, err)
		}
		return ctrl.Result{}, r.release(ctx, binding)
	}

	if controllerutil.AddFinalizer(binding, v1alpha1.BindingFinalizer) {
		if err := r.Update(ctx, binding); err != nil {
			return ctrl.Result{}, fmt.Errorf("adding finalizer: %w", err)
		}
	}
	if err := management.Bind(ctx, spec.Exchange, spec.Queue, spec.RoutingKey); err != nil {
		return ctrl.Result{}, fmt.Errorf("binding %s to %s: %w", spec.Queue, spec.Exchange, err)
	}
	return ctrl.Result{}, nil
}

func (r *BindingReconciler) release(ctx context.Context, binding *v1alpha1.QueueBinding) error {
	controllerutil.RemoveFinalizer(binding, v1alpha1.BindingFinalizer)
	if err := r.Update(ctx, binding); err != nil {
		return fmt.Errorf("releasing binding: %w", err)
	}
	return nil
}

// SetupWithManager registers the controller.
func (r *BindingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&v1alpha1.QueueBinding{}).Complete(r)
}
