package ledger

import "sync"

// A Rater gives rates, some by asking another one.
type Rater interface{ Rate(currency string) int }

// Cached remembers.
type Cached struct {
	mu    sync.Mutex
	rates map[string]int
	Next  Rater
}

// Rate asks the next one with the lock held.
func (c *Cached) Rate(currency string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.rates[currency]; ok {
		return r
	}
	return c.Next.Rate(currency) // ok: what is behind it was settled when it was made
}

// Counted counts.
type Counted struct {
	mu   sync.Mutex
	n    int
	Next Rater
}

// Rate asks the next one with the lock held.
func (c *Counted) Rate(currency string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.Next.Rate(currency)
}

// Fixed is the last.
type Fixed int

// Rate needs nobody.
func (f Fixed) Rate(string) int { return int(f) }
