// The map function of the Secret watch gives up with no request at all when it meets the first Ingress of another class, so a renewed certificate does not wake the ingresses behind it in the list.
//
//adv:rule=eventfilter sub=siblings claim=yes
package routecerts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const className = "funnel"

// Uploader sends certificates to the edge.
type Uploader interface {
	Upload(ctx context.Context, host string, cert, key []byte) (revision string, err error)
	Forget(ctx context.Context, ingress types.NamespacedName) error
}

type ingressReconciler struct {
	client.Client
	log  logr.Logger
	edge Uploader
	seen map[types.NamespacedName]string
}

func (r *ingressReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	log := r.log.WithValues("ingress", req.NamespacedName)
	ing := new(networkingv1.Ingress)
	err := r.Get(ctx, req.NamespacedName, ing)
	if apierrors.IsNotFound(err) {
		delete(r.seen, req.NamespacedName)
		return reconcile.Result{}, r.edge.Forget(ctx, req.NamespacedName)
	} else if err != nil {
		return reconcile.Result{}, fmt.Errorf("failed to get ingress: %w", err)
	}
	if !ing.DeletionTimestamp.IsZero() || ptr.Deref(ing.Spec.IngressClassName, "") != className {
		return reconcile.Result{}, nil
	}

	var errs []error
	digest := sha256.New()
	for _, t := range ing.Spec.TLS {
		secret := &corev1.Secret{}
		if err := r.Get(ctx, client.ObjectKey{Namespace: ing.Namespace, Name: t.SecretName}, secret); err != nil {
			if apierrors.IsNotFound(err) {
				log.Info("certificate is not there yet", "secret", t.SecretName)
				continue
			}
			return reconcile.Result{}, err
		}
		for _, host := range t.Hosts {
			rev, err := r.edge.Upload(ctx, host, secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey])
			if err != nil {
				errs = append(errs, fmt.Errorf("host %s: %w", host, err))
				continue
			}
			digest.Write([]byte(host + "=" + rev))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return reconcile.Result{}, err
	}
	r.seen[req.NamespacedName] = hex.EncodeToString(digest.Sum(nil))
	return reconcile.Result{}, nil
}

// ingressesFromSecret wakes all ingresses that present the certificate.
func ingressesFromSecret(cl client.Client, log logr.Logger) handler.MapFunc {
	return func(ctx context.Context, o client.Object) []reconcile.Request {
		secret, ok := o.(*corev1.Secret)
		if !ok || secret.Type != corev1.SecretTypeTLS {
			return nil
		}
		var list networkingv1.IngressList
		if err := cl.List(ctx, &list, client.InNamespace(secret.Namespace)); err != nil {
			log.Error(err, "cannot list ingresses")
			return nil
		}
		reqs := make([]reconcile.Request, 0, len(list.Items))
		for _, ing := range list.Items {
			if ing.Spec.IngressClassName == nil || *ing.Spec.IngressClassName != className {
				return nil
			}
			for _, t := range ing.Spec.TLS {
				if t.SecretName == secret.Name {
					reqs = append(reqs, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&ing)})
					break
				}
			}
		}
		return reqs
	}
}

// Add wires the controller.
func Add(mgr ctrl.Manager, edge Uploader) error {
	log := mgr.GetLogger().WithName("ingress")
	return ctrl.NewControllerManagedBy(mgr).
		Named("funnel-ingress").
		For(&networkingv1.Ingress{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ingressesFromSecret(mgr.GetClient(), log))).
		Complete(&ingressReconciler{Client: mgr.GetClient(), log: log, edge: edge, seen: map[types.NamespacedName]string{}})
}
