// Package book keeps accounts.
package book

import "sync"

// Account is what one team has spent.
type Account struct {
	Spent, Budget float64
	Closed        bool
}

// Overdrawn tells of an account that has gone over its budget.
type Overdrawn func(team string, by float64)

// Book has all accounts. It never calls anybody with its mutex held.
type Book struct {
	mu        sync.Mutex
	accounts  map[string]*Account
	overdrawn []Overdrawn
}

// Open makes an account or sets its budget.
func (b *Book) Open(team string, budget float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.accounts == nil {
		b.accounts = map[string]*Account{}
	}
	if a, ok := b.accounts[team]; ok {
		a.Budget = budget
		return
	}
	b.accounts[team] = &Account{Budget: budget}
}

// OnOverdrawn registers f.
func (b *Book) OnOverdrawn(f Overdrawn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.overdrawn = append(b.overdrawn, f)
}

// Spend books the cost.
func (b *Book) Spend(team string, cost float64) bool {
	over, listeners, ok := b.spend(team, cost)
	for _, tell := range listeners {
		tell(team, over)
	}
	return ok
}

func (b *Book) spend(team string, cost float64) (float64, []Overdrawn, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.accounts[team]
	if !ok || a.Closed {
		return 0, nil, false
	}
	a.Spent += cost
	if a.Spent <= a.Budget {
		return 0, nil, true
	}
	return a.Spent - a.Budget, append([]Overdrawn(nil), b.overdrawn...), true
}

// Close closes the account and gives its last state.
func (b *Book) Close(team string) (Account, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.accounts[team]
	if !ok {
		return Account{}, false
	}
	a.Closed = true
	return *a, true
}
