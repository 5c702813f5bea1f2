// The generic handler asserts the kind of a deleted object behind a function of its package that takes it out of the tombstone.
//
//adv:rule=eventfilter sub=tombstone claim=no
package main

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/good/connlimiter/events"
)

const limitAnnotation = "limits.proxy.example/connections"

// entry is the limit of an address, and the pod that has it now.
type entry struct {
	pod   string
	limit int
}

// limits counts how many connections the addresses of pods may have.
type limits struct {
	mu     sync.RWMutex
	byAddr map[string]entry
	addrs  map[string][]string // of a pod
}

var _ events.Sink[*corev1.Pod] = &limits{}

// Put implements events.Sink.
func (l *limits) Put(pod *corev1.Pod) {
	limit, err := strconv.Atoi(pod.Annotations[limitAnnotation])
	if err != nil || pod.Spec.HostNetwork || finished(pod) {
		l.Drop(pod)
		return
	}
	key := cache.MetaObjectToName(pod).String()

	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(key)
	var addrs []string
	for _, ip := range pod.Status.PodIPs {
		addrs = append(addrs, ip.IP)
		l.byAddr[ip.IP] = entry{key, limit}
	}
	l.addrs[key] = addrs
}

// Drop implements events.Sink.
func (l *limits) Drop(pod *corev1.Pod) {
	key := cache.MetaObjectToName(pod).String()

	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(key)
	delete(l.addrs, key)
}

// forget takes away the addresses that are still those of the pod.
func (l *limits) forget(pod string) {
	for _, addr := range l.addrs[pod] {
		if l.byAddr[addr].pod == pod {
			delete(l.byAddr, addr)
		}
	}
}

func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// Of gives the limit of an address, and whether there is one.
func (l *limits) Of(addr string) (int, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	found, ok := l.byAddr[addr]
	return found.limit, ok
}

func podsOf(node string) func(*metav1.ListOptions) {
	return func(options *metav1.ListOptions) {
		options.FieldSelector = "spec.nodeName=" + node
	}
}

func run(ctx context.Context, node string) error {
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithTweakListOptions(podsOf(node)))

	table := &limits{byAddr: map[string]entry{}, addrs: map[string][]string{}}
	if _, err := factory.Core().V1().Pods().Informer().AddEventHandler(events.To[*corev1.Pod](table)); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	klog.InfoS("Limiter is ready", "node", node)
	return serve(ctx, table.Of)
}

func serve(ctx context.Context, _ func(string) (int, bool)) error {
	<-ctx.Done()
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Getenv("NODE_NAME")); err != nil {
		klog.ErrorS(err, "Limiter failed")
		os.Exit(1)
	}
}
