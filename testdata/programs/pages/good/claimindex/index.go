// The delete handlers assert nothing themselves and leave when objects.Last says false, but objects.Last takes the object out of a tombstone, so that is left for foreign objects alone.
//
//adv:rule=eventfilter sub=tombstone claim=no
package claimindex

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/good/claimindex/objects"
)

// Index knows which pods use a claim.
type Index struct {
	mu     sync.RWMutex
	users  map[string]sets.Set[string] // pods by claim, both namespace/name
	unused func(claim string)
}

// NewIndex makes an Index that tells of claims that nobody uses any more.
func NewIndex(unused func(claim string)) *Index {
	return &Index{users: map[string]sets.Set[string]{}, unused: unused}
}

// UsersOf are the pods that use the claim.
func (x *Index) UsersOf(claim string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return sets.List(x.users[claim])
}

func claimsOf(pod *corev1.Pod) []string {
	var out []string
	for _, v := range pod.Spec.Volumes {
		if pvc := v.PersistentVolumeClaim; pvc != nil {
			out = append(out, pod.Namespace+"/"+pvc.ClaimName)
		}
	}
	return out
}

func (x *Index) podAdded(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, claim := range claimsOf(pod) {
		if x.users[claim] == nil {
			x.users[claim] = sets.New[string]()
		}
		x.users[claim].Insert(pod.Namespace + "/" + pod.Name)
	}
}

func (x *Index) podDeleted(obj any) {
	pod, ok := objects.Last[*corev1.Pod](obj)
	if !ok {
		return
	}
	var free []string
	x.mu.Lock()
	for _, claim := range claimsOf(pod) {
		users := x.users[claim]
		users.Delete(pod.Namespace + "/" + pod.Name)
		if users.Len() == 0 {
			delete(x.users, claim)
			free = append(free, claim)
		}
	}
	x.mu.Unlock()
	for _, claim := range free {
		x.unused(claim)
	}
}

func (x *Index) claimDeleted(obj any) {
	claim, ok := objects.Last[*corev1.PersistentVolumeClaim](obj)
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.users, claim.Namespace+"/"+claim.Name)
}

// Start fills the index and returns when it is complete.
func (x *Index) Start(ctx context.Context, kube kubernetes.Interface) error {
	factory := informers.NewSharedInformerFactory(kube, 12*time.Hour)
	pods, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, _ bool) { x.podAdded(obj) },
		UpdateFunc: func(before, after any) {
			// volumes never change, but another pod may have taken the name
			old, cur := before.(*corev1.Pod), after.(*corev1.Pod)
			if old.UID != cur.UID {
				x.podDeleted(old)
				x.podAdded(cur)
			}
		},
		DeleteFunc: x.podDeleted,
	})
	if err != nil {
		return fmt.Errorf("pods: %w", err)
	}
	claims, err := factory.Core().V1().PersistentVolumeClaims().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: x.claimDeleted,
	})
	if err != nil {
		return fmt.Errorf("claims: %w", err)
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), pods.HasSynced, claims.HasSynced) {
		return context.Cause(ctx)
	}
	klog.FromContext(ctx).Info("index of claims is complete")
	return nil
}
