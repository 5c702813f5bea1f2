// Suspend asks the ledger with the board's mutex held, and the ledger tells the board of a tenant over its limit with its own mutex held: a charge and a suspension at once hang both.
//
//adv:rule=lockheld sub=order claim=yes

package quotaorder

import (
	"context"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/pages/bug/quotaorder/ledger"
)

const (
	suspendLabel    = "tenancy.acme.io/suspended"
	limitAnnotation = "tenancy.acme.io/limit"
	usedAnnotation  = "tenancy.acme.io/used"
	tenantLabel     = "tenancy.acme.io/tenant"
)

type board struct {
	ledger *ledger.Ledger

	mu        sync.Mutex
	overdraft map[string]int64
	suspended map[string]ledger.Entry
}

func newBoard() *board {
	b := &board{overdraft: map[string]int64{}, suspended: map[string]ledger.Entry{}}
	b.ledger = ledger.New(b.markOver)
	return b
}

func (b *board) markOver(tenant string, over int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.overdraft[tenant] = over
}

// suspend freezes the tenant once, and gives its last count.
func (b *board) suspend(tenant string) (ledger.Entry, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.suspended[tenant]; ok {
		return e, true
	}
	e, ok := b.ledger.Freeze(tenant)
	if ok {
		b.suspended[tenant] = e
		delete(b.overdraft, tenant)
	}
	return e, ok
}

// TenantReconciler looks after the namespaces of tenants.
type TenantReconciler struct {
	client.Client
	board *board
}

func (r *TenantReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if limit, err := strconv.ParseInt(ns.Annotations[limitAnnotation], 10, 64); err == nil {
		r.board.ledger.SetLimit(ns.Name, limit)
	}
	if ns.Labels[suspendLabel] != "true" {
		return ctrl.Result{}, nil
	}
	entry, ok := r.board.suspend(ns.Name)
	if !ok {
		ctrl.LoggerFrom(ctx).Info("nothing is known of the tenant")
		return ctrl.Result{}, nil
	}
	base := ns.DeepCopy()
	metav1.SetMetaDataAnnotation(&ns.ObjectMeta, usedAnnotation, strconv.FormatInt(entry.Used, 10))
	return ctrl.Result{}, r.Patch(ctx, ns, client.MergeFrom(base))
}

// ClaimReconciler charges tenants for their volumes.
type ClaimReconciler struct {
	client.Client
	board *board
}

func (r *ClaimReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pvc := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, req.NamespacedName, pvc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pvc.Status.Phase != corev1.ClaimBound || pvc.Annotations[usedAnnotation] != "" {
		return ctrl.Result{}, nil
	}
	size := pvc.Status.Capacity.Storage()
	if size == nil {
		size = resource.NewQuantity(0, resource.BinarySI)
	}
	base := pvc.DeepCopy()
	metav1.SetMetaDataAnnotation(&pvc.ObjectMeta, usedAnnotation, size.String())
	if err := r.Patch(ctx, pvc, client.MergeFrom(base)); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.board.ledger.Charge(pvc.Labels[tenantLabel], size.Value()); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "volume is not charged")
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers both reconcilers.
func SetupWithManager(mgr ctrl.Manager) error {
	b := newBoard()
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.Namespace{}).
		Complete(&TenantReconciler{Client: mgr.GetClient(), board: b}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolumeClaim{}).
		Complete(&ClaimReconciler{Client: mgr.GetClient(), board: b})
}
