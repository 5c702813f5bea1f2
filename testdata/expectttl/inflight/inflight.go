// Package inflight marks what is under way.
package inflight

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type checks struct {
	client   client.Client
	mu       sync.Mutex
	starting map[types.NamespacedName]bool
	volumes  sync.Map
	syncing  atomic.Bool
	rounds   int32
}

func (c *checks) begin(name types.NamespacedName) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.starting[name] {
		return false
	}
	c.starting[name] = true
	return true
}

func (c *checks) end(name types.NamespacedName) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.starting, name)
}

// start forgets the mark where the pod was made, and was not found.
func (c *checks) start(ctx context.Context, name types.NamespacedName, pod *corev1.Pod) error {
	if !c.begin(name) {
		return fmt.Errorf("%s is being started", name)
	}
	if err := c.client.Create(ctx, pod); err != nil {
		c.end(name)
		return err
	}
	if err := c.client.Get(ctx, name, pod); err != nil {
		return fmt.Errorf("looking at %s: %w", name, err) // want inflight "(*checks).start fails here and leaves the mark of starting that it has set at line 42, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @42 "the mark is set here"
	}
	return nil // ok: the pod is under way
}

// deferred takes it off in any case.
func (c *checks) deferred(ctx context.Context, name types.NamespacedName, pod *corev1.Pod) error {
	if !c.begin(name) {
		return nil
	}
	defer c.end(name)
	if err := c.client.Create(ctx, pod); err != nil {
		return err // ok: by the defer
	}
	c.end(name)
	return nil
}

// each takes it off on all ways.
func (c *checks) each(ctx context.Context, name types.NamespacedName, pod *corev1.Pod) error {
	if c.begin(name) {
		if err := c.client.Create(ctx, pod); err != nil {
			c.end(name)
			return err
		}
		err := c.client.Delete(ctx, pod)
		c.end(name)
		if err != nil {
			return err // ok: it is off
		}
	}
	return nil
}

// others leaves it to a goroutine.
func (c *checks) others(ctx context.Context, name types.NamespacedName, pod *corev1.Pod) error {
	if !c.begin(name) {
		return nil
	}
	if err := c.client.Create(ctx, pod); err != nil {
		c.end(name)
		return err
	}
	go c.watch(name)
	if err := c.client.Get(ctx, name, pod); err != nil {
		return err // ok: the goroutine takes it off
	}
	return nil
}

func (c *checks) watch(name types.NamespacedName) { c.end(name) }

// never takes off nothing itself.
func (c *checks) never(ctx context.Context, name types.NamespacedName, pod *corev1.Pod) error {
	if !c.begin(name) {
		return nil
	}
	if err := c.client.Create(ctx, pod); err != nil {
		return err // ok: who takes it off is not said
	}
	return nil
}

// leaves it where the pod is under way.
func (c *checks) leaves(ctx context.Context, name types.NamespacedName, pod *corev1.Pod) error {
	if !c.begin(name) {
		return nil
	}
	if err := c.client.Create(ctx, pod); err != nil {
		c.end(name)
		return err
	}
	return nil // ok: it has not failed
}

// expand keeps its mark in a sync.Map.
func (c *checks) expand(ctx context.Context, id string, claim *corev1.PersistentVolumeClaim) error {
	if _, pending := c.volumes.LoadOrStore(id, true); pending {
		return fmt.Errorf("%s is pending", id)
	}
	if err := c.client.Get(ctx, client.ObjectKeyFromObject(claim), claim); err != nil {
		return err // want inflight "(*checks).expand fails here and leaves the mark of volumes that it has set at line 127, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @127 "the mark is set here"
	}
	err := c.client.Update(ctx, claim)
	c.volumes.Delete(id)
	return err
}

// sync has a flag.
func (c *checks) sync(ctx context.Context, pods *corev1.PodList) error {
	if !c.syncing.CompareAndSwap(false, true) {
		return nil
	}
	if err := c.client.List(ctx, pods); err != nil {
		return err // want inflight "(*checks).sync fails here and leaves the mark of syncing that it has set at line 140, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @140 "the mark is set here"
	}
	if len(pods.Items) == 0 {
		c.syncing.Store(false)
		return fmt.Errorf("no pods") // ok: it is off
	}
	c.syncing.Store(false)
	return nil
}

// round has a number.
func (c *checks) round(ctx context.Context, pods *corev1.PodList) error {
	if !atomic.CompareAndSwapInt32(&c.rounds, 0, 1) {
		return nil
	}
	if err := c.client.List(ctx, pods); err != nil {
		return err // want inflight "(*checks).round fails here and leaves the mark of rounds that it has set at line 156, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @156 "the mark is set here"
	}
	atomic.StoreInt32(&c.rounds, 0)
	return nil
}

// seen says what was there once; nobody is turned away.
func (c *checks) seen(ctx context.Context, pods *corev1.PodList) error {
	all := map[string]bool{}
	for _, p := range pods.Items {
		if all[p.Name] {
			return fmt.Errorf("%s is there twice", p.Name) // ok: a map of its own
		}
		all[p.Name] = true
	}
	return c.client.List(ctx, pods)
}
