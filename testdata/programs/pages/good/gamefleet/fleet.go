// The branch for an overdue expectation only logs and returns a plain Result in Reconcile, but the helper that it comes from has written the debt off and enqueued the fleet by the channel source before.
//
//adv:rule=expectttl sub=nowayout claim=no

package gamefleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/pages/good/gamefleet/seen"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type Fleet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Servers int            `json:"servers"`
		Pod     corev1.PodSpec `json:"pod"`
	} `json:"spec"`
}

func (f *Fleet) DeepCopyObject() runtime.Object {
	out := *f
	f.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	f.Spec.Pod.DeepCopyInto(&out.Spec.Pod)
	return &out
}

// errOverdue says that what was expected has been given up.
var errOverdue = errors.New("expectation is overdue")

type FleetReconciler struct {
	client.Client
	book  *seen.Book
	again chan event.GenericEvent
}

func (r *FleetReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.book = seen.NewBook(3 * time.Minute)
	r.again = make(chan event.GenericEvent, 128)
	observe := predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			r.book.Observe(e.Object.GetNamespace()+"/"+e.Object.GetLabels()["game/fleet"], e.Object.GetName())
			return true
		},
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&Fleet{}).
		Owns(&corev1.Pod{}, builder.WithPredicates(observe)).
		WatchesRawSource(source.Channel(r.again, &handler.EnqueueRequestForObject{})).
		Complete(r)
}

func (r *FleetReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	fleet := &Fleet{}
	if err := r.Get(ctx, req.NamespacedName, fleet); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.book.WriteOff(req.String())
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wait, err := r.settle(ctx, fleet)
	if errors.Is(err, errOverdue) {
		log.FromContext(ctx).Info("gave up waiting", "reason", err.Error())
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if wait > 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	return ctrl.Result{}, r.grow(ctx, fleet)
}

// settle says how long to wait for the cache yet.
func (r *FleetReconciler) settle(ctx context.Context, fleet *Fleet) (time.Duration, error) {
	key := client.ObjectKeyFromObject(fleet).String()
	ok, since := r.book.Satisfied(key)
	if ok {
		return 0, nil
	}
	if left := r.book.Limit() - since; left > 0 {
		return left, nil
	}
	n := r.book.WriteOff(key)
	select {
	case r.again <- event.GenericEvent{Object: fleet}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return 0, fmt.Errorf("%w: %d servers after %s", errOverdue, n, since)
}

func (r *FleetReconciler) grow(ctx context.Context, fleet *Fleet) error {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(fleet.Namespace), client.MatchingLabels{"game/fleet": fleet.Name}); err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(fleet).String()
	for range fleet.Spec.Servers - len(pods.Items) {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: fleet.Namespace,
				Name:      fleet.Name + "-" + utilrand.String(5),
				Labels:    map[string]string{"game/fleet": fleet.Name},
			},
			Spec: *fleet.Spec.Pod.DeepCopy(),
		}
		if err := ctrl.SetControllerReference(fleet, pod, r.Scheme()); err != nil {
			return err
		}
		r.book.Expect(key, pod.Name)
		if err := r.Create(ctx, pod); err != nil {
			r.book.Observe(key, pod.Name)
			return fmt.Errorf("server %s: %w", pod.Name, err)
		}
	}
	return nil
}
