// Package briefly has programs that start informers, and wait for them with a timeout.
package briefly

import (
	"context"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

func factoryOf(client kubernetes.Interface) informers.SharedInformerFactory {
	return informers.NewSharedInformerFactory(client, 0)
}

// sink serves with informers that have ended.
func sink(ctx context.Context, client kubernetes.Interface, server *http.Server) {
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	factory.Start(limited.Done()) // want replaced "factory.Start gets the context with the timeout for the caches to sync: when that is over the informers end, and sink goes on (line 33) with what they had then; start them with a context that lasts" @25 "the timeout is set here"
	for kind, ok := range factory.WaitForCacheSync(limited.Done()) {
		if !ok {
			klog.Fatal(kind)
		}
	}
	if err := server.ListenAndServe(); err != nil {
		klog.Fatal(err)
	}
}

// lasting starts them with the context that lasts.
func lasting(ctx context.Context, client kubernetes.Interface, server *http.Server) {
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	factory.Start(ctx.Done()) // ok
	factory.WaitForCacheSync(limited.Done())
	if err := server.ListenAndServe(); err != nil {
		klog.Fatal(err)
	}
}

// alone has an informer on a goroutine, and waits for the end.
func alone(ctx context.Context, informer cache.SharedIndexInformer) {
	limited, cancel := context.WithDeadline(ctx, time.Now().Add(time.Minute))
	defer cancel()
	go informer.Run(limited.Done()) // want replaced "informer.Run gets the context with the timeout for the caches to sync: when that is over the informers end, and alone goes on (line 59) with what they had then; start them with a context that lasts" @53 "the timeout is set here"
	if !cache.WaitForCacheSync(limited.Done(), informer.HasSynced) {
		return
	}
	<-ctx.Done()
}

// lists needs them for one list.
func lists(ctx context.Context, client kubernetes.Interface) int {
	factory := factoryOf(client)
	store := factory.Core().V1().Pods().Informer().GetStore()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	factory.Start(limited.Done()) // ok: nothing goes on
	factory.WaitForCacheSync(limited.Done())
	return len(store.List())
}

// job has a time for all that it does.
func job(ctx context.Context, client kubernetes.Interface, server *http.Server) {
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	factory.Start(limited.Done()) // ok: the rest ends, too
	factory.WaitForCacheSync(limited.Done())
	go func() {
		_ = server.ListenAndServe()
	}()
	<-limited.Done()
}

// watches ends its server with the timeout.
func watches(ctx context.Context, client kubernetes.Interface, server *http.Server) {
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	factory.Start(limited.Done()) // ok: the rest ends, too
	factory.WaitForCacheSync(limited.Done())
	go func() {
		<-limited.Done()
		_ = server.Close()
	}()
	_ = server.ListenAndServe()
}

// once waits for work that comes to its end.
func once(ctx context.Context, client kubernetes.Interface, work func()) {
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	factory.Start(limited.Done()) // ok: for as long as the work
	factory.WaitForCacheSync(limited.Done())
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	<-done
}

// signalled waits for the signal to the process.
func signalled(client kubernetes.Interface) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	factory.Start(limited.Done()) // want replaced "factory.Start gets the context with the timeout for the caches to sync: when that is over the informers end, and signalled goes on (line 128) with what they had then; start them with a context that lasts" @124 "the timeout is set here"
	factory.WaitForCacheSync(limited.Done())
	<-ctx.Done()
}

// outer has a time for all of it.
func outer(ctx context.Context, client kubernetes.Interface) {
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
	factory := factoryOf(client)
	factory.Core().V1().Pods().Lister()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	factory.Start(limited.Done()) // ok: not for long
	factory.WaitForCacheSync(limited.Done())
	<-ctx.Done()
}
