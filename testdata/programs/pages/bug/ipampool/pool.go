// Resize comes back with the lock of the pool held where a lease lies outside of the new range, so the next Allocate or Release waits for ever.
//
//adv:rule=lockheld sub=leak claim=yes

// Package ipampool hands out pod ranges to nodes.
package ipampool

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

var errExhausted = errors.New("pool exhausted")

// pool of /24 ranges of IPv4.
type pool struct {
	mu      sync.Mutex
	base    netip.Prefix
	leases  map[string]netip.Prefix
	version uint64
}

// begin gives the leases to a change, end takes them back.
func (p *pool) begin() map[string]netip.Prefix {
	p.mu.Lock()
	return p.leases
}

func (p *pool) end(changed bool) {
	if changed {
		p.version++
	}
	p.mu.Unlock()
}

func (p *pool) Allocate(node string) (netip.Prefix, error) {
	leases := p.begin()
	if lease, ok := leases[node]; ok {
		p.end(false)
		return lease, nil
	}
	used := make(map[netip.Prefix]bool, len(leases))
	for _, lease := range leases {
		used[lease] = true
	}
	start := p.base.Masked().Addr().As4()
	first := binary.BigEndian.Uint32(start[:])
	for n := uint32(0); n < 1<<(24-p.base.Bits()); n++ {
		var raw [4]byte
		binary.BigEndian.PutUint32(raw[:], first+n<<8)
		if lease := netip.PrefixFrom(netip.AddrFrom4(raw), 24); !used[lease] {
			leases[node] = lease
			p.end(true)
			return lease, nil
		}
	}
	p.end(false)
	return netip.Prefix{}, errExhausted
}

func (p *pool) Release(node string) {
	leases := p.begin()
	_, had := leases[node]
	delete(leases, node)
	p.end(had)
}

// Resize moves the pool to another range, which must have room for what is leased.
func (p *pool) Resize(base netip.Prefix) error {
	if !base.Addr().Is4() || base.Bits() > 24 {
		return fmt.Errorf("%s is no range for a pool", base)
	}
	leases := p.begin()
	if base == p.base {
		p.end(false)
		return nil
	}
	for node, lease := range leases {
		if !base.Contains(lease.Addr()) {
			return fmt.Errorf("node %s has %s, which is not in %s", node, lease, base)
		}
	}
	p.base = base
	p.end(true)
	return nil
}

// NodeReconciler gives each node its range.
type NodeReconciler struct {
	client.Client
	pool   *pool
	config client.ObjectKey
}

// Reconcile implements reconcile.Reconciler.
func (r *NodeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, r.config, cm); err != nil {
		return ctrl.Result{}, fmt.Errorf("read pool: %w", err)
	}
	if base, err := netip.ParsePrefix(cm.Data["range"]); err != nil {
		logger.Error(err, "range not understood, keeping the old one")
	} else if err := r.pool.Resize(base); err != nil {
		logger.Error(err, "pool not resized")
	}
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.pool.Release(req.Name)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	lease, err := r.pool.Allocate(node.Name)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("node %s: %w", node.Name, err)
	}
	if node.Annotations["ipam.example.org/range"] == lease.String() {
		return ctrl.Result{}, nil
	}
	before := node.DeepCopy()
	if node.Annotations == nil {
		node.Annotations = map[string]string{}
	}
	node.Annotations["ipam.example.org/range"] = lease.String()
	return ctrl.Result{}, r.Patch(ctx, node, client.MergeFrom(before))
}

// SetupWithManager registers the reconciler.
func SetupWithManager(mgr ctrl.Manager, base netip.Prefix, config client.ObjectKey) error {
	r := &NodeReconciler{Client: mgr.GetClient(), config: config, pool: &pool{base: base, leases: map[string]netip.Prefix{}}}
	return ctrl.NewControllerManagedBy(mgr).Named("ipam").For(&corev1.Node{}).Complete(r)
}
