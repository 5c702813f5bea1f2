// A failed create of a member takes the expectation back under the key of the member and not under that of the ring for which it was raised, so the ring waits out the whole timeout after each failure.
//
//adv:rule=expectttl sub=notlowered claim=near

package etcdring

import (
	"context"
	"fmt"
	"time"

	"example.com/pages/bug/etcdring/ledger"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type Ring struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RingSpec   `json:"spec,omitempty"`
	Status            RingStatus `json:"status,omitempty"`
}

type RingSpec struct {
	Size  int    `json:"size"`
	Image string `json:"image"`
}

type RingStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

func (r *Ring) DeepCopyObject() runtime.Object {
	out := &Ring{TypeMeta: r.TypeMeta, Spec: r.Spec}
	r.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	for _, c := range r.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *c.DeepCopy())
	}
	return out
}

type Reconciler struct {
	client.Client
	Scheme *runtime.Scheme
	ledger ledger.Interface
}

func Add(mgr ctrl.Manager) error {
	r := &Reconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme(), ledger: ledger.New(10 * time.Minute)}
	members := predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			r.ledger.CreationObserved(ringKeyOf(e.Object))
			return true
		},
		DeleteFunc: func(e event.DeleteEvent) bool {
			r.ledger.DeletionObserved(ringKeyOf(e.Object))
			return true
		},
	}
	return ctrl.NewControllerManagedBy(mgr).For(&Ring{}).Owns(&corev1.Pod{}, builder.WithPredicates(members)).Complete(r)
}

func ringKeyOf(pod client.Object) string {
	return pod.GetNamespace() + "/" + pod.GetLabels()["etcd/ring"]
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ring := &Ring{}
	if err := r.Get(ctx, req.NamespacedName, ring); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.ledger.DeleteExpectations(req.String())
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !r.ledger.SatisfiedExpectations(req.String()) {
		return ctrl.Result{RequeueAfter: 15 * time.Second}, nil
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(ring.Namespace), client.MatchingLabels{"etcd/ring": ring.Name}); err != nil {
		return ctrl.Result{}, err
	}
	cond := metav1.Condition{Type: "Complete", Status: metav1.ConditionTrue, Reason: "AllMembers"}
	if n := len(pods.Items); n < ring.Spec.Size {
		// One at a time: a ring must agree on each member before the next one.
		cond.Status, cond.Reason = metav1.ConditionFalse, "Growing"
		if err := r.join(ctx, ring, n); err != nil {
			return ctrl.Result{}, err
		}
	}
	if meta.SetStatusCondition(&ring.Status.Conditions, cond) {
		return ctrl.Result{}, r.Status().Update(ctx, ring)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) join(ctx context.Context, ring *Ring, ordinal int) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ring.Namespace,
			Name:      fmt.Sprintf("%s-%d-%s", ring.Name, ordinal, utilrand.String(4)),
			Labels:    map[string]string{"etcd/ring": ring.Name},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "etcd", Image: ring.Spec.Image}}},
	}
	if err := ctrl.SetControllerReference(ring, pod, r.Scheme); err != nil {
		return err
	}
	r.ledger.RaiseExpectations(client.ObjectKeyFromObject(ring).String(), 1, 0)
	if err := r.Create(ctx, pod); err != nil {
		log.FromContext(ctx).Error(err, "member was not made", "member", pod.Name)
		r.ledger.CreationObserved(client.ObjectKeyFromObject(pod).String())
		return fmt.Errorf("member %s: %w", pod.Name, err)
	}
	return nil
}
