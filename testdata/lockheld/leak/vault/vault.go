// Package vault hands out what lies in it under its lock.
package vault

import "sync"

// A Vault has room for so much.
type Vault struct {
	mu   sync.Mutex
	room map[string]int
}

// Open locks the vault, and gives what closes it.
func (v *Vault) Open() (map[string]int, func(name string)) {
	v.mu.Lock()
	return v.room, func(name string) {
		delete(v.room, name)
		v.mu.Unlock()
	}
}

// Again is another way to open it.
func (v *Vault) Again() (map[string]int, func(name string)) { return v.Open() }

// Peek opens it if it can.
func (v *Vault) Peek(name string) (int, func()) {
	v.mu.Lock()
	n, ok := v.room[name]
	if !ok {
		v.mu.Unlock()
		return 0, func() {}
	}
	return n, func() { v.mu.Unlock() }
}

// Len locks it as well.
func (v *Vault) Len() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.room)
}
