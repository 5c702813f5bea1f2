// The filter lists three of the four annotations that go through note, and the fourth is the one that the controller writes itself, which must not wake it.
//
//adv:rule=eventfilter sub=cases claim=no
package reload

import (
	"context"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Note is an annotation of ours, without its prefix.
type Note string

// These are all of them.
const (
	NoteToken    Note = "token"
	NoteHold     Note = "hold"
	NoteReplicas Note = "replicas"
	NoteDone     Note = "done"
)

const prefix = "reload.acme.io/"

func note(o client.Object, n Note) string { return o.GetAnnotations()[prefix+string(n)] }

// notesChanged says whether a user has asked for something.
func notesChanged(old, cur client.Object) bool {
	for _, n := range []Note{NoteToken, NoteHold, NoteReplicas} {
		if note(old, n) != note(cur, n) {
			return true
		}
	}
	return false
}

// Reloader restarts Deployments on demand.
type Reloader struct {
	client.Client
	Now func() time.Time
}

// Reconcile sees to one Deployment.
func (r *Reloader) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	l := log.FromContext(ctx)
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if note(d, NoteHold) != "" || !d.DeletionTimestamp.IsZero() {
		l.V(1).Info("deployment is on hold")
		return ctrl.Result{}, nil
	}
	before := d.DeepCopy()
	if text := note(d, NoteReplicas); text != "" {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			l.Info("leaving replicas alone, not a number", "value", text)
		} else {
			replicas := int32(n)
			d.Spec.Replicas = &replicas
		}
	}
	if token := note(d, NoteToken); token != "" && token != note(d, NoteDone) {
		l.Info("restarting", "token", token)
		metav1.SetMetaDataAnnotation(&d.Spec.Template.ObjectMeta, prefix+"restartedAt", r.Now().Format(time.RFC3339))
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, prefix+string(NoteDone), token)
	}
	patch := client.StrategicMergeFrom(before)
	data, err := patch.Data(d)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("compute patch: %w", err)
	}
	if string(data) == "{}" {
		return ctrl.Result{}, nil
	}
	if err := r.Patch(ctx, d, patch); err != nil {
		return ctrl.Result{}, fmt.Errorf("patch deployment: %w", err)
	}
	return ctrl.Result{}, nil
}

// SetupWithManager sets the controller up.
func (r *Reloader) SetupWithManager(mgr ctrl.Manager) error {
	if r.Now == nil {
		r.Now = time.Now
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("reloader").
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				if notesChanged(e.ObjectOld, e.ObjectNew) {
					return true
				}
				// somebody has scaled it, which the replicas note may be against
				old, cur := e.ObjectOld.(*appsv1.Deployment), e.ObjectNew.(*appsv1.Deployment)
				return note(cur, NoteReplicas) != "" && old.Generation != cur.Generation
			},
			DeleteFunc: func(event.DeleteEvent) bool { return false },
		})).
		Complete(r)
}
