// The finalizer of the new name is added before the legacy one is taken off, also to a grant that is being deleted and has only the legacy one: the API server refuses that each time and the grant stays.
//
//adv:rule=finalizerorder sub=addedwhiledeleting claim=yes
package main

import (
	"context"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	grantFinalizer = "grants.streams.example.org/revoke"
	// Up to v0.8 the finalizer had no domain of its own.
	legacyFinalizer = "finalizer.topicgrants.example.org"
)

type TopicGrant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Principal string `json:"principal"`
		Topic     string `json:"topic"`
		Operation string `json:"operation"`
	} `json:"spec"`
}

func (g *TopicGrant) DeepCopyObject() runtime.Object { return g.DeepCopy() }

func (g *TopicGrant) DeepCopy() *TopicGrant {
	out := *g
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

type TopicGrantList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []TopicGrant `json:"items"`
}

func (l *TopicGrantList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return &out
}

// ACLAdmin is the admin API of the brokers.
type ACLAdmin interface {
	CreateACL(ctx context.Context, principal, topic, operation string) error
	DeleteACL(ctx context.Context, principal, topic, operation string) error
}

type grantReconciler struct {
	client client.Client
	admin  ACLAdmin
}

var _ reconcile.ObjectReconciler[*TopicGrant] = &grantReconciler{}

func (r *grantReconciler) Reconcile(ctx context.Context, grant *TopicGrant) (reconcile.Result, error) {
	logger := ctrl.LoggerFrom(ctx, "principal", grant.Spec.Principal, "topic", grant.Spec.Topic)

	if err := r.ensureFinalizer(ctx, grant); err != nil {
		return reconcile.Result{}, fmt.Errorf("ensuring finalizer: %w", err)
	}

	if grant.GetDeletionTimestamp() != nil {
		logger.Info("Revoking grant")
		return reconcile.Result{}, r.revoke(ctx, grant)
	}

	if err := r.admin.CreateACL(ctx, grant.Spec.Principal, grant.Spec.Topic, grant.Spec.Operation); err != nil {
		return reconcile.Result{}, fmt.Errorf("creating acl: %w", err)
	}
	logger.V(1).Info("Grant is in place")
	return reconcile.Result{}, nil
}

// ensureFinalizer sees to our finalizer, and replaces that of former versions.
func (r *grantReconciler) ensureFinalizer(ctx context.Context, grant *TopicGrant) error {
	base := grant.DeepCopy()

	changed := controllerutil.AddFinalizer(grant, grantFinalizer)
	if controllerutil.ContainsFinalizer(grant, legacyFinalizer) {
		changed = controllerutil.RemoveFinalizer(grant, legacyFinalizer) || changed
	}
	if !changed {
		return nil
	}
	return r.client.Patch(ctx, grant, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}

func (r *grantReconciler) revoke(ctx context.Context, grant *TopicGrant) error {
	if err := r.admin.DeleteACL(ctx, grant.Spec.Principal, grant.Spec.Topic, grant.Spec.Operation); err != nil {
		return fmt.Errorf("deleting acl: %w", err)
	}
	base := grant.DeepCopy()
	controllerutil.RemoveFinalizer(grant, grantFinalizer)
	return client.IgnoreNotFound(r.client.Patch(ctx, grant, client.MergeFrom(base)))
}

func newAdmin() ACLAdmin { return nil }

func main() {
	ctrl.SetLogger(klog.Background())
	scheme := runtime.NewScheme()
	version := schema.GroupVersion{Group: "streams.example.org", Version: "v1"}
	scheme.AddKnownTypes(version, &TopicGrant{}, &TopicGrantList{})
	metav1.AddToGroupVersion(scheme, version)

	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme})
	if err != nil {
		os.Exit(1)
	}
	r := reconcile.AsReconciler(mgr.GetClient(), &grantReconciler{client: mgr.GetClient(), admin: newAdmin()})
	if err := ctrl.NewControllerManagedBy(mgr).For(&TopicGrant{}).Complete(r); err != nil {
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}
