// Caches that have not synced within thirty seconds are only named in a warning, and the labels of every node are then taken away since the list of sites is empty.
//
//adv:rule=unboundedsync sub=ignoredresult claim=near

// Package edgelabels labels nodes with the edge site that a ConfigMap assigns them to.
package edgelabels

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/klog/v2"
)

const siteLabel = "edge.example.org/site"

// Options of the labeller.
type Options struct {
	Namespace   string
	Interval    time.Duration
	SyncTimeout time.Duration
}

// Option changes Options.
type Option func(*Options)

// WithInterval sets the time between two passes.
func WithInterval(d time.Duration) Option { return func(o *Options) { o.Interval = d } }

// Labeller compares nodes and sites.
type Labeller struct {
	client  kubernetes.Interface
	factory informers.SharedInformerFactory
	nodes   corelisters.NodeLister
	sites   corelisters.ConfigMapLister
	opts    Options
}

// New makes a Labeller.
func New(client kubernetes.Interface, opts ...Option) *Labeller {
	o := Options{Namespace: "edge-system", Interval: time.Minute, SyncTimeout: 30 * time.Second}
	for _, f := range opts {
		f(&o)
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	return &Labeller{
		client:  client,
		factory: factory,
		nodes:   factory.Core().V1().Nodes().Lister(),
		sites:   factory.Core().V1().ConfigMaps().Lister(),
		opts:    o,
	}
}

// Run labels nodes until ctx ends.
func (l *Labeller) Run(ctx context.Context) error {
	l.factory.Start(ctx.Done())
	defer l.factory.Shutdown()

	syncCtx, cancel := context.WithTimeout(ctx, l.opts.SyncTimeout)
	defer cancel()
	started := time.Now()
	for kind, ok := range l.factory.WaitForCacheSync(syncCtx.Done()) {
		if !ok {
			klog.Warningf("cache of %v not in sync after %s", kind, time.Since(started).Round(time.Second))
			continue
		}
		klog.V(2).Infof("cache of %v in sync", kind)
	}

	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if err := l.pass(ctx); err != nil {
			klog.ErrorS(err, "labelling failed")
		}
	}, l.opts.Interval)
	return nil
}

func (l *Labeller) pass(ctx context.Context) error {
	cms, err := l.sites.ConfigMaps(l.opts.Namespace).List(labels.Everything())
	if err != nil {
		return fmt.Errorf("list sites: %w", err)
	}
	siteOf := map[string]string{}
	for _, cm := range cms {
		for _, node := range strings.Fields(cm.Data["nodes"]) {
			siteOf[node] = cm.Name
		}
	}
	nodes, err := l.nodes.List(labels.Everything())
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	for _, node := range nodes {
		if err := l.label(ctx, node, siteOf[node.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Labeller) label(ctx context.Context, node *corev1.Node, site string) error {
	if node.Labels[siteLabel] == site {
		return nil
	}
	var value any // nil takes the label away
	if site != "" {
		value = site
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]any{siteLabel: value}}})
	if err != nil {
		return err
	}
	if _, err := l.client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("label node %s: %w", node.Name, err)
	}
	klog.InfoS("node labelled", "node", node.Name, "site", site)
	return nil
}
