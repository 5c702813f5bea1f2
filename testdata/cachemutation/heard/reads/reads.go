// Package reads asks a lister for services.
package reads

import (
	"context"

	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/cachemutation/heard/watch"
)

func owner(lister corelisters.ServiceLister, ns, name string) (string, error) {
	service, err := lister.Services(ns).Get(name)
	if err != nil {
		return "", err
	}
	return service.Annotations["example.com/owner"], nil
}

// keys makes keys of what it hears of, of whatever kind.
func keys(factory informers.SharedInformerFactory, keep func(string)) {
	_, _ = factory.Core().V1().Secrets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
				keep(key)
			}
		},
	})
}

func size(reader client.Client) (sum int) {
	var stock watch.Stock
	if err := reader.List(context.TODO(), &stock); err != nil {
		return 0
	}
	for _, part := range stock.Items {
		sum += part.Size
	}
	return sum
}
