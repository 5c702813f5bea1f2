// Each turn of the loop is a function literal that guards against panics, and the return for the end of the context leaves only the literal: the loop spins from then on and never ends.
//
//adv:rule=startctx sub=loop claim=near

package guardedrunner

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var backups = schema.GroupVersionResource{Group: "backup.example.com", Version: "v1", Resource: "backups"}

// Step is a plug-in that does something about a finished backup.
type Step func(ctx context.Context, backup *unstructured.Unstructured) error

// Runner gives finished backups to plug-ins that we do not trust.
type Runner struct {
	dyn   dynamic.Interface
	log   logr.Logger
	work  chan types.NamespacedName
	steps map[string]Step
}

func New(mgr ctrl.Manager, steps map[string]Step) (*Runner, error) {
	dyn, err := dynamic.NewForConfig(mgr.GetConfig())
	if err != nil {
		return nil, err
	}
	r := &Runner{dyn: dyn, log: mgr.GetLogger().WithName("plugins"), work: make(chan types.NamespacedName, 64), steps: steps}
	if err := mgr.Add(r); err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: backups.Group, Version: backups.Version, Kind: "Backup"})
	return r, ctrl.NewControllerManagedBy(mgr).Named("backup-plugins").For(u).Complete(&feeder{Client: mgr.GetClient(), to: r.work})
}

type feeder struct {
	client.Client
	to chan<- types.NamespacedName
}

func (f *feeder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	select {
	case f.to <- req.NamespacedName:
		return ctrl.Result{}, nil
	case <-time.After(time.Second):
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	case <-ctx.Done():
		return ctrl.Result{}, ctx.Err()
	}
}

// Start implements manager.Runnable.
func (r *Runner) Start(ctx context.Context) error {
	r.log.Info("plugins are served", "count", len(r.steps))
	resync := time.NewTicker(10 * time.Minute)
	defer resync.Stop()
	for {
		func() {
			defer func() {
				if p := recover(); p != nil {
					r.log.Error(fmt.Errorf("panic: %v", p), "a plugin broke", "stack", string(debug.Stack()))
				}
			}()
			select {
			case <-ctx.Done():
				return
			case key := <-r.work:
				r.one(ctx, key)
			case <-resync.C:
				r.log.V(1).Info("still here", "waiting", len(r.work))
			}
		}()
	}
}

func (r *Runner) one(ctx context.Context, key types.NamespacedName) {
	u, err := r.backup(ctx, key)
	if err != nil {
		r.log.Error(err, "cannot read", "backup", key)
		return
	}
	phase, _, _ := unstructured.NestedString(u.Object, "status", "phase")
	if phase != "Completed" {
		return
	}
	for name, step := range r.steps {
		if err := step(ctx, u.DeepCopy()); err != nil {
			r.log.Error(err, "plugin failed", "plugin", name, "backup", key)
		}
	}
}

func (r *Runner) backup(ctx context.Context, key types.NamespacedName) (*unstructured.Unstructured, error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	return r.dyn.Resource(backups).Namespace(key.Namespace).Get(ctx, key.Name, getOptions)
}
