package pvcresize

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// updates are the claims of each group whose update is still to be seen.
type updates struct {
	mu   sync.Mutex
	open map[types.NamespacedName]map[types.UID]bool
}

func (u *updates) ExpectUpdate(group types.NamespacedName, uid types.UID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.open[group] == nil {
		u.open[group] = map[types.UID]bool{}
	}
	u.open[group][uid] = true
}

func (u *updates) ObserveUpdate(group types.NamespacedName, uid types.UID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.open[group], uid)
}

func (u *updates) Satisfied(group types.NamespacedName) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.open[group]) == 0
}

func (u *updates) Forget(group types.NamespacedName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.open, group)
}

func groupOf(obj any) (types.NamespacedName, *corev1.PersistentVolumeClaim) {
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = t.Obj
	}
	pvc, ok := obj.(*corev1.PersistentVolumeClaim)
	if !ok || pvc.Labels[groupLabel] == "" {
		return types.NamespacedName{}, nil
	}
	return types.NamespacedName{Namespace: pvc.Namespace, Name: pvc.Labels[groupLabel]}, pvc
}

func (r *Resizer) enqueue(obj any) {
	if group, pvc := groupOf(obj); pvc != nil {
		r.queue.Add(group)
	}
}

func (r *Resizer) enqueueGone(obj any) { r.settle(obj) }

// settle is for whatever has happened to a claim that is no creation.
func (r *Resizer) settle(obj any) {
	group, pvc := groupOf(obj)
	if pvc == nil {
		return
	}
	r.expect.ObserveUpdate(group, pvc.UID)
	r.queue.Add(group)
}
