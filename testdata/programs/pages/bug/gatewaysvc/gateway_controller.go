// The rendered LoadBalancer Service takes the place of the stored one with its
// resource version, but without the cloud provider's finalizer.
//
//adv:rule=finalizerorder sub=dropped claim=yes
package gatewaysvc

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/bug/gatewaysvc/render"
)

type Gateway struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Ports              []int32
		ServiceAnnotations map[string]string
	}
	Status struct {
		Address string
	}
}

func (g *Gateway) DeepCopyObject() runtime.Object {
	out := *g
	out.ObjectMeta = *g.ObjectMeta.DeepCopy()
	out.Spec.Ports = append([]int32(nil), g.Spec.Ports...)
	return &out
}

type GatewayReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *GatewayReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	gw := &Gateway{}
	if err := r.Get(ctx, req.NamespacedName, gw); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !gw.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil // its children are collected
	}

	want := render.GatewayService(gw.Namespace, gw.Name, gw.Spec.Ports, gw.Spec.ServiceAnnotations)
	if err := controllerutil.SetControllerReference(gw, want, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	svc, err := r.applyService(ctx, want)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("service of gateway %s: %w", gw.Name, err)
	}

	addr := ""
	for _, in := range svc.Status.LoadBalancer.Ingress {
		if addr = in.IP; addr == "" {
			addr = in.Hostname
		}
	}
	if addr == gw.Status.Address {
		return ctrl.Result{}, nil
	}
	gw.Status.Address = addr
	return ctrl.Result{}, r.Status().Update(ctx, gw)
}

func (r *GatewayReconciler) applyService(ctx context.Context, want *corev1.Service) (*corev1.Service, error) {
	logger := log.FromContext(ctx).WithValues("service", want.Name)
	have := &corev1.Service{}
	err := r.Get(ctx, client.ObjectKeyFromObject(want), have)
	switch {
	case apierrors.IsNotFound(err):
		logger.Info("creating service")
		return want, r.Create(ctx, want)
	case err != nil:
		return nil, err
	case samePorts(have, want) && equality.Semantic.DeepDerivative(want.Annotations, have.Annotations):
		return have, nil
	}
	want.ResourceVersion = have.ResourceVersion
	want.Spec.ClusterIP = have.Spec.ClusterIP
	want.Spec.ClusterIPs = have.Spec.ClusterIPs
	want.Spec.HealthCheckNodePort = have.Spec.HealthCheckNodePort
	logger.Info("updating service")
	return want, r.Update(ctx, want)
}

func samePorts(a, b *corev1.Service) bool {
	if len(a.Spec.Ports) != len(b.Spec.Ports) {
		return false
	}
	for i := range a.Spec.Ports {
		if a.Spec.Ports[i].Port != b.Spec.Ports[i].Port || a.Spec.Ports[i].Name != b.Spec.Ports[i].Name {
			return false
		}
	}
	return true
}

func (r *GatewayReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Gateway{}).Owns(&corev1.Service{}).Complete(r)
}
