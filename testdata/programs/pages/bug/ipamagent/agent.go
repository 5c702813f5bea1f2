// The generic handler asserts the kind and only logs when that fails, so a tombstone never comes to Removed and the address of the pod stays taken until the pool is empty.
//
//adv:rule=eventfilter sub=tombstone claim=near
package main

import (
	"context"
	"errors"
	"flag"
	"net/netip"
	"os"
	"os/signal"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"example.com/pages/bug/ipamagent/informer"
)

const poolAnnotation = "ipam.sidecar.net/static-pool"

var errPoolEmpty = errors.New("no address is left in the pool")

// Pool gives out the addresses of a prefix.
type Pool struct {
	mu     sync.Mutex
	prefix netip.Prefix
	taken  map[netip.Addr]string // by namespace/name of the pod
	byPod  map[string]netip.Addr
}

func newPool(prefix netip.Prefix) *Pool {
	return &Pool{prefix: prefix, taken: map[netip.Addr]string{}, byPod: map[string]netip.Addr{}}
}

// Acquire gives an address to a pod, always the same one.
func (p *Pool) Acquire(pod string) (netip.Addr, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if addr, ok := p.byPod[pod]; ok {
		return addr, nil
	}
	for addr := p.prefix.Addr().Next(); p.prefix.Contains(addr); addr = addr.Next() {
		if _, ok := p.taken[addr]; !ok {
			p.taken[addr], p.byPod[pod] = pod, addr
			return addr, nil
		}
	}
	return netip.Addr{}, errPoolEmpty
}

// Release takes the address of a pod back.
func (p *Pool) Release(pod string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if addr, ok := p.byPod[pod]; ok {
		delete(p.taken, addr)
		delete(p.byPod, pod)
		klog.InfoS("Released address", "pod", pod, "address", addr)
	}
}

type agent struct {
	pool *Pool
}

func (a *agent) podAdded(pod *corev1.Pod) {
	if _, ok := pod.Annotations[poolAnnotation]; !ok || finished(pod) {
		return
	}
	addr, err := a.pool.Acquire(cache.MetaObjectToName(pod).String())
	if err != nil {
		klog.ErrorS(err, "Cannot assign an address", "pod", klog.KObj(pod))
		return
	}
	klog.InfoS("Assigned address", "pod", klog.KObj(pod), "address", addr)
}

func (a *agent) podChanged(old, cur *corev1.Pod) {
	if !finished(old) && finished(cur) {
		a.podRemoved(cur)
	}
}

func (a *agent) podRemoved(pod *corev1.Pod) {
	a.pool.Release(cache.MetaObjectToName(pod).String())
}

func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func run(ctx context.Context, kubeconfig, cidr string) error {
	prefix, err := netip.ParsePrefix(cidr)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(clients, 10*time.Minute)
	pods := factory.Core().V1().Pods().Informer()

	a := &agent{pool: newPool(prefix)}
	events := informer.Typed[*corev1.Pod]{Added: a.podAdded, Changed: a.podChanged, Removed: a.podRemoved}
	if _, err := pods.AddEventHandler(events.Handler()); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	<-ctx.Done()
	factory.Shutdown()
	return nil
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	cidr := flag.String("pool", "10.64.0.0/22", "prefix of the pool")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *kubeconfig, *cidr); err != nil {
		klog.ErrorS(err, "Agent failed")
		os.Exit(1)
	}
}
