// The Secrets are guarded by a predicate with GenerationChangedPredicate in it, but only as one of two alternatives, and the other one compares their data.
//
//adv:rule=eventfilter sub=nogeneration claim=no
package apikeys

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/pages/good/apikeys/predicate"
)

const (
	consumerLabel = "gateway.acme.io/consumer"
	finalizer     = "gateway.acme.io/drop-keys"
)

// Consumer is a client of the gateway.
type Consumer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Plan string `json:"plan"`
	} `json:"spec"`
	Status struct {
		Keys int `json:"keys"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *Consumer) DeepCopyObject() runtime.Object {
	out := &Consumer{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: in.Status}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

// Gateway takes consumers and their keys.
type Gateway interface {
	Put(ctx context.Context, consumer, plan string, keys []string) error
	Drop(ctx context.Context, consumer string) error
}

var errNoKey = errors.New("secret has no key")

type reconciler struct {
	client  client.Client
	gateway Gateway
}

func (r *reconciler) keys(ctx context.Context, consumer *Consumer) (keys []string, err error) {
	secrets := &corev1.SecretList{}
	err = r.client.List(ctx, secrets, client.InNamespace(consumer.Namespace), client.MatchingLabels{consumerLabel: consumer.Name})
	if err != nil {
		return nil, fmt.Errorf("list secrets: %w", err)
	}
	for _, s := range secrets.Items {
		key, ok := s.Data["key"]
		if !ok {
			log.FromContext(ctx).Error(errNoKey, "leaving secret out", "secret", s.Name)
			continue
		}
		keys = append(keys, string(key))
	}
	return keys, nil
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	consumer := &Consumer{}
	if err := r.client.Get(ctx, req.NamespacedName, consumer); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !consumer.DeletionTimestamp.IsZero() {
		if !controllerutil.ContainsFinalizer(consumer, finalizer) {
			return reconcile.Result{}, nil
		}
		if err := r.gateway.Drop(ctx, req.String()); err != nil {
			return reconcile.Result{}, fmt.Errorf("drop consumer: %w", err)
		}
		controllerutil.RemoveFinalizer(consumer, finalizer)
		return reconcile.Result{}, r.client.Update(ctx, consumer)
	}
	if controllerutil.AddFinalizer(consumer, finalizer) {
		if err := r.client.Update(ctx, consumer); err != nil {
			return reconcile.Result{}, err
		}
	}
	keys, err := r.keys(ctx, consumer)
	if err != nil {
		return reconcile.Result{}, err
	}
	if err := r.gateway.Put(ctx, req.String(), consumer.Spec.Plan, keys); err != nil {
		return reconcile.Result{}, fmt.Errorf("put consumer: %w", err)
	}
	if consumer.Status.Keys == len(keys) {
		return reconcile.Result{}, nil
	}
	consumer.Status.Keys = len(keys)
	return reconcile.Result{}, r.client.Status().Update(ctx, consumer)
}

func consumerOf(_ context.Context, o client.Object) []reconcile.Request {
	name := o.GetLabels()[consumerLabel]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: o.GetNamespace(), Name: name}}}
}

// Add adds the controller to the manager.
func Add(mgr ctrl.Manager, gateway Gateway) error {
	c, err := controller.New("apikeys", mgr, controller.Options{
		Reconciler: &reconciler{client: mgr.GetClient(), gateway: gateway},
	})
	if err != nil {
		return err
	}
	watches := []source.Source{
		source.Kind[client.Object](mgr.GetCache(), &Consumer{}, &handler.EnqueueRequestForObject{}, predicate.PayloadChanged()),
		source.Kind[client.Object](mgr.GetCache(), &corev1.Secret{},
			handler.EnqueueRequestsFromMapFunc(consumerOf), predicate.PayloadChanged()),
	}
	for _, w := range watches {
		if err := c.Watch(w); err != nil {
			return err
		}
	}
	return nil
}
