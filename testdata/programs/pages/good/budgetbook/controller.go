// The desk asks the book with its own mutex held, and the book tells the desk of overdrawn teams, but only after it has given back its mutex: there is one order of the two.
//
//adv:rule=lockheld sub=order claim=no

package budgetbook

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/pages/good/budgetbook/book"
)

const (
	budgetAnnotation = "finops.acme.io/budget"
	closedAnnotation = "finops.acme.io/closed"
	finalAnnotation  = "finops.acme.io/final-spend"
	overAnnotation   = "finops.acme.io/overdrawn"
)

// Meter says what each team has cost since the last time.
type Meter interface {
	Costs(ctx context.Context) (map[string]float64, error)
}

type desk struct {
	book *book.Book

	mu     sync.Mutex
	over   map[string]float64
	closed map[string]book.Account
}

func newDesk() *desk {
	d := &desk{book: &book.Book{}, over: map[string]float64{}, closed: map[string]book.Account{}}
	d.book.OnOverdrawn(func(team string, by float64) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if _, closed := d.closed[team]; !closed {
			d.over[team] = by
		}
	})
	return d
}

func (d *desk) close(team string) (book.Account, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a, ok := d.closed[team]; ok {
		return a, true
	}
	a, ok := d.book.Close(team)
	if ok {
		d.closed[team] = a
		delete(d.over, team)
	}
	return a, ok
}

func (d *desk) overdrawn(team string) (float64, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	by, ok := d.over[team]
	return by, ok
}

// TeamReconciler looks after the namespaces of teams.
type TeamReconciler struct {
	client.Client
	meter Meter
	desk  *desk
}

func (r *TeamReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	budget, err := strconv.ParseFloat(ns.Annotations[budgetAnnotation], 64)
	if err != nil {
		return ctrl.Result{}, nil
	}
	base := ns.DeepCopy()
	r.desk.book.Open(ns.Name, budget)
	if ns.Annotations[closedAnnotation] == "true" {
		if a, ok := r.desk.close(ns.Name); ok {
			metav1.SetMetaDataAnnotation(&ns.ObjectMeta, finalAnnotation, fmt.Sprintf("%.2f", a.Spent))
		}
	} else if by, ok := r.desk.overdrawn(ns.Name); ok {
		metav1.SetMetaDataAnnotation(&ns.ObjectMeta, overAnnotation, fmt.Sprintf("%.2f", by))
	}
	return ctrl.Result{RequeueAfter: 10 * time.Minute}, r.Patch(ctx, ns, client.MergeFrom(base))
}

func (r *TeamReconciler) poll(ctx context.Context) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		costs, err := r.meter.Costs(ctx)
		if err != nil {
			ctrl.Log.Error(err, "meter does not answer")
			continue
		}
		for team, cost := range costs {
			if !r.desk.book.Spend(team, cost) {
				ctrl.Log.V(1).Info("cost without an account", "team", team)
			}
		}
	}
}

// SetupWithManager registers both parts.
func SetupWithManager(mgr ctrl.Manager, meter Meter) error {
	r := &TeamReconciler{Client: mgr.GetClient(), meter: meter, desk: newDesk()}
	if err := mgr.Add(manager.RunnableFunc(r.poll)); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("team").For(&corev1.Namespace{}).Complete(r)
}
