// The lister's list is sorted and cut, which is the caller's own slice, and each pod is replaced by its copy in that slice before its annotations and labels are written to.
//
//adv:rule=cachemutation sub=write claim=no

package evictorder

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

const (
	poolLabel    = "spot.acme.io/pool"
	evictedLabel = "spot.acme.io/evicted"
	evictedAt    = "spot.acme.io/evicted-at"
	perRound     = 5
	tryAgain     = 5 * time.Minute
	roundSeconds = 30
)

// Evictor takes pods off expensive nodes, few at a time, the youngest first.
type Evictor struct {
	kube   kubernetes.Interface
	pods   corelisters.PodLister
	synced cache.InformerSynced
}

// New makes an evictor of a factory that the caller starts.
func New(kube kubernetes.Interface, f informers.SharedInformerFactory) *Evictor {
	pods := f.Core().V1().Pods()
	return &Evictor{kube: kube, pods: pods.Lister(), synced: pods.Informer().HasSynced}
}

// Run evicts until the context ends.
func (e *Evictor) Run(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), e.synced) {
		return ctx.Err()
	}
	tick := time.NewTicker(roundSeconds * time.Second)
	defer tick.Stop()
	for {
		if err := e.round(ctx, time.Now()); err != nil {
			klog.ErrorS(err, "Round failed")
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (e *Evictor) round(ctx context.Context, now time.Time) error {
	pods, err := e.pods.List(labels.SelectorFromSet(labels.Set{poolLabel: "expensive"}))
	if err != nil {
		return err
	}
	sort.Slice(pods, func(i, j int) bool {
		return pods[j].CreationTimestamp.Before(&pods[i].CreationTimestamp)
	})
	kept := pods[:0]
	for _, pod := range pods {
		if pod.DeletionTimestamp.IsZero() && due(pod, now) {
			kept = append(kept, pod)
		}
	}
	pods = kept[:min(len(kept), perRound)]

	var errs []error
	for i := range pods {
		pods[i] = pods[i].DeepCopy()
		metav1.SetMetaDataAnnotation(&pods[i].ObjectMeta, evictedAt, now.UTC().Format(time.RFC3339))
		if err := e.evict(ctx, pods[i]); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// due says whether the pod was never evicted, or so long ago that somebody must have refused it.
func due(pod *corev1.Pod, now time.Time) bool {
	at, err := time.Parse(time.RFC3339, pod.Annotations[evictedAt])
	return err != nil || now.Sub(at) > tryAgain
}

func (e *Evictor) evict(ctx context.Context, pod *corev1.Pod) error {
	pod.Labels[evictedLabel] = "true"
	updated, err := e.kube.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // the next round sees what has become of it
	}
	if err != nil {
		return fmt.Errorf("marking %s: %w", klog.KObj(pod), err)
	}
	err = e.kube.PolicyV1().Evictions(pod.Namespace).Evict(ctx, &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Namespace: updated.Namespace, Name: updated.Name},
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
