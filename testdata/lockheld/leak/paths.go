// Package leak has functions that return with a lock that they give back elsewhere, and functions that mean to.
package leak

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

var errClosed = errors.New("closed")

type quota struct {
	mu   sync.Mutex
	used map[string]int
	max  int
}

// Reserve forgets the lock on the early return.
func (q *quota) Reserve(namespace string, n int) error {
	q.mu.Lock()
	if q.used[namespace]+n > q.max {
		return fmt.Errorf("quota of %s exceeded", namespace) // want leak/certain "q.mu (locked at line 21) is still held when (*quota).Reserve returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @21 "q.mu is locked here"
	}
	q.used[namespace] += n
	q.mu.Unlock()
	return nil
}

type labelIndex struct {
	mu sync.Mutex
	by map[string]string
}

func parsePair(s string) (key, value string, err error) {
	key, value, ok := strings.Cut(s, "=")
	if !ok {
		return "", "", errClosed
	}
	return key, value, nil
}

// Add unlocks on the first of two error paths only.
func (x *labelIndex) Add(first, second string) error {
	x.mu.Lock()
	k, v, err := parsePair(first)
	if err != nil {
		x.mu.Unlock()
		return err
	}
	x.by[k] = v
	k, v, err = parsePair(second)
	if err != nil {
		return err // want leak/certain "x.mu (locked at line 45) is still held when (*labelIndex).Add returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @45 "x.mu is locked here"
	}
	x.by[k] = v
	x.mu.Unlock()
	return nil
}

type eventCounter struct {
	mu              sync.Mutex
	added, modified int
	unknown         int
}

// Count leaves one case of the switch locked.
func (e *eventCounter) Count(kind string) int {
	e.mu.Lock()
	switch kind {
	case "ADDED":
		e.added++
		e.mu.Unlock()
		return e.added
	case "MODIFIED":
		e.modified++
		e.mu.Unlock()
	case "", "BOOKMARK":
		return 0 // want leak/certain "e.mu (locked at line 69) is still held when (*eventCounter).Count returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @69 "e.mu is locked here"
	default:
		e.unknown++
		e.mu.Unlock()
	}
	return 1
}

type pending struct {
	mu   sync.Mutex
	keys []string
}

// HasAny leaves the loop by a break that comes before the unlock.
func (p *pending) HasAny(keys []string) bool {
	found := false
	for _, k := range keys {
		p.mu.Lock()
		if len(p.keys) > 0 && p.keys[0] == k {
			found = true
			break
		}
		p.mu.Unlock()
	}
	return found // want leak/certain "p.mu (locked at line 96) is still held when (*pending).HasAny returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @96 "p.mu is locked here"
}

type tokenRing struct {
	mu     sync.Mutex
	tokens []int
}

// Rotate jumps over the unlock.
func (r *tokenRing) Rotate(n int) (err error) {
	r.mu.Lock()
	if n < 0 {
		err = errClosed
		goto out
	}
	r.tokens = append(r.tokens[1:], r.tokens[0])
	r.mu.Unlock()
out:
	return err // want leak/certain "r.mu (locked at line 113) is still held when (*tokenRing).Rotate returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @113 "r.mu is locked here"
}

type lease struct {
	mu     sync.Mutex
	holder string
}

// Renew lets the lock go for the slow call. What comes after takes it again, but the error path was written before that.
func (l *lease) Renew(identity string, ask func(string) error) error {
	l.mu.Lock()
	holder := l.holder
	l.mu.Unlock()
	err := ask(holder)
	l.mu.Lock()
	if err != nil {
		return err // want leak/certain "l.mu (locked at line 135) is still held when (*lease).Renew returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @135 "l.mu is locked here"
	}
	l.holder = identity
	l.mu.Unlock()
	return nil
}

type bucket struct {
	mu sync.Mutex
	n  int
}

// pour unlocks a bucket on the error path, but the wrong one.
func pour(from, to *bucket, n int) error {
	from.mu.Lock()
	if from.n < n {
		to.mu.Unlock()
		return errClosed // want leak/certain "from.mu (locked at line 151) is still held when pour returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @151 "from.mu is locked here"
	}
	from.n -= n
	from.mu.Unlock()
	to.mu.Lock()
	to.n += n
	to.mu.Unlock()
	return nil
}

type endpoints struct {
	mu sync.RWMutex
	by map[string]string
}

// Resolve looks a second time under the write lock, and forgets that it holds it.
func (e *endpoints) Resolve(service string) string {
	e.mu.RLock()
	addr, ok := e.by[service]
	e.mu.RUnlock()
	if ok {
		return addr
	}
	e.mu.Lock()
	if addr, ok = e.by[service]; ok {
		return addr // want leak/certain "e.mu (locked at line 177) is still held when (*endpoints).Resolve returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @177 "e.mu is locked here"
	}
	addr = service + ".svc"
	e.by[service] = addr
	e.mu.Unlock()
	return addr
}

type auditLog struct {
	mu    sync.Mutex
	lines []string
}

// Append defers the unlock in one branch only.
func (a *auditLog) Append(line string, trim bool) int {
	a.mu.Lock()
	if trim {
		defer a.mu.Unlock()
		line = strings.TrimSpace(line)
	}
	a.lines = append(a.lines, line)
	return len(a.lines) // want leak/certain "a.mu (locked at line 194) is still held when (*auditLog).Append returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @194 "a.mu is locked here"
}

type pageSet struct {
	mu    sync.Mutex
	pages map[int]bool
}

// Mark locks for two reasons and unlocks for one of them.
func (p *pageSet) Mark(n int, dirty, force bool) { // want leak/certain "p.mu (locked at line 211) is still held when (*pageSet).Mark returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @211 "p.mu is locked here"
	if dirty || force {
		p.mu.Lock()
	}
	if dirty || force {
		p.pages[n] = true
	}
	if dirty {
		p.mu.Unlock()
	}
}
