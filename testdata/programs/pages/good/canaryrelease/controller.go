// The event filter is a disjunction of the generation and of a predicate for the status of Deployments, by which the canary waits for its replicas.
//
//adv:rule=eventfilter sub=status claim=no
package canaryrelease

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Canary moves a Deployment to a new image by way of a smaller one.
type Canary struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="make a new canary for another image"
	Spec   CanarySpec   `json:"spec"`
	Status CanaryStatus `json:"status,omitempty"`
}

type CanarySpec struct {
	Target string `json:"target"`
	Image  string `json:"image"`
}

type CanaryStatus struct {
	Phase Phase `json:"phase,omitempty"`
}

// Phase of a canary.
type Phase string

const (
	PhaseProbing   Phase = "Probing"
	PhasePromoting Phase = "Promoting"
	PhaseDone      Phase = "Done"
)

func (c *Canary) DeepCopyObject() runtime.Object {
	out := *c
	c.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// rolloutMoved is true where a Deployment has come further, and false for all else.
type rolloutMoved struct{ predicate.Funcs }

func (rolloutMoved) Update(e event.UpdateEvent) bool {
	was, ok := e.ObjectOld.(*appsv1.Deployment)
	if !ok {
		return false
	}
	is, ok := e.ObjectNew.(*appsv1.Deployment)
	if !ok {
		return false
	}
	return was.Status.AvailableReplicas != is.Status.AvailableReplicas ||
		was.Status.UpdatedReplicas != is.Status.UpdatedReplicas ||
		was.Status.Replicas != is.Status.Replicas ||
		was.Status.ObservedGeneration != is.Status.ObservedGeneration
}

// Reconciler is a state machine.
type Reconciler struct {
	client.Client
	states map[Phase]func(context.Context, *Canary) (Phase, error)
}

// New gives a reconciler with its states.
func New(c client.Client) *Reconciler {
	r := &Reconciler{Client: c}
	r.states = map[Phase]func(context.Context, *Canary) (Phase, error){
		"":             r.probe,
		PhaseProbing:   r.probing,
		PhasePromoting: r.promoting,
	}
	return r
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	canary := &Canary{}
	if err := r.Get(ctx, req.NamespacedName, canary); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	// A state that is left is followed by the next at once.
	for {
		run, ok := r.states[canary.Status.Phase]
		if !ok {
			return ctrl.Result{}, nil
		}
		next, err := run(ctx, canary)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("phase %q: %w", canary.Status.Phase, err)
		}
		if next == canary.Status.Phase {
			return ctrl.Result{}, nil
		}
		ctrl.LoggerFrom(ctx).Info("Next phase", "from", canary.Status.Phase, "to", next)
		canary.Status.Phase = next
		if err := r.Status().Update(ctx, canary); err != nil {
			return ctrl.Result{}, err
		}
	}
}

func (r *Reconciler) probe(ctx context.Context, canary *Canary) (Phase, error) {
	return PhaseProbing, r.setImage(ctx, canary, canary.Spec.Target+"-canary")
}

func (r *Reconciler) probing(ctx context.Context, canary *Canary) (Phase, error) {
	done, err := r.rolledOut(ctx, canary, canary.Spec.Target+"-canary")
	if err != nil || !done {
		return PhaseProbing, err
	}
	return PhasePromoting, r.setImage(ctx, canary, canary.Spec.Target)
}

func (r *Reconciler) promoting(ctx context.Context, canary *Canary) (Phase, error) {
	done, err := r.rolledOut(ctx, canary, canary.Spec.Target)
	if err != nil || !done {
		return PhasePromoting, err
	}
	return PhaseDone, nil
}

func (r *Reconciler) setImage(ctx context.Context, canary *Canary, name string) error {
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: canary.Namespace, Name: name}, deployment); err != nil {
		return err
	}
	base := deployment.DeepCopy()
	for i := range deployment.Spec.Template.Spec.Containers {
		deployment.Spec.Template.Spec.Containers[i].Image = canary.Spec.Image
	}
	return r.Patch(ctx, deployment, client.StrategicMergeFrom(base))
}

func (r *Reconciler) rolledOut(ctx context.Context, canary *Canary, name string) (bool, error) {
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: canary.Namespace, Name: name}, deployment); err != nil {
		return false, err
	}
	for _, container := range deployment.Spec.Template.Spec.Containers {
		if container.Image != canary.Spec.Image {
			return false, nil // the cache has not seen our patch, whose event is still to come
		}
	}
	wanted, status := ptr.Deref(deployment.Spec.Replicas, 1), deployment.Status
	return status.ObservedGeneration >= deployment.Generation &&
		status.UpdatedReplicas == wanted && status.AvailableReplicas == wanted && status.Replicas == wanted, nil
}

// SetupWithManager registers the controller. The Deployments of a target are owned by its canary.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Canary{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, rolloutMoved{})).
		Complete(r)
}
