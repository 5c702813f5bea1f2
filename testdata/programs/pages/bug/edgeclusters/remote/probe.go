// Package remote talks to edge clusters.
package remote

import (
	"context"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// Probe asks the cluster behind kubeconfig for its version until ctx ends.
func Probe(ctx context.Context, kubeconfig []byte, every time.Duration, report func(version string, err error)) error {
	cfg, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		return err
	}
	cfg.Timeout = every
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		if v, err := cs.Discovery().ServerVersion(); err != nil {
			report("", err)
		} else {
			report(v.GitVersion, nil)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}
