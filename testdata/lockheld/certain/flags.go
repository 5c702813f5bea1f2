package certain

import "sync"

// A File has functions that say by a flag whether their caller has the lock already.
type File struct {
	mu sync.Mutex
	n  int
}

func (f *File) remove(needLock bool) {
	lock := func() {
		if needLock {
			f.mu.Lock()
		}
	}
	unlock := func() {
		if needLock {
			f.mu.Unlock()
		}
	}
	lock()
	defer unlock()
	f.n--
}

func (f *File) Remove() { f.remove(true) }

func (f *File) Trim() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.remove(false)
}

func (f *File) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.n > 0 {
		f.remove(true) // want relock/certain "f.mu (locked at line 36) is locked again (flags.go:14, via (*File).remove, the function literal), which deadlocks; unlock first, or call a variant that does not lock" @36 "f.mu is locked here" @39 "calls (*File).remove" @22 "calls the function literal" @14 "second acquisition"
	}
}
