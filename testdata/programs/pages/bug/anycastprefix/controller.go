// The loop that withdraws a prefix logs each failure and returns only the last turn's error, so the finalizer goes although an earlier site still announces the prefix.
//
//adv:rule=finalizerorder sub=removedonerror claim=yes
package anycastprefix

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/bug/anycastprefix/api"
	"example.com/pages/bug/anycastprefix/fabric"
)

// PrefixReconciler announces prefixes at the sites that are wanted.
type PrefixReconciler struct {
	client.Client
	Fabric fabric.Fabric
}

func (r *PrefixReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	prefix := &api.AnycastPrefix{}
	if err := r.Get(ctx, req.NamespacedName, prefix); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	if !prefix.DeletionTimestamp.IsZero() {
		if !controllerutil.ContainsFinalizer(prefix, api.WithdrawFinalizer) {
			return ctrl.Result{}, nil
		}
		if err := r.withdrawAll(ctx, prefix); err != nil {
			return ctrl.Result{}, fmt.Errorf("withdrawing %s: %w", prefix.Spec.CIDR, err)
		}
		controllerutil.RemoveFinalizer(prefix, api.WithdrawFinalizer)
		return ctrl.Result{}, r.Update(ctx, prefix)
	}

	if controllerutil.AddFinalizer(prefix, api.WithdrawFinalizer) {
		if err := r.Update(ctx, prefix); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.announce(ctx, prefix)
}

// withdrawAll takes the prefix back at each site that may announce it. A site that cannot be reached must not
// keep the others from being withdrawn.
func (r *PrefixReconciler) withdrawAll(ctx context.Context, prefix *api.AnycastPrefix) error {
	logger := log.FromContext(ctx).WithValues("cidr", prefix.Spec.CIDR)

	var err error
	for _, site := range prefix.Spec.Sites {
		err = r.Fabric.WithdrawRoute(ctx, site, prefix.Spec.CIDR)
		if err != nil {
			logger.Error(err, "Route server refused the withdrawal", "site", site)
			continue
		}
		logger.Info("Withdrawn", "site", site)
	}
	return err
}

func (r *PrefixReconciler) announce(ctx context.Context, prefix *api.AnycastPrefix) error {
	for _, site := range prefix.Spec.Sites {
		if prefix.Announces(site) {
			continue
		}
		if err := r.Fabric.AnnounceRoute(ctx, site, prefix.Spec.CIDR, prefix.Spec.Communities); err != nil {
			return fmt.Errorf("announcing %s at %s: %w", prefix.Spec.CIDR, site, err)
		}
		prefix.Status.Announcements = append(prefix.Status.Announcements, api.Announcement{Site: site, Since: metav1.Now()})
	}
	meta.SetStatusCondition(&prefix.Status.Conditions, metav1.Condition{
		Type: "Announced", Status: metav1.ConditionTrue, Reason: "AllSites", ObservedGeneration: prefix.Generation,
	})
	return r.Status().Update(ctx, prefix)
}

// SetupWithManager registers the controller.
func (r *PrefixReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&api.AnycastPrefix{}).Complete(r)
}
