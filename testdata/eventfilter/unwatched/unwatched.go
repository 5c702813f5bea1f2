// Package unwatched has reconcilers that end because of other objects, with and without somebody who tells them of those.
package unwatched

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Barn is a custom resource.
type Barn struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BarnSpec   `json:"spec"`
	Status            BarnStatus `json:"status"`
}

type BarnSpec struct {
	Class  string `json:"class"`
	Key    string `json:"key"`
	Silo   string `json:"silo"`
	Claims string `json:"claims"`
}

type BarnStatus struct {
	Key     string `json:"key"`
	Waiting bool   `json:"waiting"`
}

func (b *Barn) DeepCopyObject() runtime.Object { c := *b; return &c }

// Silo is a custom resource.
type Silo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            SiloStatus `json:"status"`
}

type SiloStatus struct {
	Grain *string `json:"grain"`
	Phase string  `json:"phase"`
	Ready bool    `json:"ready"`
}

func (s *Silo) DeepCopyObject() runtime.Object { c := *s; return &c }

// work does what a barn asks for.
func work(ctx context.Context, c client.Client, barn *Barn) error {
	barn.Status.Waiting = false
	return c.Status().Update(ctx, barn)
}

func key(barn *Barn, name string) client.ObjectKey {
	return client.ObjectKey{Namespace: barn.Namespace, Name: name}
}

// Forgets watches nothing but barns.
type Forgets struct{ client.Client }

func (r *Forgets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	class := &storagev1.StorageClass{}
	if err := r.Get(ctx, client.ObjectKey{Name: barn.Spec.Class}, class); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, nil // want unwatched "(*Forgets).Reconcile gives up here while the *v1.StorageClass of line 78 is not there, and no watch of the controller tells of *v1.StorageClass: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @78 "the object is asked for here"
		}
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key(barn, barn.Spec.Key), secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want unwatched "(*Forgets).Reconcile gives up here while the *v1.Secret of line 85 is not there, and no watch of the controller tells of *v1.Secret: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @85 "the object is asked for here"
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, err
	}
	if silo.Status.Grain == nil || *silo.Status.Grain == "" {
		return ctrl.Result{}, nil // want unwatched "(*Forgets).Reconcile gives up here while the *unwatched.Silo of line 89 has not the status that it waits for, and no watch of the controller tells of *unwatched.Silo: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @89 "the object is asked for here"
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Forgets) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Hears watches what it waits for.
type Hears struct{ client.Client }

func (r *Hears) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !silo.Status.Ready {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Hears) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Watches(&Silo{}, &handler.EnqueueRequestForObject{}).Complete(r)
}

// Steps does its work in functions of its own, and says in the status what it waits for.
type Steps struct{ client.Client }

func (r *Steps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !barn.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.clear(ctx, barn)
	}
	if err := r.step(ctx, barn); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *Steps) step(ctx context.Context, barn *Barn) error {
	silo, err := r.silo(ctx, barn)
	if err != nil {
		return err
	}
	if silo == nil {
		barn.Status.Waiting = true
		return r.Status().Update(ctx, barn) // want unwatched "(*Steps).step gives up here while the *unwatched.Silo of line 158 is not there, and no watch of the controller tells of *unwatched.Silo: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @158 "the object is asked for here"
	}
	if silo.Status.Phase != "Full" {
		return nil // want unwatched "(*Steps).step gives up here while the *unwatched.Silo of line 142 has not the status that it waits for, and no watch of the controller tells of *unwatched.Silo: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @142 "the object is asked for here"
	}
	return work(ctx, r.Client, barn)
}

func (r *Steps) silo(ctx context.Context, barn *Barn) (*Silo, error) {
	silo := &Silo{}
	err := r.Get(ctx, key(barn, barn.Spec.Silo), silo)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return silo, err
}

// clear has nothing to do where there is no silo.
func (r *Steps) clear(ctx context.Context, barn *Barn) error {
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return client.IgnoreNotFound(err)
	}
	return r.Update(ctx, silo)
}

func (r *Steps) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Given owns secrets, but not the one that somebody names.
type Given struct{ client.Client }

func (r *Given) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	own := &corev1.Secret{}
	if err := r.Get(ctx, key(barn, barn.Name+"-own"), own); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	given := &corev1.Secret{}
	if err := r.Get(ctx, key(barn, barn.Spec.Key), given); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want unwatched "(*Given).Reconcile gives up here while the *v1.Secret of line 191 is not there, and no watch of the controller tells of *v1.Secret: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @191 "the object is asked for here"
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Given) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Owns(&corev1.Secret{}).Complete(r)
}

// Returns comes back by itself, in one way or another, or has nothing to do.
type Returns struct{ client.Client }

func (r *Returns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	class := &storagev1.StorageClass{}
	if err := r.Get(ctx, client.ObjectKey{Name: barn.Spec.Class}, class); apierrors.IsNotFound(err) {
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); apierrors.IsNotFound(err) {
		return ctrl.Result{}, err
	}
	if silo.Status.Phase == "Failed" { // it stays so
		return ctrl.Result{}, nil
	}
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, key(barn, barn.Spec.Claims), claim); err != nil {
		return ctrl.Result{}, err
	}
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, client.ObjectKey{Name: claim.Spec.VolumeName}, volume); apierrors.IsNotFound(err) {
		return ctrl.Result{}, nil // the claim tells of it
	}
	noted := &corev1.Secret{}
	if err := r.Get(ctx, key(barn, barn.Status.Key), noted); apierrors.IsNotFound(err) {
		return ctrl.Result{}, nil // it was there once
	}
	extra := &corev1.ConfigMap{}
	if err := r.Get(ctx, key(barn, "extra"), extra); err != nil && !apierrors.IsNotFound(err) {
		return ctrl.Result{}, err // it goes on without
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, key(barn, "workers"), account); apierrors.IsNotFound(err) {
		return ctrl.Result{}, r.Update(ctx, claim) // which somebody answers
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Returns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Cleans has nothing to do where there is no object.
type Cleans struct{ client.Client }

func (r *Cleans) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Delete(ctx, silo)
}

func (r *Cleans) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Signals is told by a channel.
type Signals struct {
	client.Client
	events chan event.GenericEvent
}

func (r *Signals) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Signals) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).
		WatchesRawSource(source.Channel(r.events, &handler.EnqueueRequestForObject{})).Complete(r)
}

// Later keeps its controller, for more watches.
type Later struct {
	client.Client
	controller controller.Controller
}

func (r *Later) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Later) SetupWithManager(mgr ctrl.Manager) (err error) {
	r.controller, err = ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Build(r)
	return err
}

// Makes makes two objects whenever there are none, and hears of one.
type Makes struct {
	client.Client
	scheme *runtime.Scheme
}

func (r *Makes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	if err := r.Create(ctx, service); err != nil && !apierrors.IsAlreadyExists(err) { // want unwatched "(*Makes).Reconcile makes a *v1.Service here, with the *unwatched.Barn that it is called for as its controller, and no watch tells of these as of others that it makes: one that somebody deletes stays away until an unrelated event" @360 "the kinds are watched here"
		return ctrl.Result{}, err
	}
	notes := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: barn.Name, Namespace: barn.Namespace}} // nobody's
	if err := r.Create(ctx, notes); err != nil && !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: barn.Name, Namespace: barn.Namespace}}
	if barn.Spec.Claims != "" { // else it stays
		if err := ctrl.SetControllerReference(barn, claim, r.scheme); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.Create(ctx, claim); err != nil && !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: barn.Name, Namespace: barn.Namespace}} // another one each time
	if err := ctrl.SetControllerReference(barn, pod, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *Makes) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Owns(&appsv1.StatefulSet{}).Complete(r)
}

// Bound is for objects that the cluster binds to others.
type Bound struct{ client.Client }

func (r *Bound) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, req.NamespacedName, volume); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	claim := &corev1.PersistentVolumeClaim{}
	ref := volume.Spec.ClaimRef
	if err := r.Get(ctx, client.ObjectKey{Namespace: ref.Namespace, Name: ref.Name}, claim); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // it was there once
	}
	return ctrl.Result{}, r.Update(ctx, volume)
}

func (r *Bound) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolume{}).Complete(r)
}

// Fails says for good that it has failed, and asks for that first.
type Fails struct{ client.Client }

func (r *Fails) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if barn.Status.Waiting {
		return ctrl.Result{}, nil
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.Spec.Silo), silo); err != nil {
		if apierrors.IsNotFound(err) {
			barn.Status.Waiting = true
			return ctrl.Result{}, r.Status().Update(ctx, barn)
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Fails) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}

// Polls looks after what it makes from time to time.
type Polls struct {
	client.Client
	scheme *runtime.Scheme
}

func (r *Polls) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	if barn.Status.Waiting {
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	return ctrl.Result{}, nil
}

func (r *Polls) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Owns(&appsv1.StatefulSet{}).Complete(r)
}
