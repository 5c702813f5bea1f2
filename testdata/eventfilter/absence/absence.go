// Package absence has reconcilers that delete an object, and go on when it is gone.
package absence

import (
	"context"
	"errors"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Mill is a custom resource.
type Mill struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            MillStatus `json:"status"`
}

type MillStatus struct {
	Stopped bool `json:"stopped"`
}

func (m *Mill) DeepCopyObject() runtime.Object { c := *m; return &c }

const finalizer = "mill.example.com/wheel"

// lookup gives the object of a mill, nil where there is none.
func lookup(ctx context.Context, c client.Client, mill *Mill) (*appsv1.StatefulSet, error) {
	set := &appsv1.StatefulSet{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(mill), set); err != nil {
		return nil, err
	}
	return set, nil
}

func free(ctx context.Context, c client.Client, mill *Mill) error {
	controllerutil.RemoveFinalizer(mill, finalizer)
	return c.Update(ctx, mill)
}

// Patched writes the mill at its end, and waits for the object in a function of its own.
type Patched struct{ client.Client }

func (r *Patched) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, reterr error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		if err := r.Update(ctx, mill); err != nil {
			result, reterr = ctrl.Result{}, errors.Join(reterr, err)
		}
	}()
	if !mill.DeletionTimestamp.IsZero() {
		return r.remove(ctx, mill)
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func (r *Patched) remove(ctx context.Context, mill *Mill) (ctrl.Result, error) {
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		if err := r.Delete(ctx, set); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil
	}
	controllerutil.RemoveFinalizer(mill, finalizer)
	return ctrl.Result{}, nil
}

func (r *Patched) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Mill{}).
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // want deletion "this predicate drops the deletions of *v1.StatefulSet: (*Patched).remove waits for its deletion to remove a finalizer (line 75) but is not triggered; let them through" @75 "the deletion is requested here" @87 "the kind is watched here"
		})).
		Complete(r)
}

func (r *Patched) unknown(mgr ctrl.Manager, other client.Object) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Mill{}).
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // ok: nobody knows what else is watched
		})).
		Owns(other).
		Complete(r)
}

// Asking asks for the error, and returns that of the deletion.
type Asking struct{ client.Client }

func (r *Asking) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill, set := &Mill{}, &appsv1.StatefulSet{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	err := r.Get(ctx, req.NamespacedName, set)
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, free(ctx, r.Client, mill)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreNotFound(r.Delete(ctx, set))
}

func (r *Asking) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Mill{}).
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // want deletion "this predicate drops the deletions of *v1.StatefulSet: (*Asking).Reconcile waits for its deletion to remove a finalizer (line 118) but is not triggered; let them through" @118 "the deletion is requested here" @124 "the kind is watched here"
		})).
		Complete(r)
}

// silent is told of no end.
func silent() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(event.DeleteEvent) bool { return false }}
}

// Polling looks again after a time.
type Polling struct{ client.Client }

func (r *Polling) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		return ctrl.Result{RequeueAfter: time.Second}, r.Delete(ctx, set)
	}
	return ctrl.Result{}, free(ctx, r.Client, mill)
}

func (r *Polling) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Failing fails for as long as there is something.
type Failing struct{ client.Client }

func (r *Failing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		if err := r.Delete(ctx, set); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, errors.New("there is still a set")
	}
	return ctrl.Result{}, free(ctx, r.Client, mill)
}

func (r *Failing) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Marking is told of what it writes itself.
type Marking struct{ client.Client }

func (r *Marking) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		mill.Status.Stopped = true
		if err := r.Status().Update(ctx, mill); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Delete(ctx, set)
	}
	return ctrl.Result{}, free(ctx, r.Client, mill)
}

func (r *Marking) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Hasty does not wait.
type Hasty struct{ client.Client }

func (r *Hasty) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, reterr error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() { reterr = errors.Join(reterr, r.Update(ctx, mill)) }()
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		if err := r.Delete(ctx, set); err != nil {
			return ctrl.Result{}, err
		}
	}
	controllerutil.RemoveFinalizer(mill, finalizer)
	return ctrl.Result{}, nil
}

func (r *Hasty) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Pruning deletes what nobody wants, and frees the mill for another reason.
type Pruning struct{ client.Client }

func (r *Pruning) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		return ctrl.Result{}, r.Delete(ctx, set)
	}
	if mill.Status.Stopped {
		return ctrl.Result{}, free(ctx, r.Client, mill)
	}
	return ctrl.Result{}, nil
}

func (r *Pruning) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Stopping asks for the mill, and not for the object.
type Stopping struct{ client.Client }

func (r *Stopping) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if !mill.Status.Stopped {
		return ctrl.Result{}, r.Delete(ctx, set)
	}
	return ctrl.Result{}, free(ctx, r.Client, mill)
}

func (r *Stopping) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Deferring asks to be called again by what it does at its end.
type Deferring struct{ client.Client }

func (r *Deferring) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, reterr error) {
	defer func() {
		if reterr == nil {
			result = ctrl.Result{RequeueAfter: time.Minute}
		}
	}()
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		return ctrl.Result{}, r.Delete(ctx, set)
	}
	return ctrl.Result{}, free(ctx, r.Client, mill)
}

func (r *Deferring) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}

// Wrapping looks at what it is given before it returns it.
type Wrapping struct{ client.Client }

func (r *Wrapping) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := r.step(ctx, req)
	if err != nil {
		return result, err
	}
	result.RequeueAfter = time.Minute
	return result, nil
}

func (r *Wrapping) step(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set, err := lookup(ctx, r.Client, mill)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if set != nil {
		return ctrl.Result{}, r.Delete(ctx, set)
	}
	return ctrl.Result{}, free(ctx, r.Client, mill)
}

func (r *Wrapping) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mill{}).Owns(&appsv1.StatefulSet{}, builder.WithPredicates(silent())).Complete(r) // ok
}
