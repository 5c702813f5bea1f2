// Behind the removal of the first finalizer more is cleaned up, but the second
// finalizer of the same controller keeps the account until that has succeeded.
//
//adv:rule=finalizerorder sub=writeafterremoval claim=no
package ledgeraccount

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	cardsFinalizer   = "ledger.copperbank.io/cards"
	accountFinalizer = "ledger.copperbank.io/account"
)

type Account struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Currency string
		Cards    []string
	}
}

func (a *Account) DeepCopyObject() runtime.Object {
	out := *a
	out.ObjectMeta = *a.ObjectMeta.DeepCopy()
	out.Spec.Cards = append([]string(nil), a.Spec.Cards...)
	return &out
}

var ErrUnknown = errors.New("unknown to the ledger")

// Ledger knows accounts by key; opening and issuing may be repeated.
type Ledger interface {
	OpenAccount(ctx context.Context, key, currency string) error
	IssueCard(ctx context.Context, key, holder string) error
	RevokeCards(ctx context.Context, key string) error
	CloseAccount(ctx context.Context, key string) error
}

type AccountReconciler struct {
	client.Client
	Ledger Ledger
}

func (r *AccountReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	acc := &Account{}
	if err := r.Get(ctx, req.NamespacedName, acc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := string(acc.UID)

	if !acc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.close(ctx, key, acc)
	}

	// Both at once, and before anything is opened.
	account := controllerutil.AddFinalizer(acc, accountFinalizer)
	cards := controllerutil.AddFinalizer(acc, cardsFinalizer)
	if account || cards {
		if err := r.Update(ctx, acc); err != nil {
			return ctrl.Result{}, fmt.Errorf("guarding account: %w", err)
		}
	}
	if err := r.Ledger.OpenAccount(ctx, key, acc.Spec.Currency); err != nil {
		return ctrl.Result{}, fmt.Errorf("opening account: %w", err)
	}
	for _, holder := range acc.Spec.Cards {
		if err := r.Ledger.IssueCard(ctx, key, holder); err != nil {
			return ctrl.Result{}, fmt.Errorf("issuing card to %s: %w", holder, err)
		}
	}
	return ctrl.Result{}, nil
}

func (r *AccountReconciler) close(ctx context.Context, key string, acc *Account) error {
	logger := log.FromContext(ctx)
	if controllerutil.ContainsFinalizer(acc, cardsFinalizer) {
		if err := r.Ledger.RevokeCards(ctx, key); err != nil && !errors.Is(err, ErrUnknown) {
			return fmt.Errorf("revoking cards: %w", err)
		}
		controllerutil.RemoveFinalizer(acc, cardsFinalizer)
		if err := r.Update(ctx, acc); err != nil {
			return fmt.Errorf("after the cards: %w", err)
		}
		logger.Info("cards revoked")
	}
	if controllerutil.ContainsFinalizer(acc, accountFinalizer) {
		if err := r.Ledger.CloseAccount(ctx, key); err != nil && !errors.Is(err, ErrUnknown) {
			return fmt.Errorf("closing account: %w", err)
		}
		controllerutil.RemoveFinalizer(acc, accountFinalizer)
		if err := r.Update(ctx, acc); err != nil {
			return fmt.Errorf("after the account: %w", err)
		}
		logger.Info("account closed")
	}
	return nil
}

func (r *AccountReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Account{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}
