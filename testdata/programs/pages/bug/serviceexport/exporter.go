// The exported slice shares the list of endpoints with the cached EndpointSlice, and the zone hints and node names are blanked in the cache, too.
//
//adv:rule=cachemutation sub=alias claim=yes

// Package serviceexport writes the endpoints of exported Services to the hub cluster.
package serviceexport

import (
	"context"
	"fmt"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	discoverylisters "k8s.io/client-go/listers/discovery/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

// Exporter copies EndpointSlices.
type Exporter struct {
	cluster  string
	hub      kubernetes.Interface
	hubNS    string
	services corelisters.ServiceLister
	slices   discoverylisters.EndpointSliceLister
	synced   []cache.InformerSynced
	queue    workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// NewExporter makes one for the local cluster.
func NewExporter(cluster string, hub kubernetes.Interface, hubNS string, local informers.SharedInformerFactory) (*Exporter, error) {
	svc, eps := local.Core().V1().Services(), local.Discovery().V1().EndpointSlices()
	e := &Exporter{
		cluster: cluster, hub: hub, hubNS: hubNS,
		services: svc.Lister(), slices: eps.Lister(),
		synced: []cache.InformerSynced{svc.Informer().HasSynced, eps.Informer().HasSynced},
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](time.Second, time.Minute)),
	}
	enqueue := func(obj any) {
		if key, err := cache.DeletionHandlingObjectToName(obj); err == nil {
			e.queue.Add(key)
		}
	}
	_, err := eps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, obj any) { enqueue(obj) },
		DeleteFunc: enqueue,
	})
	return e, err
}

// Run exports until ctx ends.
func (e *Exporter) Run(ctx context.Context) error {
	defer e.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), e.synced...) {
		return ctx.Err()
	}
	go func() {
		for {
			key, quit := e.queue.Get()
			if quit {
				return
			}
			if err := e.export(ctx, key); err != nil {
				klog.ErrorS(err, "export failed", "slice", key)
				e.queue.AddRateLimited(key)
			} else {
				e.queue.Forget(key)
			}
			e.queue.Done(key)
		}
	}()
	<-ctx.Done()
	return nil
}

func (e *Exporter) export(ctx context.Context, key cache.ObjectName) error {
	remote := fmt.Sprintf("%s-%s-%s", e.cluster, key.Namespace, key.Name)
	client := e.hub.DiscoveryV1().EndpointSlices(e.hubNS)

	local, err := e.slices.EndpointSlices(key.Namespace).Get(key.Name)
	if apierrors.IsNotFound(err) {
		if err := client.Delete(ctx, remote, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("delete export: %w", err)
		}
		return nil
	} else if err != nil {
		return err
	}
	svc, err := e.services.Services(key.Namespace).Get(local.Labels[discoveryv1.LabelServiceName])
	if err != nil || !labels.Set(svc.Labels).Has("export.example.org/enabled") {
		return nil
	}

	exported := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Name:      remote,
			Namespace: e.hubNS,
			Labels: map[string]string{
				discoveryv1.LabelServiceName: svc.Name,
				"export.example.org/cluster": e.cluster,
			},
		},
		AddressType: local.AddressType,
		Endpoints:   local.Endpoints,
		Ports:       local.Ports,
	}
	// Nodes and zones mean nothing in other clusters.
	for i := range exported.Endpoints {
		exported.Endpoints[i].NodeName = nil
		exported.Endpoints[i].Hints = nil
		exported.Endpoints[i].TargetRef = nil
	}

	have, err := client.Get(ctx, remote, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		_, err = client.Create(ctx, exported, metav1.CreateOptions{})
	case err == nil && !equality.Semantic.DeepEqual(have.Endpoints, exported.Endpoints):
		exported.ResourceVersion = have.ResourceVersion
		_, err = client.Update(ctx, exported, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}
