package captured

import "sync"

type flagged struct {
	mu sync.Mutex
	n  int
}

func (f *flagged) list(each func() error) error { return each() }

// load hands on a literal that takes the lock where its caller says so.
func (f *flagged) load(lock bool) error {
	return f.list(func() error {
		if lock {
			f.mu.Lock()
			defer f.mu.Unlock()
		}
		f.n++
		return nil
	})
}

func (f *flagged) locks() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.load(true) // want relock/certain "f.mu (locked at line 25) is locked again (flagged.go:16, via (*flagged).load, the function literal), which deadlocks; unlock first, or call a variant that does not lock" @25 "f.mu is locked here" @27 "calls (*flagged).load" @14 "calls the function literal" @16 "second acquisition"
}

func (f *flagged) locksWithin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list(func() error { return f.load(true) }) // want relock/certain "f.mu (locked at line 31) is locked again (flagged.go:16, via the function literal, (*flagged).load, the function literal), which deadlocks; unlock first, or call a variant that does not lock" @31 "f.mu is locked here" @33 "calls the function literal" @33 "calls (*flagged).load" @14 "calls the function literal" @16 "second acquisition"
}

func (f *flagged) doesNotLock() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.load(false)
}

func (f *flagged) doesNotLockWithin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list(func() error { return f.load(false) })
}
