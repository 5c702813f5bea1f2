// publish raises an expectation and then returns errors from three places without lowering it there: a deferred function does that for whatever error the function returns.
//
//adv:rule=expectttl sub=notlowered claim=no

package mirrors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"example.com/pages/good/mirrors/pending"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const sourceLabel = "mirror.example.com/service"

// Mirror publishes Services as ConfigMaps that other clusters read.
type Mirror struct {
	client.Client
	Cluster string

	published *pending.Requests[types.NamespacedName]
}

func (m *Mirror) SetupWithManager(mgr ctrl.Manager) error {
	m.published = pending.New[types.NamespacedName](time.Minute)
	onCreate := predicate.Funcs{CreateFunc: func(e event.CreateEvent) bool {
		m.published.LowerOne(types.NamespacedName{Namespace: e.Object.GetNamespace(), Name: e.Object.GetLabels()[sourceLabel]})
		return true
	}}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Service{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(onCreate)).
		Complete(m)
}

func (m *Mirror) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := m.Get(ctx, req.NamespacedName, svc); err != nil {
		if client.IgnoreNotFound(err) == nil {
			m.published.Forget(req.NamespacedName)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	if svc.Spec.ClusterIP == corev1.ClusterIPNone || svc.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	if !m.published.IsSatisfied(req.NamespacedName) {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	var maps corev1.ConfigMapList
	if err := m.List(ctx, &maps, client.InNamespace(req.Namespace), client.MatchingLabels{sourceLabel: req.Name}); err != nil {
		return ctrl.Result{}, err
	}
	if len(maps.Items) > 0 {
		return ctrl.Result{}, nil
	}
	if err := m.publish(ctx, svc); err != nil {
		return ctrl.Result{}, fmt.Errorf("publish %s: %w", req, err)
	}
	return ctrl.Result{}, nil
}

type record struct {
	Cluster   string   `json:"cluster"`
	Addresses []string `json:"addresses"`
}

func (m *Mirror) publish(ctx context.Context, svc *corev1.Service) (err error) {
	key := client.ObjectKeyFromObject(svc)
	m.published.ExpectOne(key)
	defer func() {
		if err != nil {
			m.published.LowerOne(key)
		}
	}()

	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace:    svc.Namespace,
		GenerateName: svc.Name + "-",
		Labels:       map[string]string{sourceLabel: svc.Name},
	}}
	if err := ctrl.SetControllerReference(svc, cm, m.Scheme()); err != nil {
		return err
	}
	rec := record{Cluster: m.Cluster}
	for _, in := range svc.Status.LoadBalancer.Ingress {
		rec.Addresses = append(rec.Addresses, in.IP)
	}
	if len(rec.Addresses) == 0 {
		return errors.New("no address yet")
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	cm.Data = map[string]string{"record.json": string(raw)}
	return m.Create(ctx, cm)
}
