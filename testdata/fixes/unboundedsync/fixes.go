// Package fixes has findings that come with a fix.
package fixes

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
)

type result struct{ pods []*corev1.Pod }

func background(ctx context.Context, c crcache.Cache, synced cache.InformerSynced) error {
	if !c.WaitForCacheSync(context.Background()) {
		return fmt.Errorf("not synced: %w", ctx.Err())
	}
	if !cache.WaitForCacheSync(context.TODO().Done(), synced) {
		return fmt.Errorf("not synced: %w", ctx.Err())
	}
	return nil
}

func noContext(c crcache.Cache) bool {
	return c.WaitForCacheSync(context.Background())
}

func shadowed(ctx context.Context, c crcache.Cache) bool {
	{
		ctx := "another one"
		fmt.Println(ctx)
		return c.WaitForCacheSync(context.Background())
	}
}

func reconcile(ctx context.Context, stop <-chan struct{}, pods listers.PodLister, synced cache.InformerSynced) (ctrl.Result, error) {
	cache.WaitForCacheSync(stop, synced)
	all, err := pods.List(labels.Everything())
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("list: %w", err)
	}
	fmt.Println(ctx, all)
	return ctrl.Result{}, nil
}

func collect(f informers.SharedInformerFactory, stop <-chan struct{}, name string) (string, int, *result, error) {
	f.Start(stop)
	if name != "" {
		_ = f.WaitForCacheSync(stop)
	}
	return name, 0, &result{}, nil
}

func noError(f informers.SharedInformerFactory, stop <-chan struct{}) listers.PodLister {
	f.WaitForCacheSync(stop)
	return f.Core().V1().Pods().Lister()
}
