// probeAsync gives out an unbuffered channel for its one verdict, and evaluate stops listening when the step's deadline or the context ends, so that the prober is stuck in its send for good.
//
//adv:rule=unboundedsync sub=abandoned claim=near

package canarygate

import (
	"context"
	"fmt"
	"net/http"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const (
	weightAnnotation = "rollout.acme.io/weight"
	urlAnnotation    = "rollout.acme.io/probe-url"
)

type verdict struct {
	healthy  bool
	failures int
	reason   string
}

type gate struct {
	client   client.Client
	web      *http.Client
	deadline time.Duration
	samples  int
}

// Add creates the canary gate and registers it with the manager.
func Add(mgr manager.Manager) error {
	g := &gate{
		client:   mgr.GetClient(),
		web:      &http.Client{Timeout: 30 * time.Second},
		deadline: 45 * time.Second,
		samples:  10,
	}
	c, err := controller.New("canary-gate", mgr, controller.Options{Reconciler: g, MaxConcurrentReconciles: 4})
	if err != nil {
		return err
	}
	return c.Watch(source.Kind(mgr.GetCache(), &appsv1.Deployment{}, &handler.TypedEnqueueRequestForObject[*appsv1.Deployment]{}))
}

func (g *gate) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	deploy := &appsv1.Deployment{}
	if err := g.client.Get(ctx, req.NamespacedName, deploy); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	url, ok := deploy.Annotations[urlAnnotation]
	if !ok || deploy.Annotations[weightAnnotation] == "100" {
		return reconcile.Result{}, nil
	}
	v, err := g.evaluate(ctx, req.NamespacedName, url)
	if err != nil {
		log.FromContext(ctx).Error(err, "no verdict about the canary", "url", url)
		return reconcile.Result{RequeueAfter: time.Minute}, nil
	}
	base := deploy.DeepCopy()
	if v.healthy {
		deploy.Annotations[weightAnnotation] = "100"
	} else {
		deploy.Annotations[weightAnnotation] = "0"
		deploy.Spec.Replicas = ptr.To[int32](0)
	}
	return reconcile.Result{}, g.client.Patch(ctx, deploy, client.MergeFrom(base))
}

func (g *gate) evaluate(ctx context.Context, name types.NamespacedName, url string) (verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, g.deadline)
	defer cancel()
	verdicts := g.probeAsync(url)
	select {
	case v := <-verdicts:
		return v, nil
	case <-ctx.Done():
		return verdict{}, fmt.Errorf("canary %s: %w", name, ctx.Err())
	}
}

// probeAsync takes the samples and tells the verdict once.
func (g *gate) probeAsync(url string) <-chan verdict {
	out := make(chan verdict)
	go func() {
		var v verdict
		for i := 0; i < g.samples; i++ {
			resp, err := g.web.Get(url)
			if err != nil {
				v.failures++
				v.reason = err.Error()
				continue
			}
			_ = resp.Body.Close()
			if resp.StatusCode >= http.StatusInternalServerError {
				v.failures++
				v.reason = resp.Status
			}
		}
		v.healthy = v.failures*10 < g.samples
		out <- v
	}()
	return out
}
