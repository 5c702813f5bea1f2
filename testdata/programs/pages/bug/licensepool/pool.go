package licensepool

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

var errExhausted = errors.New("no seat left")

// pool counts the seats of one product.
type pool struct {
	product string
	seats   int

	mu    sync.Mutex
	taken map[types.UID]string
}

func newPool(product string, seats int) *pool {
	return &pool{product: product, seats: seats, taken: map[types.UID]string{}}
}

// take gives the pod a seat, if it has none.
func (p *pool) take(uid types.UID, name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.taken[uid]; ok {
		return nil
	}
	if len(p.taken) >= p.seats {
		return fmt.Errorf("%s cannot start: %w in %s", name, errExhausted, p)
	}
	p.taken[uid] = name
	return nil
}

// release takes the seat away, there was one.
func (p *pool) release(uid types.UID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.taken[uid]
	delete(p.taken, uid)
	return ok
}

// String is what logs and messages have of a pool.
func (p *pool) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	holders := make([]string, 0, len(p.taken))
	for _, name := range p.taken {
		holders = append(holders, name)
	}
	slices.Sort(holders)
	return fmt.Sprintf("%s (%d of %d: %s)", p.product, len(holders), p.seats, strings.Join(holders, ","))
}
