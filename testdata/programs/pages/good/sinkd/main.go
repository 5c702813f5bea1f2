// The informers have to sync within a timeout and the daemon goes on to serve behind that, but only the wait has the context with the timeout: the informers were started with that of the process.
//
//adv:rule=startctx sub=replaced claim=no

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

var (
	kubeconfig  = flag.String("kubeconfig", "", "path of a kubeconfig, when outside of a cluster")
	addr        = flag.String("addr", ":8080", "")
	syncTimeout = flag.Duration("cache-sync-timeout", 2*time.Minute, "")
)

func main() {
	klog.InitFlags(nil)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		klog.ErrorS(err, "sink failed")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
}

func run(ctx context.Context) error {
	cfg, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(kube, 10*time.Minute)
	s := &sink{services: factory.Core().V1().Services().Lister()}
	factory.Core().V1().Services().Informer()

	factory.Start(ctx.Done())
	if err := waitForSync(ctx, factory); err != nil {
		return err
	}
	klog.FromContext(ctx).Info("caches are in sync")

	g, ctx := errgroup.WithContext(ctx)
	srv := &http.Server{Addr: *addr, Handler: s, ReadHeaderTimeout: 5 * time.Second}
	g.Go(func() error {
		if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		defer cancel()
		return srv.Shutdown(grace)
	})
	return g.Wait()
}

func waitForSync(ctx context.Context, factory informers.SharedInformerFactory) error {
	ctx, cancel := context.WithTimeoutCause(ctx, *syncTimeout, errors.New("the API server is too slow"))
	defer cancel()
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			return fmt.Errorf("cache of %v: %w", kind, context.Cause(ctx))
		}
	}
	return nil
}

// sink takes events and sends them to whoever has asked for them.
type sink struct {
	services corelisters.ServiceLister
}

func (s *sink) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	kind := req.Header.Get("Ce-Type")
	if kind == "" {
		http.Error(w, "no type", http.StatusBadRequest)
		return
	}
	targets, err := s.services.List(labels.SelectorFromSet(labels.Set{"sink/type": kind}))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	for _, t := range targets {
		fmt.Fprintf(w, "%s.%s.svc\n", t.Name, t.Namespace)
	}
}
