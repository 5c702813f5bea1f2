// The wait for the caches has a deadline of a minute and its result is only logged, so that with an API server that is slow the pools are empty and the labels of all nodes are removed.
//
//adv:rule=unboundedsync sub=ignoredresult claim=yes

package nodelabeler

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

const (
	poolLabel     = "pools.acme.io/pool"
	poolSelector  = "pools.acme.io/definition=true"
	syncTimeout   = time.Minute
	resyncEvery   = 5 * time.Minute
	poolNamespace = "kube-pools"
)

// Labeler puts the label of its pool on each node. Pools are config maps with a list of nodes.
type Labeler struct {
	kube    kubernetes.Interface
	factory informers.SharedInformerFactory
	nodes   corelisters.NodeLister
	pools   corelisters.ConfigMapLister
	synced  []cache.InformerSynced
}

// New makes a Labeler.
func New(kube kubernetes.Interface) *Labeler {
	factory := informers.NewSharedInformerFactory(kube, 10*time.Minute)
	nodes, pools := factory.Core().V1().Nodes(), factory.Core().V1().ConfigMaps()
	return &Labeler{
		kube:    kube,
		factory: factory,
		nodes:   nodes.Lister(),
		pools:   pools.Lister(),
		synced:  []cache.InformerSynced{nodes.Informer().HasSynced, pools.Informer().HasSynced},
	}
}

// Run labels until the context ends.
func (l *Labeler) Run(ctx context.Context) error {
	defer utilruntime.HandleCrash()
	l.factory.Start(ctx.Done())

	klog.InfoS("Waiting for caches", "timeout", syncTimeout)
	syncCtx, cancel := context.WithTimeout(ctx, syncTimeout)
	ok := cache.WaitForCacheSync(syncCtx.Done(), l.synced...)
	cancel()
	klog.InfoS("Starting to label", "synced", ok)

	ticker := time.NewTicker(resyncEvery)
	defer ticker.Stop()
	for {
		if err := l.relabel(ctx); err != nil {
			utilruntime.HandleError(err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *Labeler) relabel(ctx context.Context) error {
	selector, err := labels.Parse(poolSelector)
	if err != nil {
		return err
	}
	pools, err := l.pools.ConfigMaps(poolNamespace).List(selector)
	if err != nil {
		return err
	}
	wanted := map[string]string{}
	for _, pool := range pools {
		for node := range sets.KeySet(pool.Data) {
			wanted[node] = pool.Name
		}
	}
	nodes, err := l.nodes.List(labels.Everything())
	if err != nil {
		return err
	}
	for _, node := range nodes {
		pool, has := wanted[node.Name]
		current, labelled := node.Labels[poolLabel]
		switch {
		case !has && labelled:
			err = l.patch(ctx, node, nil)
		case has && current != pool:
			err = l.patch(ctx, node, &pool)
		}
		if err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
	}
	return nil
}

func (l *Labeler) patch(ctx context.Context, node *corev1.Node, pool *string) error {
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]any{poolLabel: pool}}})
	if err != nil {
		return err
	}
	_, err = l.kube.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, body, metav1.PatchOptions{})
	return err
}
