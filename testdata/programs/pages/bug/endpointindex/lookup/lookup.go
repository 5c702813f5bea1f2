// Package lookup answers what belongs to a service.
package lookup

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// ByAddress gives the running pods of the service by their address.
func ByAddress(lister corelisters.PodLister, svc *corev1.Service) (map[string]*corev1.Pod, error) {
	if len(svc.Spec.Selector) == 0 {
		return nil, nil
	}
	pods, err := lister.Pods(svc.Namespace).List(labels.SelectorFromSet(svc.Spec.Selector))
	if err != nil {
		return nil, fmt.Errorf("pods of %s/%s: %w", svc.Namespace, svc.Name, err)
	}
	found := make(map[string]*corev1.Pod, len(pods))
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodRunning || pod.Status.PodIP == "" {
			continue
		}
		found[pod.Status.PodIP] = pod
	}
	return found, nil
}
