// The cluster is looked up before the deletion branch, but a deleted TopicACL
// whose cluster is gone is let go: its entries went with the cluster.
//
//adv:rule=finalizerorder sub=unreachable claim=no
package topicgrant

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const aclFinalizer = "streams.brook.dev/acl"

type StreamCluster struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Status struct{ Bootstrap string }
}

func (c *StreamCluster) DeepCopyObject() runtime.Object {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	return &out
}

type TopicACL struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the spec is immutable"
	Spec struct {
		ClusterRef string
		Topic      string
		Principal  string
	}
}

func (a *TopicACL) DeepCopyObject() runtime.Object {
	out := *a
	out.ObjectMeta = *a.ObjectMeta.DeepCopy()
	return &out
}

// Admin is a connection to the brokers of one cluster.
type Admin interface {
	AllowPrincipal(ctx context.Context, topic, principal string) error
	RemovePrincipal(ctx context.Context, topic, principal string) error
}

type ACLReconciler struct {
	client.Client
	Dial func(bootstrap string) Admin
}

func (r *ACLReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	acl := &TopicACL{}
	if err := r.Get(ctx, req.NamespacedName, acl); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deleting := acl.GetDeletionTimestamp() != nil

	cluster, err := r.clusterOf(ctx, acl)
	if err != nil {
		return ctrl.Result{}, err
	}
	switch {
	case deleting && cluster == nil:
		log.FromContext(ctx).Info("cluster is gone, nothing to revoke", "cluster", acl.Spec.ClusterRef)
		return ctrl.Result{}, r.letGo(ctx, acl)
	case cluster == nil:
		log.FromContext(ctx).Info("waiting for cluster", "cluster", acl.Spec.ClusterRef)
		return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
	}

	admin := r.Dial(cluster.Status.Bootstrap)
	if deleting {
		if !controllerutil.ContainsFinalizer(acl, aclFinalizer) {
			return ctrl.Result{}, nil
		}
		if err := admin.RemovePrincipal(ctx, acl.Spec.Topic, acl.Spec.Principal); err != nil {
			return ctrl.Result{}, fmt.Errorf("revoking %s from %s: %w", acl.Spec.Principal, acl.Spec.Topic, err)
		}
		return ctrl.Result{}, r.letGo(ctx, acl)
	}

	if controllerutil.AddFinalizer(acl, aclFinalizer) {
		if err := r.Update(ctx, acl); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, admin.AllowPrincipal(ctx, acl.Spec.Topic, acl.Spec.Principal)
}

// clusterOf gives nil for a cluster that is not there.
func (r *ACLReconciler) clusterOf(ctx context.Context, acl *TopicACL) (*StreamCluster, error) {
	cluster := &StreamCluster{}
	err := r.Get(ctx, types.NamespacedName{Namespace: acl.Namespace, Name: acl.Spec.ClusterRef}, cluster)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cluster %s: %w", acl.Spec.ClusterRef, err)
	}
	return cluster, nil
}

func (r *ACLReconciler) letGo(ctx context.Context, acl *TopicACL) error {
	if !controllerutil.RemoveFinalizer(acl, aclFinalizer) {
		return nil
	}
	return client.IgnoreNotFound(r.Update(ctx, acl))
}

func (r *ACLReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&TopicACL{}).Complete(r)
}
