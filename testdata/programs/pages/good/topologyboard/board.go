// No bug: whoever sends on the channel of updates holds the lock and has just emptied the one place in it, and nobody sends without that lock, so the send never waits although the reader takes the same lock.
//
//adv:rule=lockheld sub=blocking claim=no

// Package topologyboard publishes how many nodes each zone has, for the schedulers of other teams.
package topologyboard

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// board has the zones of all nodes, and the last count for who writes it out.
type board struct {
	mu      sync.Mutex
	zoneOf  map[string]string
	written map[string]int
	updates chan map[string]int
}

func newBoard() *board {
	return &board{zoneOf: map[string]string{}, updates: make(chan map[string]int, 1)}
}

// set notes the zone of a node, or that it is gone, and publishes the new count.
func (b *board) set(node, zone string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.zoneOf[node] == zone {
		return
	}
	if zone == "" {
		delete(b.zoneOf, node)
	} else {
		b.zoneOf[node] = zone
	}
	counts := map[string]int{}
	for _, z := range b.zoneOf {
		counts[z]++
	}
	// The newest count takes the place of one that nobody has read.
	select {
	case <-b.updates:
	default:
	}
	b.updates <- counts
}

func (b *board) isWritten(counts map[string]int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Equal(b.written, counts)
}

func (b *board) setWritten(counts map[string]int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written = counts
}

// NodeReconciler fills the board.
type NodeReconciler struct {
	client.Client
	board *board
}

// Reconcile implements reconcile.Reconciler.
func (r *NodeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.board.set(req.Name, "")
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	r.board.set(node.Name, node.Labels[corev1.LabelTopologyZone])
	return ctrl.Result{}, nil
}

// writer is a Runnable.
type writer struct {
	client client.Client
	board  *board
	target client.ObjectKey
}

// Start implements manager.Runnable.
func (w *writer) Start(ctx context.Context) error {
	var counts map[string]int
	var again <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case counts = <-w.board.updates:
		case <-again:
		}
		again = nil
		if w.board.isWritten(counts) {
			continue
		}
		if err := w.write(ctx, counts); err != nil {
			log.FromContext(ctx).Error(err, "counts not written, trying again")
			again = time.After(10 * time.Second)
			continue
		}
		w.board.setWritten(counts)
	}
}

func (w *writer) write(ctx context.Context, counts map[string]int) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.target.Namespace, Name: w.target.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, w.client, cm, func() error {
		cm.Data = make(map[string]string, len(counts))
		for zone, n := range counts {
			cm.Data[zone] = strconv.Itoa(n)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", w.target, err)
	}
	return nil
}

// Setup registers both.
func Setup(mgr ctrl.Manager, target client.ObjectKey) error {
	b := newBoard()
	if err := mgr.Add(&writer{client: mgr.GetClient(), board: b, target: target}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("topology").For(&corev1.Node{}).
		Complete(&NodeReconciler{Client: mgr.GetClient(), board: b})
}
