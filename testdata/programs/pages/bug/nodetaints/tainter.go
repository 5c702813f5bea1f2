// The iterator over a pool yields the nodes of the lister as they are, and the tainter cordons them and sets their taints in place before its update, so a failed update is never tried again.
//
//adv:rule=cachemutation sub=returned claim=near

// Package nodetaints takes pools out of service for maintenance.
package nodetaints

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/bug/nodetaints/inventory"
)

const maintenance = "maintenance.example.org/pool"

// Window tells which pools are in maintenance now.
type Window interface {
	Open(now time.Time) (pools []string)
}

// Tainter taints nodes.
type Tainter struct {
	client  kubernetes.Interface
	nodes   *inventory.Nodes
	synced  cache.InformerSynced
	window  Window
	maximum int
}

// NewTainter makes one that takes at most maximum nodes out of service in a pass.
func NewTainter(client kubernetes.Interface, factory informers.SharedInformerFactory, window Window, maximum int) *Tainter {
	nodes := factory.Core().V1().Nodes()
	return &Tainter{
		client:  client,
		nodes:   inventory.New(nodes.Lister()),
		synced:  nodes.Informer().HasSynced,
		window:  window,
		maximum: maximum,
	}
}

// Run taints until ctx ends.
func (t *Tainter) Run(ctx context.Context) error {
	if !cache.WaitForNamedCacheSync("tainter", ctx.Done(), t.synced) {
		return errors.New("nodes did not sync")
	}
	wait.JitterUntilWithContext(ctx, func(ctx context.Context) {
		for _, pool := range t.window.Open(time.Now()) {
			if err := t.drainPool(ctx, pool); err != nil {
				klog.FromContext(ctx).Error(err, "pool not drained", "pool", pool)
			}
		}
	}, time.Minute, 0.2, true)
	return nil
}

func (t *Tainter) drainPool(ctx context.Context, pool string) error {
	logger := klog.FromContext(ctx).WithValues("pool", pool)
	tainted := 0
	for node := range t.nodes.InPool(pool) {
		if !inventory.Ready(node) || hasTaint(node) {
			continue
		}
		if tainted++; tainted > t.maximum {
			logger.Info("enough for this pass", "maximum", t.maximum)
			return nil
		}
		now := metav1.Now()
		node.Spec.Unschedulable = true
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{
			Key: maintenance, Value: pool, Effect: corev1.TaintEffectNoExecute, TimeAdded: &now,
		})
		if _, err := t.client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("taint %s: %w", node.Name, err)
		}
		logger.Info("node taken out of service", "node", node.Name)
	}
	return nil
}

func hasTaint(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == maintenance })
}
