// Start takes nothing but a logger out of its context and ranges over a channel that nobody closes, so each stop of the manager hangs until the graceful shutdown times out.
//
//adv:rule=startctx sub=ignored claim=near

// Package costmeter adds up what pods cost by team, and writes it to a ConfigMap.
package costmeter

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type sample struct {
	uid      types.UID
	team     string
	milliCPU int64
	seconds  float64
}

// Meter is the Runnable that owns the totals.
type Meter struct {
	client  client.Client
	samples chan sample
	report  client.ObjectKey
	flushAt int
}

var _ manager.Runnable = (*Meter)(nil)

// NewMeter makes a meter that reports into the given ConfigMap.
func NewMeter(c client.Client, report client.ObjectKey) *Meter {
	return &Meter{client: c, report: report, samples: make(chan sample, 256), flushAt: 50}
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (m *Meter) NeedLeaderElection() bool { return true }

// Start implements manager.Runnable.
func (m *Meter) Start(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("cost-meter").WithValues("report", m.report)
	logger.Info("starting")
	totals, pending, seen := map[string]float64{}, 0, sets.New[types.UID]()
	for s := range m.samples {
		if seen.Has(s.uid) {
			continue
		}
		seen.Insert(s.uid)
		totals[s.team] += float64(s.milliCPU) / 1000 * s.seconds / 3600
		if pending++; pending < m.flushAt {
			continue
		}
		pending = 0
		if err := m.flush(totals); err != nil {
			logger.Error(err, "report not written, keeping totals", "teams", len(totals))
		}
	}
	logger.Info("stopped")
	return m.flush(totals)
}

func (m *Meter) flush(totals map[string]float64) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: m.report.Namespace, Name: m.report.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, m.client, cm, func() error {
		if cm.Data == nil {
			cm.Data = map[string]string{}
		}
		for team, hours := range totals {
			cm.Data[team] = strconv.FormatFloat(hours, 'f', 3, 64)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// PodReconciler feeds the meter with pods that are done.
type PodReconciler struct {
	client.Client
	meter *Meter
}

// Reconcile implements reconcile.Reconciler.
func (r *PodReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	team := pod.Labels["team"]
	if team == "" || pod.Status.StartTime == nil || pod.Status.Phase != corev1.PodSucceeded {
		return ctrl.Result{}, nil
	}
	var milli int64
	for _, c := range pod.Spec.Containers {
		milli += c.Resources.Requests.Cpu().MilliValue()
	}
	select {
	case r.meter.samples <- sample{uid: pod.UID, team: team, milliCPU: milli, seconds: time.Since(pod.Status.StartTime.Time).Seconds()}:
	case <-ctx.Done():
		return ctrl.Result{}, ctx.Err()
	}
	return ctrl.Result{}, nil
}

// SetupWithManager adds both to the manager.
func SetupWithManager(mgr ctrl.Manager, report client.ObjectKey) error {
	meter := NewMeter(mgr.GetClient(), report)
	if err := mgr.Add(meter); err != nil {
		return fmt.Errorf("add meter: %w", err)
	}
	return ctrl.NewControllerManagedBy(mgr).Named("cost-pods").For(&corev1.Pod{}).
		Complete(&PodReconciler{Client: mgr.GetClient(), meter: meter})
}
