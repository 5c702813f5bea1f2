package broker

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

type lease struct {
	node, device string
	renewed      time.Time
}

// LeaseBook knows who has which device.
type LeaseBook struct {
	mu     sync.Mutex
	leases map[types.UID]lease
	inv    *Inventory
	ttl    time.Duration
}

// Lease gives a pod a device, the same as before if it has one.
func (b *LeaseBook) Lease(pod types.UID, node string) (string, error) {
	if id, ok := b.renew(pod); ok {
		return id, nil
	}
	id, ok := b.inv.take(node)
	if !ok {
		return "", fmt.Errorf("no free device on %s", node)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leases[pod] = lease{node: node, device: id, renewed: time.Now()}
	return id, nil
}

func (b *LeaseBook) renew(pod types.UID) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.leases[pod]
	if ok {
		l.renewed = time.Now()
		b.leases[pod] = l
	}
	return l.device, ok
}

// Expire ends the leases that nobody has renewed.
func (b *LeaseBook) Expire(now time.Time) (ended []types.UID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for pod, l := range b.leases {
		if now.Sub(l.renewed) < b.ttl {
			continue
		}
		b.end(pod, l)
		ended = append(ended, pod)
	}
	return ended
}

// end is for those who hold b.mu.
func (b *LeaseBook) end(pod types.UID, l lease) {
	delete(b.leases, pod)
	b.inv.giveBack(l.node, l.device)
}

func (b *LeaseBook) drop(match func(lease) bool) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for pod, l := range b.leases {
		if match(l) {
			delete(b.leases, pod)
			n++
		}
	}
	return n
}
