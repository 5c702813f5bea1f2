// The filter compares fingerprints of the old and the new spec, and the fingerprint lacks the resources that the reconciler puts on the container, so new limits are not rolled out.
//
//adv:rule=eventfilter sub=fields claim=near
package edgeproxy

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type (
	// EdgeProxy is a proxy at the edge.
	EdgeProxy struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              EdgeProxySpec `json:"spec"`
	}
	// EdgeProxySpec is the wish.
	EdgeProxySpec struct {
		Replicas  int32                       `json:"replicas"`
		Version   string                      `json:"version"`
		Upstreams []string                    `json:"upstreams,omitempty"`
		Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	}
)

// DeepCopyObject implements runtime.Object.
func (in *EdgeProxy) DeepCopyObject() runtime.Object {
	out := &EdgeProxy{TypeMeta: in.TypeMeta, Spec: in.Spec}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Upstreams = append([]string(nil), in.Spec.Upstreams...)
	in.Spec.Resources.DeepCopyInto(&out.Spec.Resources)
	return out
}

// fingerprint stands for what the proxies are made from.
func fingerprint(p *EdgeProxy) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s@%s\n", p.Name, p.Spec.Version)
	fmt.Fprintf(h, "replicas=%d\n", p.Spec.Replicas)
	for _, up := range p.Spec.Upstreams {
		fmt.Fprintln(h, strings.ToLower(up))
	}
	return h.Sum64()
}

type onFingerprint struct {
	predicate.TypedFuncs[*EdgeProxy]
}

func (onFingerprint) Update(e event.TypedUpdateEvent[*EdgeProxy]) bool {
	return fingerprint(e.ObjectOld) != fingerprint(e.ObjectNew)
}

type proxies struct {
	cl   client.Client
	repo string
}

func (p *proxies) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var proxy EdgeProxy
	if err := p.cl.Get(ctx, req.NamespacedName, &proxy); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if proxy.DeletionTimestamp != nil {
		return reconcile.Result{}, nil
	}
	deploy := appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "edge-" + proxy.Name, Namespace: proxy.Namespace}}
	if _, err := controllerutil.CreateOrPatch(ctx, p.cl, &deploy, func() error {
		return p.shape(&proxy, &deploy)
	}); err != nil {
		return reconcile.Result{}, fmt.Errorf("deploying %s: %w", proxy.Name, err)
	}
	return reconcile.Result{}, nil
}

func (p *proxies) shape(proxy *EdgeProxy, deploy *appsv1.Deployment) error {
	labels := map[string]string{"app": "edge", "edge": proxy.Name}
	deploy.Spec.Replicas = &proxy.Spec.Replicas
	deploy.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	deploy.Spec.Template.Labels = labels
	env := make([]corev1.EnvVar, 0, len(proxy.Spec.Upstreams))
	for i, up := range proxy.Spec.Upstreams {
		env = append(env, corev1.EnvVar{Name: fmt.Sprintf("UPSTREAM_%d", i), Value: up})
	}
	deploy.Spec.Template.Spec.Containers = []corev1.Container{{
		Name:      "proxy",
		Image:     p.repo + ":" + proxy.Spec.Version,
		Env:       env,
		Resources: proxy.Spec.Resources,
	}}
	return controllerutil.SetControllerReference(proxy, deploy, p.cl.Scheme())
}

// Setup starts the controller with the manager.
func Setup(mgr ctrl.Manager, repo string) error {
	c, err := controller.New("edgeproxy", mgr, controller.Options{Reconciler: &proxies{cl: mgr.GetClient(), repo: repo}})
	if err != nil {
		return fmt.Errorf("new controller: %w", err)
	}
	return c.Watch(source.Kind(mgr.GetCache(), &EdgeProxy{}, &handler.TypedEnqueueRequestForObject[*EdgeProxy]{}, onFingerprint{}))
}
