// The listers of pods and claims are asked for only after the factory was started, so they stay empty and each preview namespace looks idle and is deleted with what runs in it.
//
//adv:rule=unboundedsync sub=neverstarted claim=yes

// Package nsreaper deletes preview namespaces in which nothing runs any more.
package nsreaper

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// probe says why a namespace is in use, or nothing.
type probe interface {
	inUse(ns string) (reason string, err error)
}

type podProbe struct{ pods corelisters.PodLister }

func (p podProbe) inUse(ns string) (string, error) {
	pods, err := p.pods.Pods(ns).List(labels.Everything())
	if err != nil {
		return "", fmt.Errorf("list pods: %w", err)
	}
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodRunning || pod.Status.Phase == corev1.PodPending {
			return "pod " + pod.Name, nil
		}
	}
	return "", nil
}

type claimProbe struct {
	claims corelisters.PersistentVolumeClaimLister
}

func (p claimProbe) inUse(ns string) (string, error) {
	claims, err := p.claims.PersistentVolumeClaims(ns).List(labels.Everything())
	if err != nil {
		return "", fmt.Errorf("list claims: %w", err)
	}
	for _, pvc := range claims {
		if pvc.Annotations["preview.example.org/retain"] == "true" {
			return "claim " + pvc.Name, nil
		}
	}
	return "", nil
}

// Reaper is a Runnable.
type Reaper struct {
	client   kubernetes.Interface
	selector labels.Selector
	minAge   time.Duration
	interval time.Duration
}

// Start implements manager.Runnable.
func (r *Reaper) Start(ctx context.Context) error {
	factory := informers.NewSharedInformerFactory(r.client, 30*time.Minute)
	nsInformer := factory.Core().V1().Namespaces()
	nsLister := nsInformer.Lister()
	hasSynced := nsInformer.Informer().HasSynced

	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), hasSynced) {
		return errors.New("namespaces did not sync")
	}

	probes := []probe{
		podProbe{pods: factory.Core().V1().Pods().Lister()},
		claimProbe{claims: factory.Core().V1().PersistentVolumeClaims().Lister()},
	}

	ticker := time.NewTicker(r.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			namespaces, err := nsLister.List(r.selector)
			if err != nil {
				klog.ErrorS(err, "namespaces not listed")
				continue
			}
			for _, ns := range namespaces {
				if err := r.reap(ctx, ns, probes); err != nil {
					klog.ErrorS(err, "namespace not judged", "namespace", ns.Name)
				}
			}
		}
	}
}

func (r *Reaper) reap(ctx context.Context, ns *corev1.Namespace, probes []probe) error {
	if ns.DeletionTimestamp != nil || time.Since(ns.CreationTimestamp.Time) < r.minAge {
		return nil
	}
	for _, p := range probes {
		reason, err := p.inUse(ns.Name)
		if err != nil {
			return err
		}
		if reason != "" {
			klog.V(3).InfoS("namespace in use", "namespace", ns.Name, "by", reason)
			return nil
		}
	}
	klog.InfoS("deleting idle namespace", "namespace", ns.Name)
	return r.client.CoreV1().Namespaces().Delete(ctx, ns.Name, metav1.DeleteOptions{})
}

// AddToManager registers the reaper.
func AddToManager(mgr ctrl.Manager) error {
	client, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	return mgr.Add(&Reaper{
		client:   client,
		selector: labels.SelectorFromSet(labels.Set{"preview": "true"}),
		minAge:   6 * time.Hour,
		interval: 10 * time.Minute,
	})
}
