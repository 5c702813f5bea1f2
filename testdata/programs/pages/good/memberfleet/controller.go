// The stop channel that the wait for a member's caches is given is made on the spot, but a timer and the end of the caller's context close it, as Close does later.
//
//adv:rule=unboundedsync sub=neverstops claim=no

package memberfleet

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/pages/good/memberfleet/remote"
)

// MemberReconciler reports on member clusters.
type MemberReconciler struct {
	client.Client
	Fleet *remote.Fleet
}

func (r *MemberReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	member := &MemberCluster{}
	if err := r.Get(ctx, req.NamespacedName, member); err != nil {
		if apierrors.IsNotFound(err) {
			r.Fleet.Forget(req.Name)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready := metav1.Condition{Type: "Joined", Status: metav1.ConditionTrue, Reason: "Synced", ObservedGeneration: member.Generation}
	cluster, err := r.Fleet.Member(ctx, member.Name, member.Spec.Endpoint)
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "member cannot be joined")
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, "JoinFailed", err.Error()
	} else {
		nodes, err := cluster.Nodes.List(labels.Everything())
		if err != nil {
			return ctrl.Result{}, err
		}
		member.Status.Nodes = len(nodes)
	}
	meta.SetStatusCondition(&member.Status.Conditions, ready)
	return ctrl.Result{RequeueAfter: time.Minute}, r.Status().Update(ctx, member)
}

// SetupWithManager registers the reconciler.
func (r *MemberReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&MemberCluster{}).Complete(r)
}
