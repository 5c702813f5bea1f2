// progress throws away for how long the expectation has been waited for, but only after expire has looked at the time of the same key in the same run and has dropped what is overdue.
//
//adv:rule=expectttl sub=durationignored claim=no

package canaries

import (
	"context"
	"fmt"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	canaryOf = "rollouts.example.com/canary-of"
	maxWait  = 90 * time.Second
	recheck  = 20 * time.Second
)

type verdict string

const (
	waiting  verdict = "Waiting"
	stepping verdict = "Stepping"
	done     verdict = "Done"
)

// generations says which generation of a canary the cache has to show.
type generations struct {
	mu   sync.Mutex
	want map[string]int64
	at   map[string]time.Time
}

func (g *generations) Expect(key string, gen int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.want[key], g.at[key] = gen, time.Now()
}

func (g *generations) Observe(key string, gen int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if gen >= g.want[key] {
		delete(g.want, key)
		delete(g.at, key)
	}
}

func (g *generations) IsSatisfied(key string) (bool, time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, open := g.want[key]; open {
		return false, time.Since(g.at[key])
	}
	return true, 0
}

func (g *generations) Forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.want, key)
	delete(g.at, key)
}

type CanaryReconciler struct {
	client.Client
	gens generations
}

func (r *CanaryReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.gens.want, r.gens.at = map[string]int64{}, map[string]time.Time{}
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	seen := func(o client.Object, q queue) {
		if o.GetLabels()[canaryOf] == "" {
			return
		}
		key := client.ObjectKeyFromObject(o)
		r.gens.Observe(key.String(), o.GetGeneration())
		q.Add(reconcile.Request{NamespacedName: key})
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("canary").
		Watches(&appsv1.Deployment{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q queue) { seen(e.Object, q) },
			UpdateFunc: func(_ context.Context, e event.UpdateEvent, q queue) { seen(e.ObjectNew, q) },
			DeleteFunc: func(_ context.Context, e event.DeleteEvent, _ queue) {
				r.gens.Forget(client.ObjectKeyFromObject(e.Object).String())
			},
		}).
		Complete(r)
}

func (r *CanaryReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	canary := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, canary); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stable := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: canary.Labels[canaryOf]}, stable); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, fmt.Errorf("stable of %s: %w", req, err)
	}
	r.gens.Observe(req.String(), canary.Generation)
	if r.expire(req.String()) {
		log.FromContext(ctx).Info("the update was not seen in time", "canary", req)
	}
	v, err := r.progress(ctx, req.String(), canary, stable)
	if err != nil {
		return ctrl.Result{}, err
	}
	log.FromContext(ctx).V(1).Info("canary", "verdict", v)
	if v == done {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{RequeueAfter: recheck}, nil
}

// expire drops what has been waited for too long.
func (r *CanaryReconciler) expire(key string) bool {
	ok, since := r.gens.IsSatisfied(key)
	if ok || since < maxWait {
		return false
	}
	r.gens.Forget(key)
	return true
}

func (r *CanaryReconciler) progress(ctx context.Context, key string, canary, stable *appsv1.Deployment) (verdict, error) {
	if ok, _ := r.gens.IsSatisfied(key); !ok {
		return waiting, nil
	}
	have, goal := ptr.Deref(canary.Spec.Replicas, 1), ptr.Deref(stable.Spec.Replicas, 1)
	if have >= goal {
		return done, nil
	}
	if canary.Status.ReadyReplicas < have {
		return waiting, nil
	}
	base := canary.DeepCopy()
	canary.Spec.Replicas = ptr.To(have + 1)
	if err := r.Patch(ctx, canary, client.MergeFrom(base)); err != nil {
		return waiting, err
	}
	r.gens.Expect(key, canary.Generation)
	return stepping, nil
}
