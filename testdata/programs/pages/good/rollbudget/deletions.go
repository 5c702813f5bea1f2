package rollbudget

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// deletions that are expected, with the rounds that each has waited for.
type deletions struct {
	mu   sync.Mutex
	open map[types.NamespacedName]map[types.UID]int
}

func newDeletions() *deletions {
	return &deletions{open: map[types.NamespacedName]map[types.UID]int{}}
}

func (d *deletions) ExpectDeletion(key types.NamespacedName, uid types.UID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[key] == nil {
		d.open[key] = map[types.UID]int{}
	}
	d.open[key][uid] = 0
}

func (d *deletions) ObserveDeletion(key types.NamespacedName, uid types.UID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open[key], uid)
}

func (d *deletions) Satisfied(key types.NamespacedName) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open[key]) == 0
}

func (d *deletions) Forget(key types.NamespacedName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, key)
}

// nextRound drops what has waited for too many rounds, and says whose it was.
func (d *deletions) nextRound(patience int) (overdue []types.NamespacedName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, uids := range d.open {
		late := false
		for uid := range uids {
			if uids[uid]++; uids[uid] > patience {
				delete(uids, uid)
				late = true
			}
		}
		if late {
			overdue = append(overdue, key)
		}
	}
	return overdue
}
