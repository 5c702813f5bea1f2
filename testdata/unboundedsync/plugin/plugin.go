// Package plugin has a plugin of the scheduler, which waits for caches when it is made.
package plugin

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kube-scheduler/framework"
)

var errNotSynced = errors.New("caches are not synced")

type plugin struct{ handle framework.Handle }

// Name is that of the plugin.
func (p *plugin) Name() string { return "example" }

// New makes it, before the scheduler begins to work.
func New(_ context.Context, _ runtime.Object, handle framework.Handle) (framework.Plugin, error) {
	factory := informers.NewSharedInformerFactory(handle.ClientSet(), 0)
	if err := synced(factory); err != nil {
		return nil, err
	}
	return &plugin{handle}, nil
}

func synced(factory informers.SharedInformerFactory) error {
	pods := factory.Core().V1().Pods().Informer()
	stop := make(chan struct{})
	factory.Start(stop)
	if !cache.WaitForCacheSync(stop, pods.HasSynced) { // ok: a part of the start
		return errNotSynced
	}
	return nil
}

// Again is no such function, though it gives a plugin: who calls it has a context.
func Again(ctx context.Context, handle framework.Handle, ready func() bool) framework.Plugin {
	stop := make(chan struct{})
	cache.WaitForCacheSync(stop, ready) // want neverstops "cache.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @42 "nothing closes its stop channel"
	return &plugin{handle}
}
