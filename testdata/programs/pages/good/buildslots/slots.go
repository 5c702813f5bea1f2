// claim comes back with the machine's lock held and a function that releases it; each way of schedule calls that one, by a defer unless it has been handed to the goroutine that goes on with the build.
//
//adv:rule=lockheld sub=leak claim=no

package buildslots

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	wantLabel  = "builds.acme.io/wanted"
	stateLabel = "builds.acme.io/state"
)

var errBusy = errors.New("the machine is busy")

// Executor builds; it comes back when the build has ended or the context has.
type Executor interface {
	Prepare(ctx context.Context, job *batchv1.Job) error
	Build(ctx context.Context, job *batchv1.Job) error
}

// machine is the one that builds, one job at a time.
type machine struct {
	busy  sync.Mutex
	owner string
	since time.Time
}

// claim takes the machine, if it is free, until release is called.
func (m *machine) claim(owner string) (release func(), err error) {
	if !m.busy.TryLock() {
		return nil, errBusy
	}
	m.owner, m.since = owner, time.Now()
	return func() {
		log.Log.V(1).Info("machine is free", "was", m.owner, "for", time.Since(m.since))
		m.owner = ""
		m.busy.Unlock()
	}, nil
}

// BuildReconciler runs suspended jobs that are builds.
type BuildReconciler struct {
	client   client.Client
	executor Executor
	machine  *machine
	timeout  time.Duration
}

func (r *BuildReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	job := &batchv1.Job{}
	if err := r.client.Get(ctx, req.NamespacedName, job); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if job.Labels[wantLabel] != "true" || job.Labels[stateLabel] != "" {
		return reconcile.Result{}, nil
	}
	err := r.schedule(ctx, job)
	if errors.Is(err, errBusy) {
		return reconcile.Result{RequeueAfter: 15 * time.Second}, nil
	}
	return reconcile.Result{}, err
}

func (r *BuildReconciler) schedule(ctx context.Context, job *batchv1.Job) error {
	release, err := r.machine.claim(job.Namespace + "/" + job.Name)
	if err != nil {
		return err
	}
	handedOn := false
	defer func() {
		if !handedOn {
			release()
		}
	}()
	if err := r.executor.Prepare(ctx, job); err != nil {
		return fmt.Errorf("preparing the machine: %w", err)
	}
	if err := r.mark(ctx, job, "building"); err != nil {
		return err
	}
	buildCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	mine := job.DeepCopy()
	handedOn = true
	go func() {
		defer release()
		defer cancel()
		state := "built"
		if err := r.executor.Build(buildCtx, mine); err != nil {
			log.FromContext(buildCtx).Error(err, "build failed")
			state = "failed"
		}
		if err := r.mark(context.WithoutCancel(buildCtx), mine, state); err != nil {
			log.FromContext(buildCtx).Error(err, "state is not written", "state", state)
		}
	}()
	return nil
}

func (r *BuildReconciler) mark(ctx context.Context, job *batchv1.Job, state string) error {
	base := job.DeepCopy()
	job.Labels[stateLabel] = state
	return r.client.Patch(ctx, job, client.MergeFrom(base))
}

// Setup registers the reconciler.
func Setup(mgr manager.Manager, executor Executor) error {
	return builder.ControllerManagedBy(mgr).For(&batchv1.Job{}).Complete(&BuildReconciler{
		client:   mgr.GetClient(),
		executor: executor,
		machine:  &machine{},
		timeout:  30 * time.Minute,
	})
}
