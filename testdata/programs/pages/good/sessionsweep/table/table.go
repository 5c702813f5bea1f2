// Package table is a map for several goroutines.
package table

import (
	"iter"
	"maps"
	"sync"
)

// Table maps keys to values.
type Table[K comparable, V any] struct {
	sync.RWMutex
	rows map[K]V
}

// Set stores.
func (t *Table[K, V]) Set(k K, v V) {
	t.Lock()
	defer t.Unlock()
	if t.rows == nil {
		t.rows = map[K]V{}
	}
	t.rows[k] = v
}

// Remove deletes.
func (t *Table[K, V]) Remove(k K) {
	t.Lock()
	defer t.Unlock()
	delete(t.rows, k)
}

// Rows gives what there is at the start of the iteration; rows may be set and removed meanwhile.
func (t *Table[K, V]) Rows() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		t.RLock()
		rows := maps.Clone(t.rows)
		t.RUnlock()
		for k, v := range rows {
			if !yield(k, v) {
				return
			}
		}
	}
}
