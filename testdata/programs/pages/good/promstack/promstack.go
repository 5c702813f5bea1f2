// The filter blanks the fields that mean nothing to the reconciler in copies of both specs and compares the rest as a whole, so each field that the reconciler reads counts.
//
//adv:rule=eventfilter sub=fields claim=no
package promstack

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// StackSpec is the wish.
type StackSpec struct {
	// Description and Contacts are for people.
	Description string   `json:"description,omitempty"`
	Contacts    []string `json:"contacts,omitempty"`

	Retention string   `json:"retention,omitempty"`
	Shards    int32    `json:"shards,omitempty"`
	Rules     []string `json:"rules,omitempty"`
}

// Stack is a monitoring stack.
type Stack struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              StackSpec `json:"spec"`
}

// DeepCopyObject implements runtime.Object.
func (in *Stack) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Contacts = slices.Clone(in.Spec.Contacts)
	out.Spec.Rules = slices.Clone(in.Spec.Rules)
	return &out
}

// StackReconciler runs stacks.
type StackReconciler struct {
	client.Client
}

// Reconcile runs one stack.
func (r *StackReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	stack := &Stack{}
	if err := r.Get(ctx, req.NamespacedName, stack); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	klog.FromContext(ctx).V(3).Info("reconciling stack", "description", stack.Spec.Description)
	for _, part := range []func(context.Context, *Stack) error{r.rules, r.servers} {
		if err := part(ctx, stack); err != nil {
			return ctrl.Result{}, fmt.Errorf("stack %s: %w", req.Name, err)
		}
	}
	return ctrl.Result{}, nil
}

func (r *StackReconciler) rules(ctx context.Context, stack *Stack) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: stack.Namespace, Name: stack.Name + "-rules"}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = make(map[string]string, len(stack.Spec.Rules))
		for i, rule := range stack.Spec.Rules {
			cm.Data[fmt.Sprintf("%03d.yaml", i)] = rule
		}
		return controllerutil.SetControllerReference(stack, cm, r.Scheme())
	})
	return err
}

func (r *StackReconciler) servers(ctx context.Context, stack *Stack) error {
	sts := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: stack.Namespace, Name: stack.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, sts, func() error {
		if sts.CreationTimestamp.IsZero() {
			labels := map[string]string{"stack": stack.Name}
			sts.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
			sts.Spec.Template.Labels = labels
		}
		shards := max(stack.Spec.Shards, 1)
		sts.Spec.Replicas = &shards
		retention := stack.Spec.Retention
		if retention == "" {
			retention = "15d"
		}
		if len(sts.Spec.Template.Spec.Containers) != 1 {
			sts.Spec.Template.Spec.Containers = []corev1.Container{{Name: "prometheus", Image: "quay.io/prometheus/prometheus:v3.1.0"}}
		}
		sts.Spec.Template.Spec.Containers[0].Args = []string{"--storage.tsdb.retention.time=" + retention}
		return controllerutil.SetControllerReference(stack, sts, r.Scheme())
	})
	return err
}

// technical is the spec without what is for people.
func technical(s *Stack) StackSpec {
	spec := s.Spec
	spec.Description = ""
	spec.Contacts = nil
	return spec
}

// SetupWithManager sets the controller up.
func (r *StackReconciler) SetupWithManager(mgr ctrl.Manager) error {
	technicalChange := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return !equality.Semantic.DeepEqual(technical(e.ObjectOld.(*Stack)), technical(e.ObjectNew.(*Stack)))
	}}
	return ctrl.NewControllerManagedBy(mgr).
		For(&Stack{}, builder.WithPredicates(technicalChange)).
		Owns(&corev1.ConfigMap{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r)
}
