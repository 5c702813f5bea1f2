// NewCollector starts the collection of stale claims under a context of its own whose cancel function is kept and never called, so it deletes claims on every replica, whether this one leads or not, for as long as the process lives.
//
//adv:rule=startctx sub=detached claim=near

package leasegc

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const claimedBy = "ci.example.com/claimed-by"

// Options say when a claim is stale.
type Options struct {
	Age    time.Duration
	Period time.Duration
}

// Collector deletes the volumes of builds that have ended.
type Collector struct {
	client client.Client
	log    logr.Logger
	opts   Options
	ctx    context.Context
	cancel context.CancelFunc
}

func NewCollector(c client.Client, log logr.Logger, opts Options) *Collector {
	if opts.Period == 0 {
		opts.Period = 10 * time.Minute
	}
	ctx, cancel := context.WithCancel(context.Background())
	g := &Collector{client: c, log: log.WithName("collector"), opts: opts, ctx: ctx, cancel: cancel}
	go wait.JitterUntilWithContext(g.ctx, g.collect, opts.Period, 0.2, true)
	return g
}

func (g *Collector) collect(ctx context.Context) {
	claims := &corev1.PersistentVolumeClaimList{}
	if err := g.client.List(ctx, claims, client.HasLabels{claimedBy}); err != nil {
		g.log.Error(err, "cannot list claims")
		return
	}
	for i := range claims.Items {
		pvc := &claims.Items[i]
		if time.Since(pvc.CreationTimestamp.Time) < g.opts.Age {
			continue
		}
		pod := &corev1.Pod{}
		err := g.client.Get(ctx, client.ObjectKey{Namespace: pvc.Namespace, Name: pvc.Labels[claimedBy]}, pod)
		if err == nil || client.IgnoreNotFound(err) != nil {
			continue
		}
		if err := g.client.Delete(ctx, pvc, client.Preconditions{UID: &pvc.UID}); client.IgnoreNotFound(err) != nil {
			g.log.Error(err, "cannot delete", "claim", client.ObjectKeyFromObject(pvc))
			continue
		}
		g.log.Info("stale claim is gone", "claim", client.ObjectKeyFromObject(pvc))
	}
}

// BuildReconciler gives build Pods a volume.
type BuildReconciler struct {
	client.Client
	collector *Collector
}

// SetUp makes the manager of the build operator.
func SetUp(log logr.Logger) (manager.Manager, error) {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		LeaderElection:          true,
		LeaderElectionID:        "builds.ci.example.com",
		LeaderElectionNamespace: "ci-system",
	})
	if err != nil {
		return nil, err
	}
	r := &BuildReconciler{
		Client:    mgr.GetClient(),
		collector: NewCollector(mgr.GetClient(), log, Options{Age: 24 * time.Hour}),
	}
	return mgr, ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Owns(&corev1.PersistentVolumeClaim{}).Complete(r)
}

func (r *BuildReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Labels["ci.example.com/build"] == "" || pod.Status.Phase == corev1.PodSucceeded {
		return ctrl.Result{}, nil
	}
	pvc := workspace(pod)
	if err := ctrl.SetControllerReference(pod, pvc, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, pvc))
}
