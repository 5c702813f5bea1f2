// Namespaces are watched by their metadata alone to save memory, and the map function asserts a full Namespace: nothing that joins the mesh later gets its policy.
//
//adv:rule=eventfilter sub=constant claim=yes
package meshenrol

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	meshLabel  = "mesh.example.io/member-of"
	policyName = "mesh-default-deny"
)

// Mesh is a set of namespaces that trust each other.
type Mesh struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec MeshSpec `json:"spec"`
}

type MeshSpec struct {
	AllowDNS bool `json:"allowDNS"`
}

func (m *Mesh) DeepCopyObject() runtime.Object {
	out := *m
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Enroller puts the policy of a mesh into all its namespaces.
type Enroller struct {
	client.Client
}

func (e *Enroller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mesh := &Mesh{}
	if err := e.Get(ctx, req.NamespacedName, mesh); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	members := &metav1.PartialObjectMetadataList{}
	members.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("NamespaceList"))
	if err := e.List(ctx, members, client.MatchingLabels{meshLabel: mesh.Name}); err != nil {
		return ctrl.Result{}, fmt.Errorf("listing members: %w", err)
	}
	for i := range members.Items {
		member := &members.Items[i]
		if member.DeletionTimestamp != nil {
			continue
		}
		if err := e.isolate(ctx, mesh, member.Name); err != nil {
			return ctrl.Result{}, fmt.Errorf("isolating %s: %w", member.Name, err)
		}
	}
	log.FromContext(ctx).V(1).Info("Mesh reconciled", "members", len(members.Items))
	return ctrl.Result{}, nil
}

func (e *Enroller) isolate(ctx context.Context, mesh *Mesh, namespace string) error {
	policy := &networkingv1.NetworkPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: policyName, Namespace: namespace},
		Spec: networkingv1.NetworkPolicySpec{
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress},
			Ingress: []networkingv1.NetworkPolicyIngressRule{{From: []networkingv1.NetworkPolicyPeer{
				{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{meshLabel: mesh.Name}}},
			}}},
		},
	}
	if mesh.Spec.AllowDNS {
		policy.Spec.Ingress[0].From = append(policy.Spec.Ingress[0].From, networkingv1.NetworkPolicyPeer{
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: "kube-system"}},
		})
	}
	err := e.Create(ctx, policy)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	stored := &networkingv1.NetworkPolicy{}
	if err := e.Get(ctx, client.ObjectKeyFromObject(policy), stored); err != nil {
		return err
	}
	base := stored.DeepCopy()
	stored.Spec = policy.Spec
	return e.Patch(ctx, stored, client.MergeFrom(base))
}

// meshOf maps a namespace to the mesh that it is a member of.
func (e *Enroller) meshOf(ctx context.Context, obj client.Object) []reconcile.Request {
	namespace, ok := obj.(*corev1.Namespace)
	if !ok {
		return nil
	}
	name, ok := namespace.Labels[meshLabel]
	if !ok || namespace.DeletionTimestamp != nil {
		return nil
	}
	log.FromContext(ctx).V(2).Info("Member changed", "namespace", namespace.Name, "mesh", name)
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: name}}}
}

// SetupWithManager registers the controller.
func (e *Enroller) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Mesh{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.Namespace{},
			handler.EnqueueRequestsFromMapFunc(e.meshOf),
			builder.OnlyMetadata,
			builder.WithPredicates(predicate.LabelChangedPredicate{}),
		).
		Complete(e)
}
