package unwatched

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// tracker watches single objects for who asks it to.
type tracker interface{ Track(kind, name string) }

// Adds has somebody watch what it makes.
type Adds struct {
	client.Client
	scheme *runtime.Scheme
	about  tracker
}

func (r *Adds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: barn.Name, Namespace: barn.Namespace}}
	if err := ctrl.SetControllerReference(barn, set, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, set); err != nil && !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: barn.Name, Namespace: barn.Namespace}}
	if err := ctrl.SetControllerReference(barn, service, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, service); err != nil && !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	r.about.Track("Service", service.Name)
	return ctrl.Result{}, nil
}

func (r *Adds) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Owns(&appsv1.StatefulSet{}).Complete(r)
}

// Offers tells somebody of what it waits for, if he listens.
type Offers struct {
	client.Client
	missed chan string
}

func (r *Offers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.offer(barn.Spec.Silo)
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Offers) offer(name string) {
	select {
	case r.missed <- name:
	default:
	}
}

func (r *Offers) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Sounds has a function that is called as if it watched something.
type Sounds struct{ client.Client }

func (r *Sounds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want unwatched "(*Sounds).Reconcile gives up here while the *unwatched.Silo of line 91 is not there, and no watch of the controller tells of *unwatched.Silo: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @91 "the object is asked for here"
	}
	return ctrl.Result{}, r.track(ctx, barn)
}

// track notes in the status that there is something to do.
func (r *Sounds) track(ctx context.Context, barn *Barn) error { return work(ctx, r.Client, barn) }

func (r *Sounds) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}
