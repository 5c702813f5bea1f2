// reserve hands back the function that gives the lock of the inventory back, and bind forgets to call it where the pod asks for more GPUs than a card has slices.
//
//adv:rule=lockheld sub=leak claim=near

package gpulease

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	wantAnnotation  = "gpu.acme.io/slices"
	boundAnnotation = "gpu.acme.io/card"
	slicesPerCard   = 7
)

var errFull = errors.New("no card has so many free slices")

type inventory struct {
	sync.Mutex
	free  map[string]int
	bound map[types.UID]string
}

// reserve locks the inventory for one decision, and gives its free cards and what ends the decision.
func (i *inventory) reserve() (map[string]int, func(card string, n int)) {
	i.Lock()
	return i.free, func(card string, n int) {
		if card != "" {
			i.free[card] -= n
		}
		i.Unlock()
	}
}

func (i *inventory) giveBack(uid types.UID, n int) {
	i.Lock()
	defer i.Unlock()
	if card, ok := i.bound[uid]; ok {
		i.free[card] += n
		delete(i.bound, uid)
	}
}

func (i *inventory) note(uid types.UID, card string) {
	i.Lock()
	defer i.Unlock()
	i.bound[uid] = card
}

// PodReconciler binds pods to slices of GPUs.
type PodReconciler struct {
	client.Client
	cards *inventory
}

func (r *PodReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		n, _ := strconv.Atoi(pod.Annotations[wantAnnotation])
		r.cards.giveBack(pod.UID, n)
		return ctrl.Result{}, nil
	}
	if pod.Annotations[wantAnnotation] == "" || pod.Annotations[boundAnnotation] != "" {
		return ctrl.Result{}, nil
	}
	card, err := r.bind(pod)
	if errors.Is(err, errFull) {
		return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "pod cannot be bound")
		return ctrl.Result{}, nil
	}
	base := pod.DeepCopy()
	metav1.SetMetaDataAnnotation(&pod.ObjectMeta, boundAnnotation, card)
	return ctrl.Result{}, r.Patch(ctx, pod, client.MergeFrom(base))
}

func (r *PodReconciler) bind(pod *corev1.Pod) (string, error) {
	free, commit := r.cards.reserve()
	n, err := strconv.Atoi(pod.Annotations[wantAnnotation])
	if err != nil {
		commit("", 0)
		return "", fmt.Errorf("annotation %s: %w", wantAnnotation, err)
	}
	if n < 1 || n > slicesPerCard {
		return "", fmt.Errorf("pod wants %d slices, a card has %d", n, slicesPerCard)
	}
	for card, left := range free {
		if left >= n {
			commit(card, n)
			r.cards.note(pod.UID, card)
			return card, nil
		}
	}
	commit("", 0)
	return "", errFull
}

// SetupWithManager registers the reconciler.
func (r *PodReconciler) SetupWithManager(mgr ctrl.Manager, cards []string) error {
	r.Client = mgr.GetClient()
	r.cards = &inventory{free: map[string]int{}, bound: map[types.UID]string{}}
	for _, card := range cards {
		r.cards.free[card] = slicesPerCard
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}).
		WithEventFilter(predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
			n, _ := strconv.Atoi(e.Object.GetAnnotations()[wantAnnotation])
			r.cards.giveBack(e.Object.GetUID(), n)
			return false
		}}).
		Complete(r)
}
