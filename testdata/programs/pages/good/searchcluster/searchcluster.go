// The generation filter drops the status of the StatefulSet, and the reconciler knows: as long as the set is not ready it comes back after ten seconds, and after that each five minutes.
//
//adv:rule=eventfilter sub=status claim=no
package searchcluster

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	whileStarting = 10 * time.Second
	whenSettled   = 5 * time.Minute
)

// SearchCluster is a search engine.
type SearchCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Nodes int32 `json:"nodes"`
	} `json:"spec"`
	Status struct {
		Phase string `json:"phase,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *SearchCluster) DeepCopyObject() runtime.Object {
	out := &SearchCluster{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: in.Status}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

// Health asks the engine itself.
type Health interface {
	Green(ctx context.Context, endpoint string) (bool, error)
}

// subReconciler does a part; a positive time asks to be called again.
type subReconciler interface {
	Name() string
	Reconcile(ctx context.Context, sc *SearchCluster) (time.Duration, error)
}

type nodes struct{ client.Client }

func (nodes) Name() string { return "nodes" }

func (n nodes) Reconcile(ctx context.Context, sc *SearchCluster) (time.Duration, error) {
	sts := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: sc.Namespace, Name: sc.Name + "-search"}}
	if _, err := controllerutil.CreateOrUpdate(ctx, n, sts, func() error {
		labels := map[string]string{"search": sc.Name}
		if sts.CreationTimestamp.IsZero() {
			sts.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
			sts.Spec.Template.Labels = labels
			sts.Spec.Template.Spec.Containers = []corev1.Container{{Name: "search", Image: "opensearchproject/opensearch:2"}}
		}
		sts.Spec.Replicas = &sc.Spec.Nodes
		return controllerutil.SetControllerReference(sc, sts, n.Scheme())
	}); err != nil {
		return 0, err
	}
	if sts.Status.ReadyReplicas < sc.Spec.Nodes {
		sc.Status.Phase = "Starting"
		return whileStarting, nil
	}
	return 0, nil
}

type health struct{ Health }

func (health) Name() string { return "health" }

func (h health) Reconcile(ctx context.Context, sc *SearchCluster) (time.Duration, error) {
	green, err := h.Green(ctx, fmt.Sprintf("https://%s-search.%s.svc:9200", sc.Name, sc.Namespace))
	if err != nil {
		return 0, err
	}
	if !green {
		sc.Status.Phase = "Degraded"
		return whileStarting, nil
	}
	sc.Status.Phase = "Running"
	return 0, nil
}

// Reconciler runs the parts one after the other.
type Reconciler struct {
	client.Client
	Log   logr.Logger
	parts []subReconciler
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	sc := &SearchCluster{}
	if err := r.Get(ctx, req.NamespacedName, sc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before, again := sc.Status, whenSettled
	for _, part := range r.parts {
		after, err := part.Reconcile(ctx, sc)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("%s: %w", part.Name(), err)
		}
		if after > 0 {
			r.Log.V(1).Info("part is not ready", "part", part.Name(), "cluster", req)
			again = after
			break
		}
	}
	if before != sc.Status {
		if err := r.Status().Update(ctx, sc); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: again}, nil
}

// NewReconciler makes the reconciler with its parts.
func NewReconciler(c client.Client, h Health, log logr.Logger) *Reconciler {
	return &Reconciler{Client: c, Log: log, parts: []subReconciler{nodes{c}, health{h}}}
}

// SetupWithManager sets the controller up.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	quiet := builder.WithPredicates(predicate.GenerationChangedPredicate{})
	return ctrl.NewControllerManagedBy(mgr).
		For(&SearchCluster{}, quiet).
		Owns(&appsv1.StatefulSet{}, quiet).
		Complete(r)
}
