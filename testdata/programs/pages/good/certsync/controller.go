// The generation predicate stands in the table only for the kind that has a generation, and the Secrets, which have none, are watched by their resource version.
//
//adv:rule=eventfilter sub=nogeneration claim=no
package certsync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const (
	secretAnnotation = "certsync.example.dev/secret"
	digestAnnotation = "certsync.example.dev/digest"
)

// watched is a kind, and what wakes us of it.
type watched struct {
	kind    client.Object
	handler handler.EventHandler
	filters []predicate.Predicate
}

// Syncer rolls Deployments when the certificate that they name changes.
type Syncer struct {
	client.Client
}

// AddToManager makes the controller.
func AddToManager(mgr manager.Manager) error {
	s := &Syncer{Client: mgr.GetClient()}
	c, err := controller.New("certsync", mgr, controller.Options{Reconciler: s})
	if err != nil {
		return err
	}
	for _, w := range []watched{
		{
			kind:    &appsv1.Deployment{},
			handler: &handler.EnqueueRequestForObject{},
			filters: []predicate.Predicate{
				predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}),
			},
		},
		{
			kind:    &corev1.Secret{},
			handler: handler.EnqueueRequestsFromMapFunc(s.usersOf),
			filters: []predicate.Predicate{predicate.ResourceVersionChangedPredicate{}, tlsOnly()},
		},
	} {
		if err := c.Watch(source.Kind(mgr.GetCache(), w.kind, w.handler, w.filters...)); err != nil {
			return fmt.Errorf("watching %T: %w", w.kind, err)
		}
	}
	return nil
}

func tlsOnly() predicate.Predicate {
	return predicate.NewPredicateFuncs(func(obj client.Object) bool {
		secret, ok := obj.(*corev1.Secret)
		return ok && secret.Type == corev1.SecretTypeTLS // the type of a Secret cannot change
	})
}

func (s *Syncer) usersOf(ctx context.Context, obj client.Object) []reconcile.Request {
	deployments := &appsv1.DeploymentList{}
	if err := s.List(ctx, deployments, client.InNamespace(obj.GetNamespace())); err != nil {
		log.FromContext(ctx).Error(err, "Cannot list deployments", "secret", client.ObjectKeyFromObject(obj))
		return nil
	}
	var requests []reconcile.Request
	for i := range deployments.Items {
		if deployments.Items[i].Annotations[secretAnnotation] != obj.GetName() {
			continue
		}
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&deployments.Items[i])})
	}
	return requests
}

// Reconcile implements reconcile.Reconciler.
func (s *Syncer) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	deployment := &appsv1.Deployment{}
	if err := s.Get(ctx, req.NamespacedName, deployment); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	name := deployment.Annotations[secretAnnotation]
	if name == "" || deployment.DeletionTimestamp != nil {
		return reconcile.Result{}, nil
	}
	secret := &corev1.Secret{}
	if err := s.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: name}, secret); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err) // its creation wakes us
	}
	sum := sha256.Sum256(secret.Data[corev1.TLSCertKey])
	digest := hex.EncodeToString(sum[:])
	if deployment.Spec.Template.Annotations[digestAnnotation] == digest {
		return reconcile.Result{}, nil
	}
	base := deployment.DeepCopy()
	if deployment.Spec.Template.Annotations == nil {
		deployment.Spec.Template.Annotations = map[string]string{}
	}
	deployment.Spec.Template.Annotations[digestAnnotation] = digest
	log.FromContext(ctx).Info("Certificate has changed, rolling", "secret", name)
	if err := s.Patch(ctx, deployment, client.StrategicMergeFrom(base)); err != nil {
		return reconcile.Result{}, fmt.Errorf("rolling deployment: %w", err)
	}
	return reconcile.Result{}, nil
}
