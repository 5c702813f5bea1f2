// Package inventory knows the volume claims of one cluster.
package inventory

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Inventory is kept up to date by an informer. It remembers the bound claims only.
type Inventory struct {
	mu     sync.Mutex
	claims map[string]sets.Set[string] // names, by namespace
	lister corelisters.PersistentVolumeClaimLister
}

// Open returns once all claims of the cluster are known, and watches them until ctx ends.
func Open(ctx context.Context, clientset kubernetes.Interface) (*Inventory, error) {
	inv := &Inventory{claims: make(map[string]sets.Set[string])}
	factory := informers.NewSharedInformerFactory(clientset, 0)
	informer := factory.Core().V1().PersistentVolumeClaims().Informer()
	inv.lister = factory.Core().V1().PersistentVolumeClaims().Lister()
	handler, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { inv.update(obj.(*corev1.PersistentVolumeClaim)) },
		UpdateFunc: func(_, obj any) { inv.update(obj.(*corev1.PersistentVolumeClaim)) },
		DeleteFunc: func(obj any) {
			claim := obj.(*corev1.PersistentVolumeClaim)
			inv.remember(claim, false)
		},
	})
	if err != nil {
		return nil, err
	}

	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), handler.HasSynced) {
		return nil, errors.New("stopped before the claims were listed")
	}
	return inv, nil
}

// Claims are the names of the bound claims in a namespace.
func (i *Inventory) Claims(namespace string) ([]string, error) {
	i.mu.Lock()
	claims := i.claims[namespace]
	if len(claims) == 0 {
		return nil, fmt.Errorf("no claim in namespace %s is bound", namespace)
	}
	names := sets.List(claims)
	i.mu.Unlock()
	return names, nil
}

// Template is what a claim of that name has to be like for its archive to be put back.
func (i *Inventory) Template(namespace, name string) (*corev1.PersistentVolumeClaim, error) {
	claim, err := i.lister.PersistentVolumeClaims(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	claim.Spec.VolumeName = "" // it is bound to another volume then
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: claim.Labels},
		Spec:       claim.Spec,
	}, nil
}

func (i *Inventory) update(claim *corev1.PersistentVolumeClaim) {
	i.remember(claim, claim.Status.Phase == corev1.ClaimBound)
}

func (i *Inventory) remember(claim *corev1.PersistentVolumeClaim, bound bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	names := i.claims[claim.Namespace]
	switch {
	case !bound:
		names.Delete(claim.Name)
	case names == nil:
		i.claims[claim.Namespace] = sets.New(claim.Name)
	default:
		names.Insert(claim.Name)
	}
}
