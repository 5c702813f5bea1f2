// hooksDiffer looks at two of the three hooks only, and is right: it is asked by specDiffers alone, which compares the third hook itself, as an empty one means the default there.
//
//adv:rule=eventfilter sub=siblings claim=no
package drainhooks

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Command is what a node runs.
type Command struct {
	Path string   `json:"path"`
	Args []string `json:"args,omitempty"`
}

func (c *Command) copy() *Command {
	if c == nil {
		return nil
	}
	return &Command{Path: c.Path, Args: append([]string(nil), c.Args...)}
}

// DrainPolicy says how nodes are drained.
type DrainPolicy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DrainPolicySpec `json:"spec"`
}

// DrainPolicySpec is the wish.
type DrainPolicySpec struct {
	GraceSeconds int64    `json:"graceSeconds"`
	Before       *Command `json:"before,omitempty"`
	After        *Command `json:"after,omitempty"`
	Check        *Command `json:"check,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *DrainPolicy) DeepCopyObject() runtime.Object {
	out := &DrainPolicy{TypeMeta: in.TypeMeta}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec = DrainPolicySpec{
		GraceSeconds: in.Spec.GraceSeconds,
		Before:       in.Spec.Before.copy(),
		After:        in.Spec.After.copy(),
		Check:        in.Spec.Check.copy(),
	}
	return out
}

var defaultCheck = &Command{Path: "/usr/bin/drain-check"}

func checkOf(p *DrainPolicy) *Command {
	if p.Spec.Check == nil || p.Spec.Check.Path == "" {
		return defaultCheck
	}
	return p.Spec.Check
}

func hooksDiffer(old, cur *DrainPolicy) bool {
	return !equality.Semantic.DeepEqual(old.Spec.Before, cur.Spec.Before) ||
		!equality.Semantic.DeepEqual(old.Spec.After, cur.Spec.After)
}

func specDiffers(old, cur *DrainPolicy) bool {
	if old.Spec.GraceSeconds != cur.Spec.GraceSeconds || hooksDiffer(old, cur) {
		return true
	}
	return !equality.Semantic.DeepEqual(checkOf(old), checkOf(cur))
}

// PolicyReconciler hands the policies to the agents in a ConfigMap.
type PolicyReconciler struct {
	client.Client
}

// Reconcile writes the ConfigMap.
func (r *PolicyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	policy := &DrainPolicy{}
	if err := r.Get(ctx, req.NamespacedName, policy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text, err := json.MarshalIndent(map[string]any{
		"grace":  policy.Spec.GraceSeconds,
		"before": policy.Spec.Before,
		"after":  policy.Spec.After,
		"check":  checkOf(policy),
	}, "", "  ")
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("marshal policy: %w", err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: policy.Namespace, Name: "drain-" + policy.Name}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"policy.json": string(text)}
		return controllerutil.SetControllerReference(policy, cm, r.Scheme())
	})
	return ctrl.Result{}, err
}

// SetupWithManager sets the controller up.
func (r *PolicyReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&DrainPolicy{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				return specDiffers(e.ObjectOld.(*DrainPolicy), e.ObjectNew.(*DrainPolicy))
			},
		})).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
