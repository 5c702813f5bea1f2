// The predicate compares the addresses of both nodes in a canonical order, and addr.Canonical sorts and lowers them in place, in the nodes of the shared cache.
//
//adv:rule=eventfilter sub=mutates claim=yes
package nodeaddresses

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/bug/nodeaddresses/addr"
)

// Zone is the DNS zone of the nodes.
type Zone interface {
	Upsert(ctx context.Context, name string, ip netip.Addr) error
	Remove(ctx context.Context, name string) error
}

// NodeRecords keeps a DNS record for each node.
type NodeRecords struct {
	reader client.Reader
	zone   Zone
	suffix string
}

// Reconcile writes the record of one node.
func (n *NodeRecords) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	l := log.FromContext(ctx)
	name := req.Name + "." + n.suffix

	var node corev1.Node
	if err := n.reader.Get(ctx, req.NamespacedName, &node); err != nil {
		if client.IgnoreNotFound(err) != nil {
			return reconcile.Result{}, err
		}
		l.Info("node is gone, removing record", "record", name)
		return reconcile.Result{}, n.zone.Remove(ctx, name)
	}

	text, ok := addr.Of(node.Status.Addresses, corev1.NodeExternalIP)
	if !ok {
		if text, ok = addr.Of(node.Status.Addresses, corev1.NodeInternalIP); !ok {
			l.V(1).Info("node has no address yet")
			return reconcile.Result{}, nil
		}
	}
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("address of node %s: %w", node.Name, err))
	}
	if err := n.zone.Upsert(ctx, name, ip); err != nil {
		return reconcile.Result{}, fmt.Errorf("record %s: %w", name, err)
	}
	return reconcile.Result{}, nil
}

type addressesChanged struct{ predicate.Funcs }

// Update spares us the heartbeats, of which there are many.
func (addressesChanged) Update(e event.UpdateEvent) bool {
	prev, ok := e.ObjectOld.(*corev1.Node)
	if !ok {
		return false
	}
	next, ok := e.ObjectNew.(*corev1.Node)
	if !ok {
		return false
	}
	// kubelet and cloud provider write them in different orders
	return !slices.Equal(addr.Canonical(prev.Status.Addresses), addr.Canonical(next.Status.Addresses))
}

// SetupNodeRecords adds the controller to the manager.
func SetupNodeRecords(mgr ctrl.Manager, zone Zone, suffix string) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("node-records").
		For(&corev1.Node{}, builder.WithPredicates(addressesChanged{})).
		Complete(&NodeRecords{reader: mgr.GetClient(), zone: zone, suffix: suffix})
}
