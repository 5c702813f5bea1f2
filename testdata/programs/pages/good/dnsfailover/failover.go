// The health checks are deleted in goroutines, but all of them are waited for
// and any error is returned before the finalizer is touched.
//
//adv:rule=finalizerorder sub=removedonerror claim=no
package dnsfailover

import (
	"context"
	"errors"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const failoverFinalizer = "gslb.nimbus.io/failover"

type Check struct {
	Name string
	ID   string
}

type FailoverPolicy struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Hostname string
		Targets  []string
	}
	Status struct {
		Checks []Check
	}
}

func (p *FailoverPolicy) DeepCopyObject() runtime.Object {
	out := *p
	out.ObjectMeta = *p.ObjectMeta.DeepCopy()
	out.Spec.Targets = append([]string(nil), p.Spec.Targets...)
	out.Status.Checks = append([]Check(nil), p.Status.Checks...)
	return &out
}

var ErrCheckNotFound = errors.New("health check not found")

// HealthAPI marks each check with its owner; EnsureCheck finds the one of a target.
type HealthAPI interface {
	EnsureCheck(ctx context.Context, owner, hostname, target string) (string, error)
	ListChecks(ctx context.Context, owner string) ([]Check, error)
	DeleteCheck(ctx context.Context, id string) error
}

type FailoverReconciler struct {
	client.Client
	Health HealthAPI
}

func (r *FailoverReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	policy := &FailoverPolicy{}
	if err := r.Get(ctx, req.NamespacedName, policy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !policy.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.tearDown(ctx, policy)
	}
	if controllerutil.AddFinalizer(policy, failoverFinalizer) {
		if err := r.Update(ctx, policy); err != nil {
			return ctrl.Result{}, err
		}
	}
	known := map[string]bool{}
	for _, c := range policy.Status.Checks {
		known[c.Name] = true
	}
	for _, target := range policy.Spec.Targets {
		if known[target] {
			continue
		}
		id, err := r.Health.EnsureCheck(ctx, string(policy.UID), policy.Spec.Hostname, target)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("check for %s: %w", target, err)
		}
		policy.Status.Checks = append(policy.Status.Checks, Check{Name: target, ID: id})
		if err := r.Status().Update(ctx, policy); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *FailoverReconciler) tearDown(ctx context.Context, policy *FailoverPolicy) error {
	if !controllerutil.ContainsFinalizer(policy, failoverFinalizer) {
		return nil
	}
	// the status may lack those that were made just before a crash
	checks, err := r.Health.ListChecks(ctx, string(policy.UID))
	if err != nil {
		return fmt.Errorf("listing checks: %w", err)
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	for _, check := range checks {
		wg.Go(func() {
			err := r.Health.DeleteCheck(ctx, check.ID)
			if err == nil || errors.Is(err, ErrCheckNotFound) {
				return
			}
			log.FromContext(ctx).Error(err, "health check not deleted", "target", check.Name)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, fmt.Errorf("check of %s: %w", check.Name, err))
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(policy, failoverFinalizer)
	return client.IgnoreNotFound(r.Update(ctx, policy))
}

func (r *FailoverReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&FailoverPolicy{}).Complete(r)
}
