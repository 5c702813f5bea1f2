// The break in the case for the end of the watch leaves only the select and not the loop, as it should: a new watch is opened behind it after a pause, and the end of the context leaves the loop by its label.
//
//adv:rule=startctx sub=loop claim=no

package csrwatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	certv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	certclient "k8s.io/client-go/kubernetes/typed/certificates/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const signer = "example.com/device"

// Approver approves the requests of devices that are known.
type Approver struct {
	csrs  certclient.CertificateSigningRequestInterface
	known func(device string) bool
	log   logr.Logger
	pause time.Duration
}

func NewApprover(mgr manager.Manager, known func(string) bool) (*Approver, error) {
	cs, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return nil, err
	}
	a := &Approver{
		csrs:  cs.CertificatesV1().CertificateSigningRequests(),
		known: known,
		log:   mgr.GetLogger().WithName("approver"),
		pause: 2 * time.Second,
	}
	return a, mgr.Add(a)
}

func (a *Approver) open(ctx context.Context) (watch.Interface, error) {
	return a.csrs.Watch(ctx, metav1.ListOptions{FieldSelector: "spec.signerName=" + signer})
}

// Start implements manager.Runnable.
func (a *Approver) Start(ctx context.Context) error {
	w, err := a.open(ctx)
	if err != nil {
		return fmt.Errorf("first watch: %w", err)
	}
	defer func() { w.Stop() }()

	seen := 0
loop:
	for {
		select {
		case <-ctx.Done():
			break loop
		case ev, ok := <-w.ResultChan():
			if !ok || ev.Type == watch.Error {
				break
			}
			seen++
			if csr, isCSR := ev.Object.(*certv1.CertificateSigningRequest); isCSR && ev.Type != watch.Deleted {
				if err := a.consider(ctx, csr); err != nil {
					a.log.Error(err, "request stays open", "csr", csr.Name)
				}
			}
			continue
		}
		w.Stop()
		a.log.V(1).Info("watch ended", "events", seen)
		select {
		case <-ctx.Done():
			break loop
		case <-time.After(a.pause):
		}
		next, err := a.open(ctx)
		if err != nil {
			a.log.Error(err, "no watch, trying again")
			continue // the old one is closed, and leads here again after the pause
		}
		w = next
	}
	a.log.Info("approver ends", "events", seen)
	return nil
}

var errUnknown = errors.New("device is not known")

func (a *Approver) consider(ctx context.Context, csr *certv1.CertificateSigningRequest) error {
	for _, c := range csr.Status.Conditions {
		if c.Type == certv1.CertificateApproved || c.Type == certv1.CertificateDenied {
			return nil
		}
	}
	if !a.known(csr.Spec.Username) {
		return fmt.Errorf("%s: %w", csr.Spec.Username, errUnknown)
	}
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		fresh, err := a.csrs.Get(ctx, csr.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		fresh.Status.Conditions = append(fresh.Status.Conditions, certv1.CertificateSigningRequestCondition{
			Type:   certv1.CertificateApproved,
			Status: corev1.ConditionTrue,
			Reason: "KnownDevice",
		})
		_, err = a.csrs.UpdateApproval(ctx, fresh.Name, fresh, metav1.UpdateOptions{})
		return err
	})
}
