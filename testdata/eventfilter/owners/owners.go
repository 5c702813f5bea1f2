// Package owners has controllers that hear of what they own, if they are its controllers.
package owners

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

type object struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// Barn, Mill, Shed and Farm are custom resources.
type (
	Barn object
	Mill object
	Shed object
	Farm object
)

func (b *Barn) DeepCopyObject() runtime.Object { c := *b; return &c }
func (m *Mill) DeepCopyObject() runtime.Object { c := *m; return &c }
func (s *Shed) DeepCopyObject() runtime.Object { c := *s; return &c }
func (f *Farm) DeepCopyObject() runtime.Object { c := *f; return &c }

func meta(req ctrl.Request) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}
}

// barns owns its config maps, and is the controller of its secrets.
type barns struct {
	client.Client
	scheme *runtime.Scheme
}

func (r *barns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{ObjectMeta: meta(req)}
	if err := r.own(barn, config); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: meta(req)}
	if err := controllerutil.SetControllerReference(barn, secret, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, secret); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, config)
}

func (r *barns) own(barn, of metav1.Object) error {
	return controllerutil.SetOwnerReference(barn, of, r.scheme)
}

func (r *barns) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Barn{}).
		Owns(&corev1.ConfigMap{}). // want constant "*v1.ConfigMap gets a plain owner reference from (*barns).own (line 65), but Owns follows only controller references; use SetControllerReference or builder.MatchEveryOwner" @65 "the owner is set here"
		Owns(&corev1.Secret{}).    // ok: it is the controller of those
		Complete(r)
}

func (r *barns) everyOwner(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Barn{}).
		Owns(&corev1.ConfigMap{}, builder.MatchEveryOwner). // ok
		Complete(r)
}

func (r *barns) handled(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Barn{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestForOwner(r.scheme, mgr.GetRESTMapper(), &Barn{})). // ok: any owner
		Complete(r)
}

func (r *barns) onlyController(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Barn{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestForOwner(r.scheme, mgr.GetRESTMapper(), &Barn{}, handler.OnlyControllerOwner())). // want constant "*v1.ConfigMap gets a plain owner reference from (*barns).own (line 65), but this watch follows only controller references; use SetControllerReference or follow all owners" @65 "the owner is set here"
		Complete(r)
}

// mills writes the reference out.
type mills struct{ client.Client }

func (r *mills) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	mill := &Mill{}
	if err := r.Get(ctx, req.NamespacedName, mill); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: mill.Name,
		OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "example.com/v1", Kind: "Mill", Name: mill.Name, UID: mill.UID},
		},
	}}
	is := true
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta(req)}
	claim.OwnerReferences = append(claim.OwnerReferences, metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Mill", Name: mill.Name, UID: mill.UID, Controller: &is})
	account := &corev1.ServiceAccount{ObjectMeta: meta(req)}
	account.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(mill, mill.GroupVersionKind())})
	if err := r.Create(ctx, claim); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, account); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, pod)
}

func (r *mills) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Mill{}).
		Owns(&corev1.Pod{}).                   // want constant "*v1.Pod gets a plain owner reference from (*mills).Reconcile (line 107), but Owns follows only controller references; use SetControllerReference or builder.MatchEveryOwner" @107 "the owner is set here"
		Owns(&corev1.PersistentVolumeClaim{}). // ok
		Owns(&corev1.ServiceAccount{}).        // ok
		Complete(r)
}

// sheds gives some of its services to a controller, and shares others.
type sheds struct {
	client.Client
	scheme *runtime.Scheme
}

func (r *sheds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	shed := &Shed{}
	if err := r.Get(ctx, req.NamespacedName, shed); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	own, shared := &corev1.Service{ObjectMeta: meta(req)}, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "shared"}}
	if err := controllerutil.SetControllerReference(shed, own, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := controllerutil.SetOwnerReference(shed, shared, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, own); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, shared)
}

func (r *sheds) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Shed{}).
		Owns(&corev1.Service{}). // ok: of its own ones
		Complete(r)
}

var _ = []any{(*barns).setup, (*barns).everyOwner, (*barns).handled, (*barns).onlyController, (*mills).setup, (*sheds).setup}

// DeepCopyInto gives a farm the owners of another one, as any copy of a kind.
func (f *Farm) DeepCopyInto(out *Farm) {
	out.TypeMeta = f.TypeMeta
	f.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
}

// DeepCopyInto is that of sheds.
func (s *Shed) DeepCopyInto(out *Shed) { s.ObjectMeta.DeepCopyInto(&out.ObjectMeta) }

// estates own sheds, which may be copied.
type estates struct{ client.Client }

func (r *estates) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	farm := &Farm{}
	if err := r.Get(ctx, req.NamespacedName, farm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	shed := &Shed{ObjectMeta: meta(req)}
	if err := controllerutil.SetOwnerReference(farm, shed, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, shed)
}

func (r *estates) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Farm{}).
		Owns(&Shed{}). // want constant "*owners.Shed gets a plain owner reference from (*estates).Reconcile (line 185), but Owns follows only controller references; use SetControllerReference or builder.MatchEveryOwner" @185 "the owner is set here"
		Complete(r)
}

var _ = []any{(*estates).setup}
