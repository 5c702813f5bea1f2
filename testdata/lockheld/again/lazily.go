package again

import "sync"

var (
	lazyMu sync.Mutex
	lazyMap   map[string]int
)

// lazily makes the map where there is none.
func lazily() map[string]int {
	if lazyMap == nil {
		lazyMu.Lock()
		defer lazyMu.Unlock()
		if lazyMap == nil {
			lazyMap = map[string]int{}
		}
	}
	return lazyMap
}

// reset has made it when it asks for it.
func reset() {
	lazyMu.Lock()
	defer lazyMu.Unlock()
	lazyMap = make(map[string]int, 1)
	lazily()["a"] = 1 // ok: there is one
}

// clear has not.
func clearLazy() {
	lazyMu.Lock()
	defer lazyMu.Unlock()
	lazily()["a"] = 1 // want relock/possible "lazyMu (locked at line 32) is locked again (lazily.go:13, via lazily), which deadlocks; unlock first, or call a variant that does not lock" @32 "lazyMu is locked here" @34 "calls lazily" @13 "second acquisition"
	lazyMap = nil
}

// drop has taken it away.
func dropLazy() {
	lazyMu.Lock()
	defer lazyMu.Unlock()
	lazyMap = nil
	lazily()["a"] = 1 // want relock/possible "lazyMu (locked at line 40) is locked again (lazily.go:13, via lazily), which deadlocks; unlock first, or call a variant that does not lock" @40 "lazyMu is locked here" @43 "calls lazily" @13 "second acquisition"
}

// emptyLazy may have taken it away again.
func emptyLazy(empty bool) {
	lazyMu.Lock()
	defer lazyMu.Unlock()
	lazyMap = make(map[string]int, 1)
	if empty {
		lazyMap = nil
	}
	lazily()["a"] = 1 // want relock/possible "lazyMu (locked at line 48) is locked again (lazily.go:13, via lazily), which deadlocks; unlock first, or call a variant that does not lock" @48 "lazyMu is locked here" @54 "calls lazily" @13 "second acquisition"
}

func useLazy() {
	emptyLazy(true)
	reset()
	clearLazy()
	dropLazy()
}

var _ = useLazy
