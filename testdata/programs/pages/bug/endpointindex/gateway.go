// ByAddress gives out the pods of the lister in a map, and drain puts a readiness condition on one of them in place before UpdateStatus.
//
//adv:rule=cachemutation sub=returned claim=near

package endpointindex

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/bug/endpointindex/lookup"
)

const inRotation corev1.PodConditionType = "gateway.acme.io/in-rotation"

// Gateway is the load balancer.
type Gateway interface {
	// Unhealthy sends the addresses of a service that do not answer.
	Unhealthy(ctx context.Context) (namespace, service string, addresses []string, err error)
}

// Drainer takes pods that do not answer out of rotation.
type Drainer struct {
	kube     kubernetes.Interface
	services corelisters.ServiceLister
	pods     corelisters.PodLister
	synced   []cache.InformerSynced
	gateway  Gateway
}

// NewDrainer makes a drainer of a factory that the caller starts.
func NewDrainer(kube kubernetes.Interface, f informers.SharedInformerFactory, g Gateway) *Drainer {
	services, pods := f.Core().V1().Services(), f.Core().V1().Pods()
	return &Drainer{
		kube:     kube,
		gateway:  g,
		services: services.Lister(),
		pods:     pods.Lister(),
		synced:   []cache.InformerSynced{services.Informer().HasSynced, pods.Informer().HasSynced},
	}
}

// Run drains until the context ends.
func (d *Drainer) Run(ctx context.Context) error {
	if !cache.WaitForNamedCacheSyncWithContext(ctx, d.synced...) {
		return fmt.Errorf("drainer: %w", context.Cause(ctx))
	}
	logger := klog.FromContext(ctx).WithName("drainer")
	for ctx.Err() == nil {
		namespace, service, addresses, err := d.gateway.Unhealthy(ctx)
		if err != nil {
			return fmt.Errorf("gateway: %w", err)
		}
		if err := d.drain(ctx, namespace, service, addresses); err != nil {
			logger.Error(err, "drain failed", "service", klog.KRef(namespace, service))
		}
	}
	return nil
}

func (d *Drainer) drain(ctx context.Context, namespace, service string, addresses []string) error {
	svc, err := d.services.Services(namespace).Get(service)
	if err != nil {
		return err
	}
	pods, err := lookup.ByAddress(d.pods, svc)
	if err != nil {
		return err
	}
	for _, address := range addresses {
		pod, ok := pods[address]
		if !ok {
			continue
		}
		i := rotation(pod)
		switch {
		case i < 0:
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
				Type: inRotation, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Now(), Reason: "NoAnswer",
			})
		case pod.Status.Conditions[i].Status == corev1.ConditionFalse:
			continue
		default:
			pod.Status.Conditions[i].Status = corev1.ConditionFalse
			pod.Status.Conditions[i].LastTransitionTime = metav1.Now()
		}
		if _, err := d.kube.CoreV1().Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("pod %s at %s: %w", pod.Name, address, err)
		}
	}
	return nil
}

func rotation(pod *corev1.Pod) int {
	return slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == inRotation })
}
