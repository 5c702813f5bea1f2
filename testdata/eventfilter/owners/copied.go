package owners

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

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
		Owns(&Shed{}). // want constant "no event of *owners.Shed queues the *owners.Farm that owns it: this watch heeds the owner that is the controller, and the one that (*estates).Reconcile sets (line 30) is none" @30 "the owner is set here"
		Complete(r)
}

// coops gives endpoints what a service has, whoever owns that.
type coops struct{ client.Client }

func (r *coops) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	farm, service := &Farm{}, &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, farm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, service); err != nil {
		return ctrl.Result{}, err
	}
	copied, made := &corev1.Endpoints{}, &corev1.Endpoints{ObjectMeta: meta(req)}
	service.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	if err := r.Create(ctx, copied); err != nil {
		return ctrl.Result{}, err
	}
	if err := controllerutil.SetOwnerReference(farm, made, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, made)
}

func (r *coops) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Farm{}).
		Owns(&corev1.Endpoints{}). // ok: of some, the controller of the service may be the controller
		Complete(r)
}

var _ = []any{(*estates).setup, (*coops).setup}
