package quiet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

const mayGo = "example.com/may-go"

// A reaper takes pods away that are on their way out and may go.
type reaper struct{ client.Client }

// Update lets through what has become eligible. It drops the annotation of a pod that lives, and not that of one which is
// being deleted.
func (r *reaper) Update(u event.UpdateEvent) bool { // ok: the annotation decides, for the pods that matter // want Update:"drops spec with generation, labels, status; only k8s.io/api/core/v1.Pod"
	before, ok := u.ObjectOld.(*corev1.Pod)
	after, ok2 := u.ObjectNew.(*corev1.Pod)
	return ok && ok2 && !eligible(before) && eligible(after)
}

// Create asks the same.
func (r *reaper) Create(e event.CreateEvent) bool {
	pod, ok := e.Object.(*corev1.Pod)
	return ok && eligible(pod)
}

// Delete is of no interest.
func (r *reaper) Delete(event.DeleteEvent) bool { return false }

// Generic is of no interest.
func (r *reaper) Generic(event.GenericEvent) bool { return false }

func eligible(p *corev1.Pod) bool { // want eligible:"reads annotation example.com/may-go of p0, which decides"
	v, ok := p.Annotations[mayGo]
	if !ok || v != "true" {
		return false
	}
	return !p.DeletionTimestamp.IsZero()
}

// Reconcile takes a pod away.
func (r *reaper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !eligible(&pod) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Client.Delete(ctx, &pod)
}

// SetupWithManager watches pods.
func (r *reaper) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).WithEventFilter(r).Complete(r)
}
