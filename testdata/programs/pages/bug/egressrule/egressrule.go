// The pipeline of steps creates the firewall rule at the provider before the step that writes the finalizer: a crash or a failed write in between leaves a rule that nobody removes.
//
//adv:rule=finalizerorder sub=lateadd claim=near
package egressrule

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const ruleFinalizer = "egress.security.corp/firewall-rule"

// EgressRule opens a way out of the cluster.
type EgressRule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   EgressRuleSpec   `json:"spec"`
	Status EgressRuleStatus `json:"status,omitempty"`
}

type EgressRuleSpec struct {
	Destination string `json:"destination"`
	Port        int32  `json:"port"`
}

type EgressRuleStatus struct {
	RuleID   string `json:"ruleID,omitempty"`
	Observed int64  `json:"observedGeneration,omitempty"`
}

func (e *EgressRule) DeepCopyObject() runtime.Object {
	out := *e
	e.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Firewall is the API of the perimeter. CreateRule brings a rule of that name up to date where there is one, and
// DeleteRule gives no error where there is none.
type Firewall interface {
	CreateRule(ctx context.Context, name, destination string, port int32) (string, error)
	DeleteRule(ctx context.Context, name string) error
}

// flow is what the steps of one run share.
type flow struct {
	rule   *EgressRule
	ruleID string
}

type step struct {
	name string
	run  func(context.Context, *flow) error
}

// Controller runs its steps one after another.
type Controller struct {
	client.Client
	firewall Firewall

	present []step
	absent  []step
}

// New gives a controller with all its steps.
func New(c client.Client, fw Firewall) *Controller {
	r := &Controller{Client: c, firewall: fw}
	r.present = []step{
		{"validate", r.validate},
		{"provision", r.provision},
		{"protect", r.protect},
		{"publish", r.publish},
	}
	r.absent = []step{
		{"deprovision", r.deprovision},
		{"release", r.release},
	}
	return r
}

func (r *Controller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	f := &flow{rule: &EgressRule{}}
	if err := r.Get(ctx, req.NamespacedName, f.rule); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	steps := r.present
	if f.rule.DeletionTimestamp != nil {
		if !controllerutil.ContainsFinalizer(f.rule, ruleFinalizer) {
			return ctrl.Result{}, nil
		}
		steps = r.absent
	}
	for _, s := range steps {
		if err := s.run(ctx, f); err != nil {
			return ctrl.Result{}, fmt.Errorf("step %s: %w", s.name, err)
		}
		log.FromContext(ctx).V(2).Info("Step done", "step", s.name)
	}
	return ctrl.Result{}, nil
}

func (r *Controller) validate(_ context.Context, f *flow) error {
	if f.rule.Spec.Port < 1 || f.rule.Spec.Port > 65535 {
		return fmt.Errorf("port %d is out of range", f.rule.Spec.Port)
	}
	return nil
}

func (r *Controller) provision(ctx context.Context, f *flow) error {
	id, err := r.firewall.CreateRule(ctx, ruleName(f.rule), f.rule.Spec.Destination, f.rule.Spec.Port)
	if err != nil {
		return err
	}
	f.ruleID = id
	return nil
}

func (r *Controller) protect(ctx context.Context, f *flow) error {
	if !controllerutil.AddFinalizer(f.rule, ruleFinalizer) {
		return nil
	}
	return r.Update(ctx, f.rule)
}

func (r *Controller) publish(ctx context.Context, f *flow) error {
	if f.rule.Status.RuleID == f.ruleID && f.rule.Status.Observed == f.rule.Generation {
		return nil
	}
	f.rule.Status = EgressRuleStatus{RuleID: f.ruleID, Observed: f.rule.Generation}
	return r.Status().Update(ctx, f.rule)
}

func (r *Controller) deprovision(ctx context.Context, f *flow) error {
	return r.firewall.DeleteRule(ctx, ruleName(f.rule))
}

func (r *Controller) release(ctx context.Context, f *flow) error {
	controllerutil.RemoveFinalizer(f.rule, ruleFinalizer)
	return r.Update(ctx, f.rule)
}

func ruleName(rule *EgressRule) string { return rule.Namespace + "--" + rule.Name }

// SetupWithManager registers the controller.
func (r *Controller) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&EgressRule{}).Complete(r)
}
