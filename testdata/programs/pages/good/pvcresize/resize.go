// The handler of deletions seems only to enqueue, but the method that it goes through settles the claim in the store first, for tombstones as well.
//
//adv:rule=expectttl sub=asymmetric claim=no

package pvcresize

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const groupLabel = "storage.example.com/group"

// Resizer keeps the claims of a group at one size.
type Resizer struct {
	kube   kubernetes.Interface
	claims corelisters.PersistentVolumeClaimLister
	synced cache.InformerSynced
	queue  workqueue.TypedRateLimitingInterface[types.NamespacedName]
	expect updates
}

func NewResizer(kube kubernetes.Interface, f informers.SharedInformerFactory) (*Resizer, error) {
	inf := f.Core().V1().PersistentVolumeClaims()
	r := &Resizer{
		kube:   kube,
		claims: inf.Lister(),
		synced: inf.Informer().HasSynced,
		queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[types.NamespacedName]()),
		expect: updates{open: map[types.NamespacedName]map[types.UID]bool{}},
	}
	_, err := inf.Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, _ bool) { r.enqueue(obj) },
		UpdateFunc: func(was, now any) { r.settle(was); r.settle(now) },
		DeleteFunc: func(obj any) { r.enqueueGone(obj) },
	})
	return r, err
}

func (r *Resizer) Run(ctx context.Context) error {
	defer r.queue.ShutDown()
	if !cache.WaitForNamedCacheSyncWithContext(ctx, r.synced) {
		return fmt.Errorf("claims did not sync")
	}
	go wait.UntilWithContext(ctx, r.work, time.Second)
	<-ctx.Done()
	return nil
}

func (r *Resizer) work(ctx context.Context) {
	for {
		group, down := r.queue.Get()
		if down {
			return
		}
		if err := r.sync(ctx, group); err != nil {
			utilruntime.HandleErrorWithContext(ctx, err, "group was not resized", "group", group)
			r.queue.AddRateLimited(group)
		} else {
			r.queue.Forget(group)
		}
		r.queue.Done(group)
	}
}

func (r *Resizer) sync(ctx context.Context, group types.NamespacedName) error {
	members, err := r.claims.PersistentVolumeClaims(group.Namespace).List(labels.SelectorFromSet(labels.Set{groupLabel: group.Name}))
	if err != nil {
		return err
	}
	if len(members) == 0 {
		r.expect.Forget(group)
		return nil
	}
	if !r.expect.Satisfied(group) {
		return fmt.Errorf("group %s: updates are on their way", group)
	}
	largest := members[0].Spec.Resources.Requests[corev1.ResourceStorage]
	for _, m := range members[1:] {
		if q := m.Spec.Resources.Requests[corev1.ResourceStorage]; q.Cmp(largest) > 0 {
			largest = q
		}
	}
	for _, m := range members {
		if q := m.Spec.Resources.Requests[corev1.ResourceStorage]; q.Cmp(largest) == 0 || m.DeletionTimestamp != nil {
			continue
		}
		m = m.DeepCopy()
		m.Spec.Resources.Requests[corev1.ResourceStorage] = largest
		r.expect.ExpectUpdate(group, m.UID)
		if _, err := r.kube.CoreV1().PersistentVolumeClaims(m.Namespace).Update(ctx, m, metav1.UpdateOptions{}); err != nil {
			r.expect.ObserveUpdate(group, m.UID)
			if apierrors.IsNotFound(err) {
				continue
			}
			return fmt.Errorf("claim %s: %w", m.Name, err)
		}
	}
	return nil
}
