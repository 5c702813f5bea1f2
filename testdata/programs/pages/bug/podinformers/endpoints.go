// The generic handler of package watch asserts the type of what DeleteFunc is given and only reports when that fails, so pods whose deletion was missed stay in the set of backends for ever.
//
//adv:rule=eventfilter sub=tombstone claim=near
package podinformers

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/bug/podinformers/watch"
)

// Balancer is told of the backends.
type Balancer interface {
	SetBackends(ips []string) error
}

// Backends follows the ready pods of an application.
type Backends struct {
	mu     sync.Mutex
	ips    map[types.NamespacedName]string
	dirty  chan struct{}
	target Balancer
	log    klog.Logger
}

// NewBackends makes the set.
func NewBackends(target Balancer, log klog.Logger) *Backends {
	return &Backends{
		ips:    make(map[types.NamespacedName]string),
		dirty:  make(chan struct{}, 1),
		target: target,
		log:    log.WithName("backends"),
	}
}

func keyOf(pod *corev1.Pod) types.NamespacedName {
	return types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
}

func (b *Backends) podChanged(pod *corev1.Pod) {
	ready := pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
	b.mu.Lock()
	if ready {
		b.ips[keyOf(pod)] = pod.Status.PodIP
	} else {
		delete(b.ips, keyOf(pod))
	}
	b.mu.Unlock()
	b.mark()
}

func (b *Backends) podGone(pod *corev1.Pod) {
	b.mu.Lock()
	delete(b.ips, keyOf(pod))
	b.mu.Unlock()
	b.mark()
}

func (b *Backends) mark() {
	select {
	case b.dirty <- struct{}{}:
	default:
	}
}

func (b *Backends) snapshot() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]string, 0, len(b.ips))
	for _, ip := range b.ips {
		out = append(out, ip)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Start follows the pods until the context ends.
func (b *Backends) Start(ctx context.Context, kube kubernetes.Interface, namespace, selector string) error {
	factory := informers.NewSharedInformerFactoryWithOptions(kube, 0,
		informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = selector }))
	pods := factory.Core().V1().Pods().Informer()
	reg, err := pods.AddEventHandler(watch.Handler(watch.Callbacks[*corev1.Pod]{
		Changed: b.podChanged,
		Gone:    b.podGone,
	}))
	if err != nil {
		return fmt.Errorf("watching pods: %w", err)
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), reg.HasSynced) {
		return ctx.Err()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-b.dirty:
			ips := b.snapshot()
			if err := b.target.SetBackends(ips); err != nil {
				b.log.Error(err, "cannot set backends, will retry")
				time.AfterFunc(5*time.Second, b.mark)
				continue
			}
			b.log.V(1).Info("set backends", "count", len(ips))
		}
	}
}
