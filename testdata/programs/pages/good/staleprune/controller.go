// The wait for the caches has a deadline and its result is not used, but each round asks HasSynced of both informers before it reads a lister, and prunes nothing until they have.
//
//adv:rule=unboundedsync sub=ignoredresult claim=no

package staleprune

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

const mirrorLabel = "mirror.acme.io/of-node"

// Pruner deletes the mirror config maps of nodes that are gone.
type Pruner struct {
	kube    kubernetes.Interface
	factory informers.SharedInformerFactory

	nodes      corelisters.NodeLister
	nodesReady cache.InformerSynced
	maps       corelisters.ConfigMapLister
	mapsReady  cache.InformerSynced
}

// NewPruner makes a pruner with informers of its own.
func NewPruner(kube kubernetes.Interface) *Pruner {
	f := informers.NewSharedInformerFactory(kube, time.Hour)
	p := &Pruner{kube: kube, factory: f}
	nodes := f.Core().V1().Nodes()
	p.nodes, p.nodesReady = nodes.Lister(), nodes.Informer().HasSynced
	maps := f.Core().V1().ConfigMaps()
	p.maps, p.mapsReady = maps.Lister(), maps.Informer().HasSynced
	return p
}

// Run prunes until the context ends. An API server that is slow does not keep it from coming up.
func (p *Pruner) Run(ctx context.Context) error {
	p.factory.Start(ctx.Done())
	defer p.factory.Shutdown()

	warmup, cancel := context.WithTimeout(ctx, 20*time.Second)
	cache.WaitForCacheSync(warmup.Done(), p.nodesReady, p.mapsReady)
	cancel()

	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		if !p.nodesReady() || !p.mapsReady() {
			klog.InfoS("Caches have not synced yet, nothing is pruned", "nodes", p.nodesReady(), "maps", p.mapsReady())
		} else if n, err := p.prune(ctx); err != nil {
			klog.ErrorS(err, "Prune failed", "pruned", n)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (p *Pruner) prune(ctx context.Context) (int, error) {
	nodes, err := p.nodes.List(labels.Everything())
	if err != nil {
		return 0, err
	}
	alive := sets.New[string]()
	for _, n := range nodes {
		alive.Insert(n.Name)
	}
	mirrored, err := labels.NewRequirement(mirrorLabel, "exists", nil)
	if err != nil {
		return 0, err
	}
	maps, err := p.maps.List(labels.NewSelector().Add(*mirrored))
	if err != nil {
		return 0, err
	}
	pruned := 0
	for _, cm := range maps {
		if alive.Has(cm.Labels[mirrorLabel]) {
			continue
		}
		err := p.kube.CoreV1().ConfigMaps(cm.Namespace).Delete(ctx, cm.Name, metav1.DeleteOptions{
			Preconditions: metav1.NewUIDPreconditions(string(cm.UID)),
		})
		if err != nil && !apierrors.IsNotFound(err) {
			return pruned, fmt.Errorf("mirror %s/%s: %w", cm.Namespace, cm.Name, err)
		}
		pruned++
	}
	return pruned, nil
}
