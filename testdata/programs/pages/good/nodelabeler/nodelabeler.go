// stripped deletes annotations and resets fields of the objects that the predicate is shown, but of deep copies that it makes of them first.
//
//adv:rule=eventfilter sub=mutates claim=no
package nodelabeler

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// noisy annotations are written by others, and often.
var noisy = []string{
	"volumes.kubernetes.io/controller-managed-attach-detach",
	"cluster-autoscaler.kubernetes.io/last-seen",
}

// LabelRule gives nodes labels.
type LabelRule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		// NamePrefix chooses the nodes.
		NamePrefix string `json:"namePrefix"`
		// FromAnnotation is copied into the label.
		FromAnnotation string `json:"fromAnnotation"`
		Label          string `json:"label"`
	} `json:"spec"`
}

// DeepCopyObject implements runtime.Object.
func (in *LabelRule) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// LabelRuleList is a list.
type LabelRuleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []LabelRule `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (in *LabelRuleList) DeepCopyObject() runtime.Object {
	out := &LabelRuleList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopyObject().(*LabelRule))
	}
	return out
}

// Labeler applies rules.
type Labeler struct {
	client.Client
}

// Reconcile applies one rule to all nodes.
func (l *Labeler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	rule := &LabelRule{}
	if err := l.Get(ctx, req.NamespacedName, rule); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if ignored(rule.Spec.FromAnnotation) {
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("rule %s: annotation %s changes all the time", rule.Name, rule.Spec.FromAnnotation))
	}
	nodes := &corev1.NodeList{}
	if err := l.List(ctx, nodes); err != nil {
		return reconcile.Result{}, err
	}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		want, ok := node.Annotations[rule.Spec.FromAnnotation]
		if !ok || !strings.HasPrefix(node.Name, rule.Spec.NamePrefix) || node.Labels[rule.Spec.Label] == want {
			continue
		}
		changed := node.DeepCopy()
		metav1.SetMetaDataLabel(&changed.ObjectMeta, rule.Spec.Label, want)
		if err := l.Patch(ctx, changed, client.MergeFrom(node)); err != nil {
			return reconcile.Result{}, fmt.Errorf("label node %s: %w", node.Name, err)
		}
		klog.FromContext(ctx).Info("labelled node", "node", node.Name, "label", rule.Spec.Label, "value", want)
	}
	return reconcile.Result{}, nil
}

func ignored(annotation string) bool {
	return slices.Contains(noisy, annotation) || strings.HasPrefix(annotation, "internal.acme.io/")
}

// stripped is the object without what changes all the time.
func stripped(o client.Object) client.Object {
	o = o.DeepCopyObject().(client.Object)
	annotations := o.GetAnnotations()
	for _, k := range noisy {
		delete(annotations, k)
	}
	maps.DeleteFunc(annotations, func(k, _ string) bool { return ignored(k) })
	o.SetAnnotations(annotations)
	o.SetResourceVersion("")
	o.SetManagedFields(nil)
	if node, ok := o.(*corev1.Node); ok {
		node.Status = corev1.NodeStatus{}
	}
	return o
}

func (l *Labeler) allRules(ctx context.Context, _ client.Object) []reconcile.Request {
	rules := &LabelRuleList{}
	if err := l.List(ctx, rules); err != nil {
		klog.FromContext(ctx).Error(err, "list rules")
		return nil
	}
	reqs := make([]reconcile.Request, len(rules.Items))
	for i := range rules.Items {
		reqs[i].Name = rules.Items[i].Name
	}
	return reqs
}

// SetupWithManager sets the controller up.
func (l *Labeler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&LabelRule{}).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(l.allRules), builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				return !equality.Semantic.DeepEqual(stripped(e.ObjectOld), stripped(e.ObjectNew))
			},
			DeleteFunc: func(event.DeleteEvent) bool { return false },
		})).
		Complete(l)
}
