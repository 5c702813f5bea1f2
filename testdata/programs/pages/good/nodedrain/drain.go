// The node of the lister is only looked at: each try of RetryOnConflict reads
// the node anew, takes the finalizer off that copy and updates it.
//
//adv:rule=finalizerorder sub=notpersisted claim=no
package nodedrain

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const inventoryFinalizer = "inventory.rackline.io/node"

// Inventory is the data base of the machines; both calls may be repeated.
type Inventory interface {
	CheckIn(ctx context.Context, node, machine string) error
	CheckOut(ctx context.Context, node, machine string) error
}

type NodeController struct {
	kube      kubernetes.Interface
	nodes     corelisters.NodeLister
	synced    cache.InformerSynced
	queue     workqueue.TypedRateLimitingInterface[string]
	inventory Inventory
}

func NewNodeController(kube kubernetes.Interface, nodes coreinformers.NodeInformer, inv Inventory) (*NodeController, error) {
	c := &NodeController{
		kube:      kube,
		nodes:     nodes.Lister(),
		synced:    nodes.Informer().HasSynced,
		queue:     workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		inventory: inv,
	}
	add := func(obj any) {
		if node, ok := obj.(*corev1.Node); ok {
			c.queue.Add(node.Name)
		}
	}
	_, err := nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, obj any) { add(obj) },
	})
	return c, err
}

func (c *NodeController) Run(ctx context.Context) error {
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return fmt.Errorf("node cache did not sync")
	}
	go wait.UntilWithContext(ctx, func(ctx context.Context) {
		for c.processNext(ctx) {
		}
	}, time.Second)
	<-ctx.Done()
	return nil
}

func (c *NodeController) processNext(ctx context.Context) bool {
	name, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(name)
	if err := c.sync(ctx, name); err != nil {
		klog.FromContext(ctx).Error(err, "node not synced", "node", name)
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name)
	return true
}

func (c *NodeController) sync(ctx context.Context, name string) error {
	node, err := c.nodes.Get(name)
	if err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	guarded := slices.Contains(node.Finalizers, inventoryFinalizer)
	if node.DeletionTimestamp == nil {
		if !guarded {
			if err := c.edit(ctx, node, guard); err != nil {
				return fmt.Errorf("guarding node: %w", err)
			}
		}
		return c.inventory.CheckIn(ctx, node.Name, node.Status.NodeInfo.SystemUUID)
	}
	if !guarded {
		return nil
	}
	if err := c.inventory.CheckOut(ctx, node.Name, node.Status.NodeInfo.SystemUUID); err != nil {
		return fmt.Errorf("checking out: %w", err)
	}
	err = c.edit(ctx, node, func(fs []string) []string {
		return slices.DeleteFunc(fs, func(f string) bool { return f == inventoryFinalizer })
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func guard(fs []string) []string {
	if slices.Contains(fs, inventoryFinalizer) {
		return fs
	}
	return append(fs, inventoryFinalizer)
}

// edit changes the finalizers of the node, whoever else writes it meanwhile.
func (c *NodeController) edit(ctx context.Context, node *corev1.Node, change func([]string) []string) error {
	api := c.kube.CoreV1().Nodes()
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		live, err := api.Get(ctx, node.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if live.UID != node.UID {
			return fmt.Errorf("node %s is another one now", node.Name)
		}
		was := len(live.Finalizers)
		live.Finalizers = change(live.Finalizers)
		if len(live.Finalizers) == was {
			return nil
		}
		_, err = api.Update(ctx, live, metav1.UpdateOptions{})
		return err
	})
}
