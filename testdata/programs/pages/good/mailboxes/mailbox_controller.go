// What stands behind the removal of the finalizer is only in the process (a
// gauge and a cache), or a write whose "not found" is let pass.
//
//adv:rule=finalizerorder sub=writeafterremoval claim=no
package mailboxes

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	mailboxFinalizer = "mail.postern.io/mailbox"
	releasedLabel    = "mail.postern.io/released"
)

type Mailbox struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   struct{ QuotaMB int64 }
	Status struct{ UsedMB int64 }
}

func (m *Mailbox) DeepCopy() *Mailbox {
	out := *m
	out.ObjectMeta = *m.ObjectMeta.DeepCopy()
	return &out
}

func (m *Mailbox) DeepCopyObject() runtime.Object { return m.DeepCopy() }

// Server is the mail server; its calls may be repeated.
type Server interface {
	EnsureMailbox(ctx context.Context, user string, quotaMB int64) (usedMB int64, err error)
	DeleteMailbox(ctx context.Context, user string) error
}

// usage is what the metrics endpoint shows.
type usage struct {
	mu   sync.Mutex
	used map[types.NamespacedName]int64
}

func (u *usage) set(key types.NamespacedName, mb int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.used[key] = mb
}

func (u *usage) drop(key types.NamespacedName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.used, key)
}

type MailboxReconciler struct {
	client.Client
	server   Server
	recorder record.EventRecorder
	usage    *usage
}

func NewMailboxReconciler(mgr ctrl.Manager, server Server) *MailboxReconciler {
	return &MailboxReconciler{
		Client:   mgr.GetClient(),
		server:   server,
		recorder: mgr.GetEventRecorderFor("mailbox"),
		usage:    &usage{used: map[types.NamespacedName]int64{}},
	}
}

func (r *MailboxReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	box := &Mailbox{}
	if err := r.Get(ctx, req.NamespacedName, box); err != nil {
		if !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err
		}
		r.usage.drop(req.NamespacedName)
		return ctrl.Result{}, nil
	}
	if !box.DeletionTimestamp.IsZero() {
		if controllerutil.ContainsFinalizer(box, mailboxFinalizer) {
			return ctrl.Result{}, r.remove(ctx, req.NamespacedName, box)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(box, mailboxFinalizer) {
		if err := r.Update(ctx, box); err != nil {
			return ctrl.Result{}, err
		}
	}
	used, err := r.server.EnsureMailbox(ctx, box.Name, box.Spec.QuotaMB)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("mailbox of %s: %w", box.Name, err)
	}
	r.usage.set(req.NamespacedName, used)
	if used == box.Status.UsedMB {
		return ctrl.Result{}, nil
	}
	box.Status.UsedMB = used
	return ctrl.Result{}, r.Status().Update(ctx, box)
}

func (r *MailboxReconciler) remove(ctx context.Context, key types.NamespacedName, box *Mailbox) error {
	if err := r.server.DeleteMailbox(ctx, box.Name); err != nil {
		r.recorder.Eventf(box, corev1.EventTypeWarning, "DeleteFailed", "mail server: %v", err)
		return err
	}
	controllerutil.RemoveFinalizer(box, mailboxFinalizer)
	if err := r.Update(ctx, box); err != nil {
		return client.IgnoreNotFound(err)
	}
	r.usage.drop(key)
	r.recorder.Event(box, corev1.EventTypeNormal, "Deleted", "mailbox is gone from the server")
	log.FromContext(ctx).Info("mailbox deleted")

	// The archiver keeps some boxes by a finalizer of its own; it looks for the label.
	if len(box.Finalizers) > 0 {
		base := box.DeepCopy()
		metav1.SetMetaDataLabel(&box.ObjectMeta, releasedLabel, "true")
		return client.IgnoreNotFound(r.Patch(ctx, box, client.MergeFrom(base)))
	}
	return nil
}

func (r *MailboxReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Mailbox{}).Complete(r)
}
