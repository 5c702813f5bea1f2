// Package relock takes locks twice, and almost twice.
package relock

import "sync"

type store struct {
	mu    sync.RWMutex
	items map[string]int
	next  *store
}

func (s *store) Get(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.items[k]
}

func (s *store) Set(k string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[k] = v
}

func (s *store) Double(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Set(k, 2*s.items[k]) // want relock/certain "s.mu (locked at line 25) is locked again (relock.go:19, via (*store).Set), which deadlocks; unlock first, or call a variant that does not lock" @25 "s.mu is locked here" @27 "calls (*store).Set" @19 "second acquisition"
}

func (s *store) ReadUnderWrite(k string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Get(k) // want relock/certain "s.mu (locked at line 31) is read-locked again (relock.go:13, via (*store).Get), which deadlocks; unlock first, or call a variant that does not lock" @31 "s.mu is locked here" @33 "calls (*store).Get" @13 "second acquisition"
}

func (s *store) ReadTwice(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.Get(k) // want relock/possible "s.mu (read-locked at line 37) is read-locked again (relock.go:13, via (*store).Get), which deadlocks if a writer ((*store).Chain at relock.go:76) waits in between; unlock first, or call a variant that does not lock" @37 "s.mu is read-locked here" @39 "calls (*store).Get" @13 "second acquisition" @76 "a writer waits here and blocks new readers"
}

func (s *store) Upgrade(k string) { // want Upgrade:"may have unlocked p0.mu; read-locks p0.mu; locks p0.mu"
	s.mu.RLock()
	if _, ok := s.items[k]; !ok {
		s.mu.Lock() // want relock/certain "s.mu (read-locked at line 43) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @43 "s.mu is read-locked here"
		s.items[k] = 0
		s.mu.Unlock()
	}
	s.mu.RUnlock()
}

func (s *store) DropAndRetake(k string) {
	s.mu.RLock()
	_, ok := s.items[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock() // ok: dropped before
		s.items[k] = 0
		s.mu.Unlock()
	}
}

func (s *store) calleeDrops(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush(k) // ok: flush drops the lock before it takes it again
}

func (s *store) flush(k string) {
	s.mu.Unlock()
	s.Set(k, 0)
	s.mu.Lock()
}

func (s *store) Chain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		s.next.Set("a", 1) // ok: another store
	}
}

func all(stores []*store) {
	for _, s := range stores {
		s.mu.Lock() // ok: another store each time round
	}
	for _, s := range stores {
		s.mu.Unlock()
	}
}

func walk(s *store) {
	for ; s != nil; s = s.next {
		s.mu.Lock() // ok: s is another store each time round
		defer s.mu.Unlock()
	}
}

// onlyRead has no writer: its readers never wait.
type onlyRead struct{ mu sync.RWMutex }

func (o *onlyRead) a() {
	o.mu.RLock()
	defer o.mu.RUnlock()
	o.b() // ok: nobody locks it for writing
}

func (o *onlyRead) b() {
	o.mu.RLock()
	defer o.mu.RUnlock()
}

func (s *store) drop(locked bool) { // want drop:"locks p0.mu if p1 == false"
	if !locked {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	s.items = nil
}

func (s *store) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(true) // ok: the caller's choice
}

type byPointer struct{ mu *sync.Mutex }

func (b byPointer) twice() {
	mu := b.mu
	mu.Lock()
	b.mu.Lock() // want relock/certain "b.mu (locked at line 131) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @131 "b.mu is locked here"
	b.mu.Unlock()
	mu.Unlock()
}

func generic[T any](b *box[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put() // want relock/certain "b.mu (locked at line 138) is locked again (relock.go:149, via (*box).put), which deadlocks; unlock first, or call a variant that does not lock" @138 "b.mu is locked here" @140 "calls (*box).put" @149 "second acquisition"
}

type box[T any] struct {
	mu sync.Mutex
	v  T
}

func (b *box[T]) put() {
	b.mu.Lock()
	defer b.mu.Unlock()
}

func (s *store) post(key *string) { // want post:"read-locks p0.mu if p1 == nil through (*store).Get"
	if key == nil {
		s.Get("")
	}
	s.items = nil
}

func (s *store) Post() {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := "k"
	s.post(&k) // ok: only a nil key is looked up
}

func (s *store) put(key *string) { // want put:"locks p0.mu if p1 != nil through (*store).Set"
	if key == nil {
		return
	}
	s.Set(*key, 1)
}

func (s *store) Put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(&k) // want relock/certain "s.mu (locked at line 175) is locked again (relock.go:19, via (*store).put, (*store).Set), which deadlocks; unlock first, or call a variant that does not lock" @175 "s.mu is locked here" @177 "calls (*store).put" @171 "calls (*store).Set" @19 "second acquisition"
}
