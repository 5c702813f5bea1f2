// Methods of the allocator that take its mutex call only those that are for holders of it, and String, which logs call with the mutex held, reads atomics alone.
//
//adv:rule=lockheld sub=relock claim=no

package portalloc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const portAnnotation = "games.acme.io/port"

var errNoPorts = errors.New("all ports are taken")

type allocator struct {
	first, last int32
	used        atomic.Int32

	mu    sync.Mutex
	ports map[types.UID]int32
	taken map[int32]bool
}

func newAllocator(first, last int32) *allocator {
	return &allocator{first: first, last: last, ports: map[types.UID]int32{}, taken: map[int32]bool{}}
}

func (a *allocator) String() string {
	return fmt.Sprintf("%d-%d (%d used)", a.first, a.last, a.used.Load())
}

// Allocate gives the port of the pod, which may be one that it has.
func (a *allocator) Allocate(uid types.UID) (int32, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if port, ok := a.ports[uid]; ok {
		return port, nil
	}
	port, ok := a.nextLocked()
	if !ok {
		return 0, fmt.Errorf("range %s: %w", a, errNoPorts)
	}
	a.takeLocked(uid, port)
	return port, nil
}

// Adopt notes a port that the pod has had before this process began.
func (a *allocator) Adopt(uid types.UID, port int32) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if old, ok := a.ports[uid]; ok {
		if old == port {
			return
		}
		a.freeLocked(uid)
	}
	a.takeLocked(uid, port)
}

// Free gives the port back.
func (a *allocator) Free(uid types.UID) {
	a.mu.Lock()
	a.freeLocked(uid)
	a.mu.Unlock()
}

func (a *allocator) nextLocked() (int32, bool) {
	for p := a.first; p <= a.last; p++ {
		if !a.taken[p] {
			return p, true
		}
	}
	return 0, false
}

func (a *allocator) takeLocked(uid types.UID, port int32) {
	a.ports[uid] = port
	a.taken[port] = true
	a.used.Add(1)
}

func (a *allocator) freeLocked(uid types.UID) {
	if port, ok := a.ports[uid]; ok {
		delete(a.ports, uid)
		delete(a.taken, port)
		a.used.Add(-1)
	}
}

// GameServerReconciler gives each game server a port of its node.
type GameServerReconciler struct {
	client.Client
	ports *allocator
}

func (r *GameServerReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if have := pod.Annotations[portAnnotation]; have != "" {
		var port int32
		if _, err := fmt.Sscan(have, &port); err == nil {
			r.ports.Adopt(pod.UID, port)
		}
		return ctrl.Result{}, nil
	}
	port, err := r.ports.Allocate(pod.UID)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
			return err
		}
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, portAnnotation, fmt.Sprint(port))
		return r.Update(ctx, pod)
	})
	if err != nil {
		r.ports.Free(pod.UID)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	log.FromContext(ctx).Info("port given", "port", port, "range", r.ports.String())
	return ctrl.Result{}, nil
}

// SetupWithManager registers the reconciler.
func (r *GameServerReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.ports = newAllocator(30000, 30999)
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}).
		WithEventFilter(predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
			r.ports.Free(e.Object.GetUID())
			return false
		}}).
		Complete(r)
}
