// onNodeGone logs and returns when it is given a tombstone, so the pod CIDR of a node whose deletion was missed is never given back to the pool.
//
//adv:rule=eventfilter sub=tombstone claim=yes
package ipamnodes

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var errExhausted = errors.New("no free range")

// pool hands ranges out.
type pool struct {
	mu   sync.Mutex
	free []netip.Prefix
	used map[string]netip.Prefix
}

func (p *pool) take(node string) (netip.Prefix, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.used[node]; ok {
		return r, nil
	}
	if len(p.free) == 0 {
		return netip.Prefix{}, errExhausted
	}
	r := p.free[0]
	p.free = p.free[1:]
	p.used[node] = r
	return r, nil
}

// adopt marks what a node has already.
func (p *pool) adopt(node string, r netip.Prefix) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.free, r); i >= 0 {
		p.free = slices.Delete(p.free, i, i+1)
		p.used[node] = r
	}
}

func (p *pool) giveBack(node string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.used[node]; ok {
		delete(p.used, node)
		p.free = append(p.free, r)
	}
}

// Allocator gives each node a range of addresses.
type Allocator struct {
	kube  kubernetes.Interface
	nodes listers.NodeLister
	ready cache.InformerSynced
	queue workqueue.TypedRateLimitingInterface[string]
	pool  *pool
}

// New makes an Allocator that hears of nodes by the factory.
func New(kube kubernetes.Interface, factory informers.SharedInformerFactory, ranges []netip.Prefix) (*Allocator, error) {
	nodes := factory.Core().V1().Nodes()
	a := &Allocator{
		kube:  kube,
		nodes: nodes.Lister(),
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		pool:  &pool{free: ranges, used: map[string]netip.Prefix{}},
	}
	reg, err := nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: a.onNode,
		UpdateFunc: func(_, cur interface{}) {
			if node := cur.(*corev1.Node); node.Spec.PodCIDR == "" {
				a.onNode(node)
			}
		},
		DeleteFunc: a.onNodeGone,
	})
	if err != nil {
		return nil, err
	}
	a.ready = reg.HasSynced
	return a, nil
}

func (a *Allocator) onNode(obj interface{}) {
	node := obj.(*corev1.Node)
	if r, err := netip.ParsePrefix(node.Spec.PodCIDR); err == nil {
		a.pool.adopt(node.Name, r)
		return
	}
	a.queue.Add(node.Name)
}

func (a *Allocator) onNodeGone(obj interface{}) {
	node, ok := obj.(*corev1.Node)
	if !ok {
		klog.Errorf("unexpected object in delete handler: %T", obj)
		return
	}
	a.pool.giveBack(node.Name)
	klog.V(2).InfoS("range is free again", "node", klog.KObj(node), "range", node.Spec.PodCIDR)
	// somebody may have waited for a range
	a.requeueWaiting()
}

func (a *Allocator) requeueWaiting() {
	all, err := a.nodes.List(labels.Everything())
	if err != nil {
		klog.ErrorS(err, "listing nodes")
		return
	}
	for _, n := range all {
		if n.Spec.PodCIDR == "" {
			a.queue.Add(n.Name)
		}
	}
}

// Run works until the context ends.
func (a *Allocator) Run(ctx context.Context) {
	defer a.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), a.ready) {
		return
	}
	go wait.UntilWithContext(ctx, func(ctx context.Context) {
		for a.next(ctx) {
		}
	}, time.Second)
	<-ctx.Done()
}

func (a *Allocator) next(ctx context.Context) bool {
	name, shutdown := a.queue.Get()
	if shutdown {
		return false
	}
	defer a.queue.Done(name)
	switch err := a.assign(ctx, name); {
	case err == nil, errors.Is(err, errExhausted):
		a.queue.Forget(name) // a node that goes wakes those that wait
	default:
		klog.ErrorS(err, "assigning range", "node", name)
		a.queue.AddRateLimited(name)
	}
	return true
}

func (a *Allocator) assign(ctx context.Context, name string) error {
	node, err := a.nodes.Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil || node.Spec.PodCIDR != "" {
		return err
	}
	r, err := a.pool.take(name)
	if err != nil {
		return err
	}
	patch := fmt.Sprintf(`{"spec":{"podCIDR":%q,"podCIDRs":[%q]}}`, r, r)
	_, err = a.kube.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}
