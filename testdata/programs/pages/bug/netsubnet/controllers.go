// A Network does not count the subnets that are being deleted and lets itself go,
// while these look their Network up in their own deletion and then fail for ever.
//
//adv:rule=finalizerorder sub=notawaited claim=yes
package netsubnet

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Fabric is the API of the routers.
type Fabric interface {
	EnsureRouter(ctx context.Context, cidr string) (string, error)
	// DeleteRouter deletes a router with all ports that are on it.
	DeleteRouter(ctx context.Context, id string) error
	EnsurePort(ctx context.Context, routerID, cidr string) (string, error)
	DetachPort(ctx context.Context, routerID, portID string) error
}

type NetworkReconciler struct {
	client.Client
	Fabric Fabric
}

func (r *NetworkReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var network Network
	if err := r.Get(ctx, req.NamespacedName, &network); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if network.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.ensure(ctx, &network)
	}

	var subnets SubnetList
	if err := r.List(ctx, &subnets, client.InNamespace(network.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	inUse := 0
	for i := range subnets.Items {
		sn := &subnets.Items[i]
		if sn.Spec.NetworkName != network.Name {
			continue
		}
		if !sn.DeletionTimestamp.IsZero() {
			continue // on its way out already
		}
		inUse++
	}
	if inUse > 0 {
		log.FromContext(ctx).Info("network is in use", "subnets", inUse)
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}

	if network.Status.RouterID != "" {
		if err := r.Fabric.DeleteRouter(ctx, network.Status.RouterID); err != nil {
			return ctrl.Result{}, fmt.Errorf("deleting router: %w", err)
		}
	}
	if controllerutil.RemoveFinalizer(&network, networkFinalizer) {
		return ctrl.Result{}, r.Update(ctx, &network)
	}
	return ctrl.Result{}, nil
}

func (r *NetworkReconciler) ensure(ctx context.Context, network *Network) error {
	if controllerutil.AddFinalizer(network, networkFinalizer) {
		if err := r.Update(ctx, network); err != nil {
			return err
		}
	}
	id, err := r.Fabric.EnsureRouter(ctx, network.Spec.CIDR)
	if err != nil || id == network.Status.RouterID {
		return err
	}
	network.Status.RouterID = id
	return r.Status().Update(ctx, network)
}

type SubnetReconciler struct {
	client.Client
	Fabric Fabric
}

func (r *SubnetReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var subnet Subnet
	if err := r.Get(ctx, req.NamespacedName, &subnet); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	var network Network
	key := types.NamespacedName{Namespace: subnet.Namespace, Name: subnet.Spec.NetworkName}
	if err := r.Get(ctx, key, &network); err != nil {
		return ctrl.Result{}, fmt.Errorf("network of subnet %s: %w", subnet.Name, err)
	}

	if !subnet.DeletionTimestamp.IsZero() {
		if subnet.Status.PortID != "" {
			if err := r.Fabric.DetachPort(ctx, network.Status.RouterID, subnet.Status.PortID); err != nil {
				return ctrl.Result{}, err
			}
		}
		controllerutil.RemoveFinalizer(&subnet, subnetFinalizer)
		return ctrl.Result{}, r.Update(ctx, &subnet)
	}

	if controllerutil.AddFinalizer(&subnet, subnetFinalizer) {
		if err := r.Update(ctx, &subnet); err != nil {
			return ctrl.Result{}, err
		}
	}
	port, err := r.Fabric.EnsurePort(ctx, network.Status.RouterID, subnet.Spec.CIDR)
	if err != nil {
		return ctrl.Result{}, err
	}
	subnet.Status.PortID = port
	return ctrl.Result{}, r.Status().Update(ctx, &subnet)
}

// SetupAll registers both controllers.
func SetupAll(mgr ctrl.Manager, fabric Fabric) error {
	if err := ctrl.NewControllerManagedBy(mgr).For(&Network{}).
		Complete(&NetworkReconciler{Client: mgr.GetClient(), Fabric: fabric}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&Subnet{}).
		Complete(&SubnetReconciler{Client: mgr.GetClient(), Fabric: fabric})
}
