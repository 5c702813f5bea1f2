// A node that goes takes the lock of the inventory and then that of the leases, while the expiry of leases takes that of the leases and then gives the devices back to the inventory.
//
//adv:rule=lockheld sub=order claim=yes

// Package broker leases GPUs of nodes to pods.
package broker

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

type device struct {
	id   string
	free bool
}

// Inventory knows the devices of all nodes.
type Inventory struct {
	mu    sync.RWMutex
	nodes map[string][]*device
	book  *LeaseBook
}

// New makes an inventory and the book of its leases.
func New(ttl time.Duration) (*Inventory, *LeaseBook) {
	inv := &Inventory{nodes: map[string][]*device{}}
	inv.book = &LeaseBook{inv: inv, ttl: ttl, leases: map[types.UID]lease{}}
	return inv, inv.book
}

// SetNode brings the number of devices of a node up to date.
func (i *Inventory) SetNode(node string, count int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	devices := i.nodes[node]
	for n := len(devices); n < count; n++ {
		devices = append(devices, &device{id: fmt.Sprintf("%s/gpu%d", node, n), free: true})
	}
	i.nodes[node] = devices
}

// RemoveNode forgets a node and all leases on it.
func (i *Inventory) RemoveNode(node string) (dropped int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	devices, ok := i.nodes[node]
	if !ok {
		return 0
	}
	delete(i.nodes, node)
	ids := make(map[string]bool, len(devices))
	for _, d := range devices {
		ids[d.id] = true
	}
	return i.book.drop(func(l lease) bool { return ids[l.device] })
}

// take finds a free device on a node.
func (i *Inventory) take(node string) (string, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, d := range i.nodes[node] {
		if d.free {
			d.free = false
			return d.id, true
		}
	}
	return "", false
}

func (i *Inventory) giveBack(node, id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, d := range i.nodes[node] {
		if d.id == id {
			d.free = true
		}
	}
}
