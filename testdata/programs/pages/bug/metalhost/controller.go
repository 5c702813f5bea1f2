// The finalizer goes as soon as the service says that the machine is deprovisioning, which may still fail and leave its disks unwiped, with nobody who knows of it.
//
//adv:rule=finalizerorder sub=notawaited claim=near
package metalhost

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/pages/bug/metalhost/bmc"
)

const hostFinalizer = "metal.dc.example.com/host"

// MetalHost is a machine that is lent to the cluster.
type MetalHost struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Serial string `json:"serial"`
		Image  string `json:"image"`
	} `json:"spec"`
	Status struct {
		State bmc.State `json:"state,omitempty"`
	} `json:"status,omitempty"`
}

func (h *MetalHost) DeepCopyObject() runtime.Object {
	out := *h
	h.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

type reconcileHost struct {
	client  client.Client
	service bmc.Service
}

// Add makes a controller for hosts and adds it to the manager.
func Add(mgr manager.Manager, service bmc.Service) error {
	r := &reconcileHost{client: mgr.GetClient(), service: service}
	c, err := controller.New("metalhost-controller", mgr, controller.Options{Reconciler: r, MaxConcurrentReconciles: 4})
	if err != nil {
		return err
	}
	return c.Watch(source.Kind(mgr.GetCache(), &MetalHost{}, &handler.TypedEnqueueRequestForObject[*MetalHost]{}))
}

func (r *reconcileHost) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	host := &MetalHost{}
	if err := r.client.Get(ctx, req.NamespacedName, host); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if host.DeletionTimestamp != nil {
		return r.retire(ctx, host)
	}
	if !controllerutil.ContainsFinalizer(host, hostFinalizer) {
		controllerutil.AddFinalizer(host, hostFinalizer)
		if err := r.client.Update(ctx, host); err != nil {
			return reconcile.Result{}, fmt.Errorf("protecting host: %w", err)
		}
	}

	state, err := r.service.MachineState(ctx, host.Spec.Serial)
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("asking for state of %s: %w", host.Spec.Serial, err)
	}
	if state == bmc.Available {
		if err := r.service.Provision(ctx, host.Spec.Serial, host.Spec.Image); err != nil {
			return reconcile.Result{}, fmt.Errorf("provisioning %s: %w", host.Spec.Serial, err)
		}
	}
	if host.Status.State != state {
		host.Status.State = state
		if err := r.client.Status().Update(ctx, host); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{RequeueAfter: time.Minute}, nil
}

func (r *reconcileHost) retire(ctx context.Context, host *MetalHost) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(host, hostFinalizer) {
		return reconcile.Result{}, nil
	}
	logger := log.FromContext(ctx).WithValues("serial", host.Spec.Serial)

	state, err := r.service.MachineState(ctx, host.Spec.Serial)
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("asking for state of %s: %w", host.Spec.Serial, err)
	}
	if state.InUse() {
		logger.Info("Deprovisioning machine", "state", state)
		if err := r.service.Deprovision(ctx, host.Spec.Serial); err != nil {
			return reconcile.Result{}, fmt.Errorf("deprovisioning %s: %w", host.Spec.Serial, err)
		}
		return reconcile.Result{RequeueAfter: 20 * time.Second}, nil
	}

	controllerutil.RemoveFinalizer(host, hostFinalizer)
	if err := r.client.Update(ctx, host); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	logger.Info("Host is released")
	return reconcile.Result{}, nil
}
