// The deferred Close patches the machine at the end, but the finalizer has been
// patched right after it was added, before a server is ordered.
//
//adv:rule=finalizerorder sub=lateadd claim=no
package baremetal

import (
	"context"
	"errors"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/baremetal/scope"
)

var ErrNoSuchServer = errors.New("no such server")

// Provider gives one server for each key, however often it is asked.
type Provider interface {
	CreateServer(ctx context.Context, key, plan string) (id string, err error)
	FindServer(ctx context.Context, key string) (id string, err error)
	DeleteServer(ctx context.Context, id string) error
}

type MachineReconciler struct {
	client.Client
	Provider Provider
}

func (r *MachineReconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, rerr error) {
	machine := &scope.MetalMachine{}
	if err := r.Get(ctx, req.NamespacedName, machine); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s := scope.New(r.Client, machine)
	defer func() {
		if err := s.Close(ctx); err != nil {
			rerr = errors.Join(rerr, err)
		}
	}()

	if !machine.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.reconcileDelete(ctx, s)
	}
	return ctrl.Result{}, r.reconcileNormal(ctx, s)
}

func (r *MachineReconciler) reconcileNormal(ctx context.Context, s *scope.MachineScope) error {
	if controllerutil.AddFinalizer(s.Machine, scope.MachineFinalizer) {
		// at once, so that no server is ordered without it
		if err := s.Patch(ctx); err != nil {
			return fmt.Errorf("registering finalizer: %w", err)
		}
	}
	if s.Machine.Spec.ProviderID == "" {
		id, err := r.Provider.CreateServer(ctx, string(s.Machine.UID), s.Machine.Spec.Plan)
		if err != nil {
			return fmt.Errorf("ordering server: %w", err)
		}
		log.FromContext(ctx).Info("server ordered", "id", id)
		s.Machine.Spec.ProviderID = id
	}
	s.Machine.Status.Ready = true
	return nil
}

func (r *MachineReconciler) reconcileDelete(ctx context.Context, s *scope.MachineScope) error {
	if !controllerutil.ContainsFinalizer(s.Machine, scope.MachineFinalizer) {
		return nil
	}
	id := s.Machine.Spec.ProviderID
	if id == "" {
		found, err := r.Provider.FindServer(ctx, string(s.Machine.UID))
		if err != nil && !errors.Is(err, ErrNoSuchServer) {
			return fmt.Errorf("looking for server: %w", err)
		}
		id = found
	}
	if id != "" {
		if err := r.Provider.DeleteServer(ctx, id); err != nil && !errors.Is(err, ErrNoSuchServer) {
			return fmt.Errorf("deleting server %s: %w", id, err)
		}
	}
	controllerutil.RemoveFinalizer(s.Machine, scope.MachineFinalizer)
	return nil
}

func (r *MachineReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&scope.MetalMachine{}).Complete(r)
}
