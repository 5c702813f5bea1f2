// The phases run in order and stop at the first that asks for it: the first one
// writes the finalizer, and only a later one creates the index.
//
//adv:rule=finalizerorder sub=lateadd claim=no
package searchindex

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const indexFinalizer = "search.lodestar.io/index"

type SearchIndex struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   struct{ Shards int }
	Status struct {
		Documents int64
		Created   bool
	}
}

func (s *SearchIndex) DeepCopy() *SearchIndex {
	out := *s
	out.ObjectMeta = *s.ObjectMeta.DeepCopy()
	return &out
}

func (s *SearchIndex) DeepCopyObject() runtime.Object { return s.DeepCopy() }

// Engine takes the creation of an index that exists, and the drop of one that
// does not, for done.
type Engine interface {
	CreateIndex(ctx context.Context, name string, shards int) error
	CountDocuments(ctx context.Context, name string) (int64, error)
	DropIndex(ctx context.Context, name string) error
}

// outcome of a phase; stop ends the reconcile.
type outcome struct {
	stop  bool
	after time.Duration
}

type phase interface {
	Name() string
	Run(ctx context.Context, ix *SearchIndex) (outcome, error)
}

type guardPhase struct{ client.Client }

func (guardPhase) Name() string { return "guard" }

func (p guardPhase) Run(ctx context.Context, ix *SearchIndex) (outcome, error) {
	if !ix.DeletionTimestamp.IsZero() || controllerutil.ContainsFinalizer(ix, indexFinalizer) {
		return outcome{}, nil
	}
	base := ix.DeepCopy()
	controllerutil.AddFinalizer(ix, indexFinalizer)
	// the patch is an event and brings the index back
	return outcome{stop: true}, p.Patch(ctx, ix, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}

type dropPhase struct {
	client.Client
	engine Engine
}

func (dropPhase) Name() string { return "drop" }

func (p dropPhase) Run(ctx context.Context, ix *SearchIndex) (outcome, error) {
	if ix.DeletionTimestamp.IsZero() {
		return outcome{}, nil
	}
	if controllerutil.ContainsFinalizer(ix, indexFinalizer) {
		if err := p.engine.DropIndex(ctx, ix.Name); err != nil {
			return outcome{}, err
		}
		base := ix.DeepCopy()
		controllerutil.RemoveFinalizer(ix, indexFinalizer)
		if err := p.Patch(ctx, ix, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})); err != nil {
			return outcome{stop: true}, client.IgnoreNotFound(err)
		}
	}
	return outcome{stop: true}, nil
}

type createPhase struct {
	client.Client
	engine Engine
}

func (createPhase) Name() string { return "create" }

func (p createPhase) Run(ctx context.Context, ix *SearchIndex) (outcome, error) {
	if !ix.Status.Created {
		if err := p.engine.CreateIndex(ctx, ix.Name, ix.Spec.Shards); err != nil {
			return outcome{}, err
		}
		ix.Status.Created = true
	}
	n, err := p.engine.CountDocuments(ctx, ix.Name)
	if err != nil {
		return outcome{}, err
	}
	ix.Status.Documents = n
	return outcome{after: 5 * time.Minute}, p.Status().Update(ctx, ix)
}

type IndexReconciler struct {
	client.Client
	phases []phase
}

func NewIndexReconciler(c client.Client, engine Engine) *IndexReconciler {
	return &IndexReconciler{Client: c, phases: []phase{
		guardPhase{c},
		dropPhase{c, engine},
		createPhase{c, engine},
	}}
}

func (r *IndexReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ix := &SearchIndex{}
	if err := r.Get(ctx, req.NamespacedName, ix); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	res := ctrl.Result{}
	for _, p := range r.phases {
		out, err := p.Run(ctx, ix)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("phase %s: %w", p.Name(), err)
		}
		if out.stop {
			log.FromContext(ctx).V(1).Info("stopped", "phase", p.Name())
			return ctrl.Result{}, nil
		}
		if out.after > 0 {
			res.RequeueAfter = out.after
		}
	}
	return res, nil
}

func (r *IndexReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&SearchIndex{}).Complete(r)
}
