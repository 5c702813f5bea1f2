package controllers

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

// patience is for how long the cache may take to show a new backup.
const patience = 5 * time.Minute

// ScheduleReconciler makes backups when they are due.
type ScheduleReconciler struct {
	client.Client
	Expectations *Expectations
}

func (r *ScheduleReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	key := req.String()
	var schedule v1.Schedule
	if err := r.Get(ctx, req.NamespacedName, &schedule); err != nil {
		if apierrors.IsNotFound(err) {
			r.Expectations.CreationObserved(key)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !schedule.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	if ok, waited := r.Expectations.Satisfied(key); !ok {
		if waited < patience {
			return ctrl.Result{RequeueAfter: patience - waited}, nil
		}
		log.FromContext(ctx).Info("the last backup does not show up", "waited", waited)
		return ctrl.Result{}, nil
	}

	due, err := r.due(ctx, &schedule)
	if err != nil {
		return ctrl.Result{}, err
	}
	if wait := time.Until(due); wait > 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	backup := &v1.Backup{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: schedule.Namespace,
			Name:      fmt.Sprintf("%s-%d", schedule.Name, time.Now().Unix()),
			Labels:    map[string]string{v1.ScheduleLabel: schedule.Name},
		},
		Spec: schedule.Spec.Template,
	}
	if err := controllerutil.SetControllerReference(&schedule, backup, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	r.Expectations.ExpectCreation(key)
	if err := r.Create(ctx, backup); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: schedule.Spec.Every.Duration}, nil
}

// due is when the next backup is to be made.
func (r *ScheduleReconciler) due(ctx context.Context, schedule *v1.Schedule) (time.Time, error) {
	var backups v1.BackupList
	if err := r.List(ctx, &backups, client.InNamespace(schedule.Namespace), client.MatchingLabels{v1.ScheduleLabel: schedule.Name}); err != nil {
		return time.Time{}, err
	}
	last := schedule.CreationTimestamp.Time
	for _, backup := range backups.Items {
		if backup.CreationTimestamp.After(last) {
			last = backup.CreationTimestamp.Time
		}
	}
	return last.Add(schedule.Spec.Every.Duration), nil
}

func (r *ScheduleReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.Schedule{}).
		Watches(&v1.Backup{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) {
				if req, ok := scheduleOf(e.Object); ok {
					r.Expectations.CreationObserved(req.String())
					queue.Add(req)
				}
			},
			DeleteFunc: func(_ context.Context, e event.DeleteEvent, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) {
				if req, ok := scheduleOf(e.Object); ok {
					queue.Add(req)
				}
			},
		}).
		Complete(r)
}

func scheduleOf(backup client.Object) (ctrl.Request, bool) {
	name, ok := backup.GetLabels()[v1.ScheduleLabel]
	return ctrl.Request{NamespacedName: types.NamespacedName{Namespace: backup.GetNamespace(), Name: name}}, ok
}
