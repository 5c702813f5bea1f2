// No bug: the goroutine that SetupWithManager starts waits for the lease before it writes anything, and ends with the context that main gives to the manager as well.
//
//adv:rule=startctx sub=detached claim=no

// Package quotawarmup gives each team namespace its first ResourceQuota.
package quotawarmup

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Reconciler of namespaces.
type Reconciler struct {
	client.Client
	Default resource.Quantity
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.ensure(ctx, ns)
}

func (r *Reconciler) ensure(ctx context.Context, ns *corev1.Namespace) error {
	if ns.Labels["team"] == "" || ns.DeletionTimestamp != nil {
		return nil
	}
	quota := &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: "team-default"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourceRequestsCPU: r.Default.DeepCopy()}},
	}
	if err := r.Create(ctx, quota); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("quota of %s: %w", ns.Name, err)
	}
	return nil
}

// sweep finds namespaces whose quota somebody has deleted.
func (r *Reconciler) sweep(ctx context.Context) {
	logger := ctrl.Log.WithName("quota-sweep")
	namespaces := &corev1.NamespaceList{}
	if err := r.List(ctx, namespaces, client.HasLabels{"team"}); err != nil {
		logger.Error(err, "namespaces not listed")
		return
	}
	for i := range namespaces.Items {
		if err := r.ensure(ctx, &namespaces.Items[i]); err != nil {
			logger.Error(err, "quota not ensured")
		}
	}
}

// SetupWithManager registers the reconciler; ctx is the one that the manager is started with.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	r.Client = mgr.GetClient()
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.Namespace{}).Complete(r); err != nil {
		return err
	}
	go func() {
		select {
		case <-ctx.Done():
			return
		case <-mgr.Elected():
		}
		wait.UntilWithContext(ctx, r.sweep, 15*time.Minute)
	}()
	return nil
}

// Main runs the operator.
func Main() error {
	ctx := ctrl.SetupSignalHandler()
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), manager.Options{
		LeaderElection:   true,
		LeaderElectionID: "quota.example.org",
	})
	if err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	if err := (&Reconciler{Default: resource.MustParse("8")}).SetupWithManager(ctx, mgr); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return mgr.Start(ctx)
}
