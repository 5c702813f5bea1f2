// Command orphangc deletes PersistentVolumes that nobody claims.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"example.com/pages/bug/orphangc/collector"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	summary := flag.String("summary", "/var/run/orphangc/summary", "where to write what was done")
	workers := flag.Int("workers", 2, "number of workers")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()

	cfg, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatalf("kubeconfig: %v", err)
	}
	client := kubernetes.NewForConfigOrDie(cfg)
	factory := informers.NewSharedInformerFactory(client, time.Hour)
	gc, err := collector.New(client, factory.Core().V1().PersistentVolumes())
	if err != nil {
		klog.Fatalf("collector: %v", err)
	}
	factory.Start(ctx.Done())
	if err := gc.Run(ctx, *workers); err != nil {
		klog.ErrorS(err, "collector failed")
	}
	if err := os.WriteFile(*summary, []byte(gc.Summary()), 0o644); err != nil {
		klog.ErrorS(err, "summary not written")
	}
	klog.Flush()
}
