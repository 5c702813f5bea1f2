// WithEventFilter(GenerationChangedPredicate) also filters the owned Deployments and PersistentVolumeClaims, whose status the phases wait for without asking to be called again.
//
//adv:rule=eventfilter sub=status claim=yes
package registrycluster

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Registry is an image registry.
type Registry struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Image   string            `json:"image"`
		Storage resource.Quantity `json:"storage"`
	} `json:"spec"`
	Status struct {
		Phase   string `json:"phase,omitempty"`
		Message string `json:"message,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *Registry) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Storage = in.Spec.Storage.DeepCopy()
	return &out
}

// waiting says that a phase has not come to its end.
type waiting struct{ for_ string }

func (w waiting) Error() string { return "waiting for " + w.for_ }

type phase struct {
	name string
	run  func(*RegistryReconciler, context.Context, *Registry) error
}

var phases = []phase{
	{"Storage", (*RegistryReconciler).storage},
	{"Server", (*RegistryReconciler).server},
}

// RegistryReconciler runs registries.
type RegistryReconciler struct {
	client.Client
	Log logr.Logger
}

// Reconcile goes through the phases.
func (r *RegistryReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := r.Log.WithValues("registry", req.NamespacedName)
	reg := &Registry{}
	if err := r.Get(ctx, req.NamespacedName, reg); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, p := range phases {
		err := p.run(r, ctx, reg)
		if w, ok := err.(waiting); ok {
			log.Info("phase is not complete", "phase", p.name, "waitingFor", w.for_)
			return ctrl.Result{}, r.setPhase(ctx, reg, p.name, w.Error())
		}
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("phase %s: %w", p.name, err)
		}
	}
	return ctrl.Result{}, r.setPhase(ctx, reg, "Ready", "")
}

func (r *RegistryReconciler) setPhase(ctx context.Context, reg *Registry, phase, message string) error {
	if reg.Status.Phase == phase && reg.Status.Message == message {
		return nil
	}
	reg.Status.Phase, reg.Status.Message = phase, message
	return r.Status().Update(ctx, reg)
}

func (r *RegistryReconciler) storage(ctx context.Context, reg *Registry) error {
	pvc := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: reg.Name + "-blobs", Namespace: reg.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r, pvc, func() error {
		if pvc.CreationTimestamp.IsZero() {
			pvc.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		}
		pvc.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: reg.Spec.Storage}
		return controllerutil.SetControllerReference(reg, pvc, r.Scheme())
	})
	if err != nil {
		return err
	}
	if pvc.Status.Phase == corev1.ClaimLost {
		return waiting{"volume of claim " + pvc.Name}
	}
	return nil
}

func (r *RegistryReconciler) server(ctx context.Context, reg *Registry) error {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: reg.Name, Namespace: reg.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r, d, func() error {
		labels := map[string]string{"registry": reg.Name}
		d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		d.Spec.Template.Labels = labels
		d.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "blobs", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: reg.Name + "-blobs"},
		}}}
		if len(d.Spec.Template.Spec.Containers) == 0 {
			d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "registry"}}
		}
		d.Spec.Template.Spec.Containers[0].Image = reg.Spec.Image
		return controllerutil.SetControllerReference(reg, d, r.Scheme())
	})
	if err != nil {
		return err
	}
	if d.Status.ObservedGeneration < d.Generation || d.Status.AvailableReplicas == 0 {
		return waiting{"deployment " + d.Name}
	}
	return nil
}

// SetupWithManager sets the controller up.
func (r *RegistryReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Registry{}).
		Owns(&corev1.PersistentVolumeClaim{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}).
		Complete(r)
}
