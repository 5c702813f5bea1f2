// The event filter passes only updates that change labels, so the update that
// sets the deletion timestamp never reaches the reconciler and the finalizer
// stays until the operator is restarted.
//
//adv:rule=finalizerorder sub=unreachable claim=near
package workspacesync

import (
	"context"
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	workspaceFinalizer = "ide.cloudbench.dev/workspace"
	teamLabel          = "ide.cloudbench.dev/team"
)

type Workspace struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Image string
	}
	Status struct {
		RegisteredTeam string
	}
}

func (w *Workspace) DeepCopy() *Workspace {
	out := *w
	out.ObjectMeta = *w.ObjectMeta.DeepCopy()
	return &out
}

func (w *Workspace) DeepCopyObject() runtime.Object { return w.DeepCopy() }

// Directory is the team directory in which workspaces are registered.
type Directory interface {
	Register(ctx context.Context, team, workspace string) error
	Unregister(ctx context.Context, team, workspace string) error
}

type TeamSync struct {
	client.Client
	Directory Directory
}

func (s *TeamSync) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("workspace-team-sync").
		For(&Workspace{}).
		WithEventFilter(labelsChanged()).
		Complete(s)
}

// labelsChanged keeps the many updates of the status away from the directory.
func labelsChanged() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return true },
		DeleteFunc: func(event.DeleteEvent) bool { return false },
		UpdateFunc: func(e event.UpdateEvent) bool {
			if e.ObjectOld == nil || e.ObjectNew == nil {
				return false
			}
			return !maps.Equal(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels())
		},
		GenericFunc: func(event.GenericEvent) bool { return false },
	}
}

func (s *TeamSync) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ws := &Workspace{}
	if err := s.Get(ctx, req.NamespacedName, ws); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !ws.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, s.unregister(ctx, ws)
	}
	team := ws.Labels[teamLabel]
	if team == "" || team == ws.Status.RegisteredTeam {
		return ctrl.Result{}, nil
	}
	if !controllerutil.ContainsFinalizer(ws, workspaceFinalizer) {
		base := ws.DeepCopy()
		controllerutil.AddFinalizer(ws, workspaceFinalizer)
		if err := s.Patch(ctx, ws, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})); err != nil {
			return ctrl.Result{}, err
		}
	}
	if old := ws.Status.RegisteredTeam; old != "" {
		if err := s.Directory.Unregister(ctx, old, ws.Name); err != nil {
			return ctrl.Result{}, fmt.Errorf("leaving team %s: %w", old, err)
		}
	}
	if err := s.Directory.Register(ctx, team, ws.Name); err != nil {
		return ctrl.Result{}, fmt.Errorf("joining team %s: %w", team, err)
	}
	log.FromContext(ctx).Info("workspace registered", "team", team)
	ws.Status.RegisteredTeam = team
	return ctrl.Result{}, s.Status().Update(ctx, ws)
}

func (s *TeamSync) unregister(ctx context.Context, ws *Workspace) error {
	if !controllerutil.ContainsFinalizer(ws, workspaceFinalizer) {
		return nil
	}
	if team := ws.Status.RegisteredTeam; team != "" {
		if err := s.Directory.Unregister(ctx, team, ws.Name); err != nil {
			return err
		}
	}
	base := ws.DeepCopy()
	controllerutil.RemoveFinalizer(ws, workspaceFinalizer)
	return s.Patch(ctx, ws, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}
