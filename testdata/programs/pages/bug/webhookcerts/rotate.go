// The options of the list are a slice of this function's own with UnsafeDisableDeepCopy in it, and the annotations of the listed secrets, which the cache has too, are written to.
//
//adv:rule=cachemutation sub=disabled claim=near

package webhookcerts

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	managedLabel      = "certs.acme.io/managed"
	expiryAnnotation  = "certs.acme.io/expires"
	renewalAnnotation = "certs.acme.io/renew"
)

// Rotator marks certificates of a namespace that have to be renewed.
type Rotator struct {
	client.Client
	Before time.Duration
	Clock  func() time.Time
}

func (r *Rotator) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)

	// There are thousands of secrets, so they are not copied.
	opts := []client.ListOption{
		client.MatchingLabels{managedLabel: "true"},
		client.UnsafeDisableDeepCopy,
	}
	if req.Name != "" {
		opts = append(opts, client.InNamespace(req.Name))
	}
	var secrets corev1.SecretList
	if err := r.List(ctx, &secrets, opts...); err != nil {
		return ctrl.Result{}, fmt.Errorf("listing certificates: %w", err)
	}

	var errs []error
	next := 24 * time.Hour
	for i := range secrets.Items {
		secret := &secrets.Items[i]
		expires, err := expiry(secret.Data[corev1.TLSCertKey])
		if err != nil {
			logger.Info("secret has no certificate", "secret", secret.Name, "reason", err.Error())
			continue
		}
		left := expires.Sub(r.Clock())
		if left > r.Before {
			next = min(next, left-r.Before)
			continue
		}
		if _, marked := secret.Annotations[renewalAnnotation]; marked {
			continue
		}
		if secret.Annotations == nil {
			secret.Annotations = map[string]string{}
		}
		secret.Annotations[renewalAnnotation] = r.Clock().UTC().Format(time.RFC3339)
		secret.Annotations[expiryAnnotation] = expires.UTC().Format(time.RFC3339)
		if err := r.Update(ctx, secret); err != nil {
			errs = append(errs, fmt.Errorf("secret %s: %w", secret.Name, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: next}, nil
}

func expiry(data []byte) (time.Time, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return time.Time{}, errors.New("no PEM")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return time.Time{}, err
	}
	return cert.NotAfter, nil
}

// SetupWithManager registers the rotator for namespaces.
func (r *Rotator) SetupWithManager(mgr ctrl.Manager) error {
	if r.Clock == nil {
		r.Clock = time.Now
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("cert-rotator").
		For(&corev1.Namespace{}).
		Complete(r)
}
