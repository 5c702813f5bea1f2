// No bug: the lister of the optional kind is asked for after the first Start of the factory, but the factory is then started once more, and waited for with a bound that is looked at.
//
//adv:rule=unboundedsync sub=neverstarted claim=no

// Package optionalkinds reports workloads without autoscaling, where the cluster has that.
package optionalkinds

import (
	"context"
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	"k8s.io/klog/v2"
)

// Reporter logs Deployments that nobody scales.
type Reporter struct {
	client  kubernetes.Interface
	factory informers.SharedInformerFactory

	deployments appslisters.DeploymentLister
	scalers     autoscalinglisters.HorizontalPodAutoscalerLister // nil where the kind is missing
}

// NewReporter makes one.
func NewReporter(client kubernetes.Interface) *Reporter {
	factory := informers.NewSharedInformerFactory(client, time.Hour)
	return &Reporter{client: client, factory: factory, deployments: factory.Apps().V1().Deployments().Lister()}
}

// Run reports until ctx ends.
func (r *Reporter) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer r.factory.Shutdown()
	defer cancel() // Shutdown waits for the informers, which end with this
	r.factory.Start(ctx.Done())
	if err := r.waitForCaches(ctx, time.Minute); err != nil {
		return err
	}
	has, err := r.hasAutoscaling(ctx)
	if err != nil {
		return fmt.Errorf("discovery: %w", err)
	}
	if has {
		r.scalers = r.factory.Autoscaling().V2().HorizontalPodAutoscalers().Lister()
		r.factory.Start(ctx.Done()) // starts what has been added
		if err := r.waitForCaches(ctx, time.Minute); err != nil {
			return err
		}
	}
	wait.UntilWithContext(ctx, r.report, 5*time.Minute)
	return nil
}

func (r *Reporter) waitForCaches(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for kind, ok := range r.factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			return fmt.Errorf("cache of %v did not sync within %s", kind, timeout)
		}
	}
	return nil
}

func (r *Reporter) hasAutoscaling(ctx context.Context) (bool, error) {
	var has bool
	err := wait.PollUntilContextTimeout(ctx, 2*time.Second, 30*time.Second, true, func(context.Context) (bool, error) {
		var err error
		has, err = discovery.IsResourceEnabled(r.client.Discovery(), autoscalingv2.SchemeGroupVersion.WithResource("horizontalpodautoscalers"))
		if err != nil {
			klog.V(1).ErrorS(err, "discovery failed, trying again")
			return false, nil
		}
		return true, nil
	})
	return has, err
}

func (r *Reporter) report(ctx context.Context) {
	logger := klog.FromContext(ctx)
	deployments, err := r.deployments.List(labels.Everything())
	if err != nil {
		logger.Error(err, "deployments not listed")
		return
	}
	scaled := map[string]bool{}
	if r.scalers != nil {
		scalers, err := r.scalers.List(labels.Everything())
		if err != nil {
			logger.Error(err, "autoscalers not listed")
			return
		}
		for _, s := range scalers {
			if s.Spec.ScaleTargetRef.Kind == "Deployment" {
				scaled[s.Namespace+"/"+s.Spec.ScaleTargetRef.Name] = true
			}
		}
	}
	for _, d := range deployments {
		if !scaled[d.Namespace+"/"+d.Name] {
			logger.Info("nobody scales this deployment", "deployment", klog.KObj(d))
		}
	}
}
