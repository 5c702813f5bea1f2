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

// start forgets the mark where the pod is not found.
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
	c.end(name)
	return nil
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
		return err // want inflight "(*checks).expand fails here and leaves the mark of volumes that it has set at line 110, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @110 "the mark is set here"
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
		return err // want inflight "(*checks).sync fails here and leaves the mark of syncing that it has set at line 123, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @123 "the mark is set here"
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
		return err // want inflight "(*checks).round fails here and leaves the mark of rounds that it has set at line 139, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away" @139 "the mark is set here"
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

// releases are marks that others take off as well.
type releases struct {
	client          client.Client
	given, swept    sync.Map
	lowered, handed atomic.Int32
	hook            func()
}

// gives has a goroutine for it.
func (r *releases) gives(ctx context.Context, name string, pod *corev1.Pod) error {
	if _, busy := r.given.LoadOrStore(name, struct{}{}); busy {
		return nil
	}
	if err := r.client.Create(ctx, pod); err != nil {
		r.given.Delete(name)
		return err
	}
	go func() { r.given.Delete(name) }()
	if err := r.client.Update(ctx, pod); err != nil {
		return err // ok: the goroutine takes it off
	}
	return nil
}

// sweeps leaves it to the sweeper.
func (r *releases) sweeps(ctx context.Context, name string, pod *corev1.Pod) error {
	if _, busy := r.swept.LoadOrStore(name, true); busy {
		return nil
	}
	if err := r.client.Create(ctx, pod); err != nil {
		return err // ok: the sweeper lets it in again
	}
	r.swept.Delete(name)
	return nil
}

func (r *releases) sweep() {
	r.swept.Range(func(name, _ any) bool {
		r.swept.Delete(name)
		return true
	})
}

// lowers counts it down.
func (r *releases) lowers(ctx context.Context, pod *corev1.Pod) error {
	if !r.lowered.CompareAndSwap(0, 1) {
		return nil
	}
	if err := r.client.Create(ctx, pod); err != nil {
		r.lowered.Add(-1)
		return err // ok: it is off
	}
	r.lowered.Store(0)
	return nil
}

// hands has a hook for it.
func (r *releases) hands(ctx context.Context, pod *corev1.Pod) error {
	r.hook = func() { r.handed.Store(0) }
	return r.client.Create(ctx, pod)
}

func (r *releases) hooked(ctx context.Context, pod *corev1.Pod) error {
	if !r.handed.CompareAndSwap(0, 1) {
		return nil
	}
	if err := r.client.Create(ctx, pod); err != nil {
		r.hook()
		return err // ok: who has the hook takes it off
	}
	r.handed.Store(0)
	return nil
}

// before has it taken off in any case.
func (c *checks) before(ctx context.Context, pods *corev1.PodList) error {
	defer c.syncing.Store(false)
	if !c.syncing.CompareAndSwap(false, true) {
		return nil
	}
	if err := c.client.List(ctx, pods); err != nil {
		return err // ok: by the defer
	}
	c.syncing.Store(false)
	return nil
}

// once says that it was done.
func (c *checks) once(ctx context.Context, pod *corev1.Pod) error {
	if !c.syncing.CompareAndSwap(false, true) {
		return nil
	}
	if err := c.client.Create(ctx, pod); err != nil {
		c.syncing.Store(false)
		return err
	}
	if pod.Spec.NodeName == "" {
		return fmt.Errorf("%s has no node", pod.Name) // ok: no other try would help
	}
	return nil
}
