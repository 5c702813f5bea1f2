package lock

import "testing"

// What is held where, and what functions leave behind, in both directions: a lock that is held and one that is not.
func TestHeld(t *testing.T) {
	for _, test := range []struct {
		name string
		src  string
		want string // see model.facts
	}{
		{"nothing", `func f(s *T) { _ = A }`, "A[]"},
		{"a lock", `func f(s *T) { _ = A; s.mu.Lock(); _ = B; s.mu.Unlock(); _ = C }`, "A[] B[s.mu] C[]"},
		{"two locks", `func f(s *T) { s.mu.Lock(); s.nu.Lock(); _ = A; s.mu.Unlock(); _ = B; s.nu.Unlock() }`, "A[s.mu s.nu] B[s.nu]"},
		{"two objects", `func f(s, r *T) { s.mu.Lock(); _ = A; r.mu.Unlock(); _ = B; s.mu.Unlock() }`, "A[s.mu] B[s.mu] f-r.mu"},
		{"a package variable", `func f() { global.Lock(); _ = A; global.Unlock(); _ = B }`, "A[global] B[]"},
		{"a local variable", `func f() { var mu sync.Mutex; mu.Lock(); _ = A; mu.Unlock(); _ = B }`, "A[mu] B[]"},
		{"reading", `func f(s *T) { s.rw.RLock(); _ = A; s.rw.RUnlock(); _ = B }`, "A[s.rw:r] B[]"},
		{"writing", `func f(s *T) { s.rw.Lock(); _ = A; s.rw.Unlock(); _ = B }`, "A[s.rw] B[]"},
		{"by RLocker", `func f(s *T) { s.rw.RLocker().Lock(); _ = A; s.rw.RLocker().Unlock(); _ = B }`, "A[s.rw:r] B[]"},
		{"read twice, released once", `func f(s *T) { s.rw.RLock(); s.rw.RLock(); s.rw.RUnlock(); _ = A; s.rw.RUnlock(); _ = B }`, "A[s.rw:r] B[]"},

		// Ways that meet.
		{"on one way only", `func f(s *T) { if x { s.mu.Lock() }; _ = A; if x { s.mu.Unlock() } }`, "A[]"},
		{"on both ways", `func f(s *T) { if x { s.mu.Lock() } else { s.mu.Lock() }; _ = A; s.mu.Unlock() }`, "A[s.mu]"},
		{"different locks on the two ways", `func f(s *T) { if x { s.mu.Lock(); s.nu.Lock() } else { s.nu.Lock() }; _ = A }`, "A[s.nu] f!s.nu f+s.nu"},
		// Known: the mode that callers are told is that of the exit that is seen first.
		{"for reading on one way, seen last", `func f(s *T) { if cond() { s.rw.RLock() } else { s.rw.Lock() }; _ = A }`, "A[s.rw:r] f!s.rw f+s.rw"},
		{"for reading on one way, seen first", `func f(s *T) { if cond() { s.rw.Lock() } else { s.rw.RLock() }; _ = A }`, "A[s.rw:r] f!s.rw f+s.rw:r"},
		{"a way that returns", `func f(s *T) { if x { return }; s.mu.Lock(); _ = A; s.mu.Unlock() }`, "A[s.mu]"},
		{"a way that panics", `func f(s *T) { if x { s.mu.Lock() } else { panic(1) }; _ = A; s.mu.Unlock() }`, "A[s.mu]"},
		{"a loop", `func f(s *T) { for x { s.mu.Lock(); _ = A; s.mu.Unlock(); _ = B }; _ = C }`, "A[s.mu] B[] C[]"},
		{"held around a loop", `func f(s *T) { s.mu.Lock(); for x { _ = A }; _ = B; s.mu.Unlock() }`, "A[s.mu] B[s.mu]"},
		{"released in a loop", `func f(s *T) { s.mu.Lock(); for cond() { s.mu.Unlock(); _ = A; s.mu.Lock() }; _ = B; s.mu.Unlock() }`, "A[] B[s.mu]"},

		// What belongs together by a test.
		{"one test twice, on a parameter", `func f(s *T, b bool) { if b { s.mu.Lock() }; _ = A; if b { _ = B; s.mu.Unlock() }; _ = C }`, "A[] B[s.mu] C[]"},
		{"the opposite test", `func f(s *T, b bool) { if b { s.mu.Lock() }; if !b { _ = A } else { _ = B; s.mu.Unlock() } }`, "A[] B[s.mu]"},
		{"one test of a field", `func f(s *T) { if s.ok { s.mu.Lock() }; if s.ok { _ = A; s.mu.Unlock() } }`, "A[s.mu]"},
		{"one test of a length", `func f(s *T, l []int) { if len(l) > 0 { s.mu.Lock() }; if len(l) > 0 { _ = A; s.mu.Unlock() } }`, "A[s.mu]"},
		{"one comparison, the other way around", `func f(s *T, n int) { if n < 3 { s.mu.Lock() }; if n >= 3 { _ = A } else { _ = B; s.mu.Unlock() } }`, "A[] B[s.mu]"},
		{"two tests", `func f(s *T, b, c bool) { if b { s.mu.Lock() }; if c { _ = A; s.mu.Unlock() } }`, "A[] f!s.mu f~s.mu"},
		{"a test of a variable that is written between", `func f(s *T) { if s.ok { s.mu.Lock() }; s.ok = cond(); if s.ok { _ = A } }`, "A[]"},
		{"a test that is made again in the next turn", `func f(s *T) { for { b := cond(); if b { s.mu.Lock() }; _ = A; if b { _ = B; s.mu.Unlock() }; _ = C } }`, "A[] B[s.mu] C[] f."},
		{"a flag", `func f(s *T) { locked := false; if cond() { s.mu.Lock(); locked = true }; if locked { _ = A; s.mu.Unlock() }; _ = B }`, "A[s.mu] B[]"},
		{"a flag in a field", `func f(s *T) { s.ok = false; if cond() { s.mu.Lock(); s.ok = true }; if s.ok { _ = A; s.mu.Unlock() }; _ = B }`, "A[s.mu] B[]"},
		{"a flag that a closure may set", `func f(s *T) func() { locked := false; if cond() { s.mu.Lock(); locked = true }; if locked { _ = A; s.mu.Unlock() }; return func() { locked = false } }`, "A[s.mu]"},
		{"a flag that is put into another one", `func f(s *T, b bool) { if b { s.mu.Lock() }; c := false; if !b { c = x } else { c = b }; if b { _ = A }; if c && b { _ = B; s.mu.Unlock() } }`, "A[s.mu] B[s.mu]"},
		{"a flag of three loops", `func f(s *T) { b := false; for cond() { for cond() { for cond() { if cond() { s.mu.Lock(); b = true } } } }; if b { _ = A; s.mu.Unlock() }; _ = B }`, "A[s.mu] B[]"},
		{"an error instead of a flag", `func f(s *T, get func() error) { err := get(); if err == nil { s.mu.Lock() }; if err != nil { _ = A; return }; _ = B; s.mu.Unlock() }`, "A[] B[s.mu]"},
		{"an error that is made here", `func f(s *T, e error) { var err error; if cond() { err = e; s.mu.Lock() }; if err == nil { return }; _ = A }`, "A[s.mu]"},
		{"a pointer that is made here", `func f(s *T) { var p *T; if cond() { s.mu.Lock(); p = &T{} }; if p != nil { _ = A; s.mu.Unlock() }; _ = B }`, "A[s.mu] B[]"},
		{"a constant condition", `func f(s *T) { if true { s.mu.Lock() }; _ = A; s.mu.Unlock() }`, "A[s.mu]"},

		// TryLock.
		{"TryLock that succeeds", `func f(s *T) { if s.mu.TryLock() { _ = A; s.mu.Unlock() } else { _ = B }; _ = C }`, "A[s.mu] B[] C[]"},
		{"TryLock that fails", `func f(s *T) { if !s.mu.TryLock() { _ = A; return }; _ = B; s.mu.Unlock() }`, "A[] B[s.mu]"},
		{"TryLock into a variable", `func f(s *T) { ok := s.mu.TryLock(); _ = A; if ok { _ = B; s.mu.Unlock() } }`, "A[] B[s.mu]"},
		{"TryRLock", `func f(s *T) { if s.rw.TryRLock() { _ = A; s.rw.RUnlock() } }`, "A[s.rw:r]"},
		{"TryLock, tested twice", `func f(s *T) { ok := s.mu.TryLock(); if ok { _ = A }; _ = B; if ok { _ = C; s.mu.Unlock() } }`, "A[s.mu] B[] C[s.mu]"},

		// Deferred calls.
		{"a deferred Unlock", `func f(s *T) { s.mu.Lock(); defer s.mu.Unlock(); _ = A }`, "A[s.mu]"},
		{"a deferred Unlock on one way", `func f(s *T) { if x { s.mu.Lock(); defer s.mu.Unlock() }; _ = A }`, "A[]"},
		{"a deferred Unlock on the way without Lock", `func f(s *T) { if x { s.mu.Lock() } else { defer s.mu.Unlock(); s.mu.Lock() }; _ = A }`, "A[s.mu] f!s.mu"},
		{"deferred calls run from the last to the first", `func f(s *T) { defer s.mu.Unlock(); defer func() { _ = A; s.mu.Lock() }() }`, "A[] f$1+s.mu"},
		{"deferred calls in the wrong order", `func f(s *T) { defer s.mu.Lock(); defer s.mu.Unlock(); s.mu.Lock() }`, "f!s.mu f+s.mu"},
		{"a deferred literal", `func f(s *T) { s.mu.Lock(); defer func() { s.mu.Unlock() }(); _ = A }`, "A[s.mu] f$1-s.mu"},

		// The caller's locks.
		{"released", `func f(s *T) { s.mu.Unlock() }`, "f-s.mu"},
		{"released, on one way", `func f(s *T) { if x { s.mu.Unlock() } }`, "f~s.mu"},
		{"released and taken again", `func f(s *T) { s.mu.Unlock(); _ = A; s.mu.Lock(); _ = B }`, "A[] B[]"},
		{"released for writing and taken for reading", `func f(s *T) { s.rw.Unlock(); s.rw.RLock(); _ = A }`, "A[s.rw:r] f!s.rw f+s.rw:r f-s.rw"},
		{"released and taken again, on one way", `func f(s *T) { s.mu.Unlock(); if x { return }; s.mu.Lock() }`, "f~s.mu"},
		{"taken", `func f(s *T) { s.mu.Lock() }`, "f!s.mu f+s.mu"},
		{"taken on one way", `func f(s *T) { if x { s.mu.Lock() } }`, ""},
		{"taken for reading", `func f(s *T) { s.rw.RLock() }`, "f!s.rw f+s.rw:r"},

		// Calls.
		{"of a function that locks", `func f(s *T) { g(s); _ = A; s.mu.Unlock() }; func g(s *T) { s.mu.Lock() }`, "A[s.mu] g+s.mu"},
		{"of a function that locks for reading", `func f(s *T) { g(s); _ = A }; func g(s *T) { s.rw.RLock() }`, "A[s.rw:r] f+s.rw:r g!s.rw g+s.rw:r"},
		{"of a function that locks, two deep", `func f(s *T) { g(s.next); _ = A }; func g(s *T) { h(s) }; func h(s *T) { s.mu.Lock() }`, "A[s.next.mu] f+s.next.mu g+s.mu h!s.mu h+s.mu"},
		{"of a function that unlocks", `func f(s *T) { s.mu.Lock(); g(s); _ = A }; func g(s *T) { s.mu.Unlock() }`, "A[] g-s.mu"},
		{"of a function that may unlock", `func f(s *T) { s.mu.Lock(); g(s); _ = A }; func g(s *T) { if cond() { s.mu.Unlock() } }`, "A[] f~s.mu g~s.mu"},
		{"of a function that unlocks another object's", `func f(s, r *T) { s.mu.Lock(); g(r); _ = A; s.mu.Unlock() }; func g(s *T) { s.mu.Unlock() }`, "A[s.mu] f-r.mu g-s.mu"},
		// Known: a literal that a callee calls may release the lock, and it is taken to be held all the same.
		{"of a function that may run", `func f(s *T, g func()) { s.mu.Lock(); run(func() { s.mu.Unlock() }); _ = A }; func run(g func()) { if cond() { g() } }`, "A[s.mu] f$1-s.mu f+s.mu f~s.mu"},
		{"in a goroutine", `func f(s *T) { s.mu.Lock(); go g(s); _ = A }; func g(s *T) { _ = B; s.mu.Unlock() }`, "A[] B[] f~s.mu g-s.mu"},
		{"in a goroutine that locks for itself", `func f(s *T) { s.mu.Lock(); go g(s); _ = A; s.mu.Unlock() }; func g(s *T) { s.mu.Lock(); s.mu.Unlock() }`, "A[s.mu]"},
		{"of a function that does not return", `func f(s *T) { s.mu.Lock(); if x { s.mu.Unlock(); g(); _ = A }; _ = B; s.mu.Unlock() }; func g() { for { cond() } }`, "B[s.mu] g."},
		{"of a function that panics", `func f(s *T) { if x { g() } else { s.mu.Lock() }; _ = A; s.mu.Unlock() }; func g() { panic(1) }`, "A[s.mu] g."},
		{"of a function that returns", `func f(s *T) { s.mu.Lock(); if x { s.mu.Unlock(); g(); _ = A }; _ = B }; func g() { cond() }`, "A[] B[] f!s.mu"},
		{"of a cycle that unlocks", `func f(s *T) { s.mu.Lock(); g(s, 3); _ = A }; func g(s *T, n int) { if n > 0 { h(s, n-1) } else { s.mu.Unlock() } }; func h(s *T, n int) { g(s, n) }`, "A[] f~s.mu g~s.mu h~s.mu"},

		// Names that move.
		{"another object on the path", `func f(s *T) { s.next.mu.Lock(); _ = A; s.next = nil; _ = B }`, "A[s.next.mu] B[]"},
		{"another object beside the path", `func f(s, r *T) { s.next.mu.Lock(); r.next = nil; _ = A; s.next.mu.Unlock() }`, "A[s.next.mu]"},
		{"a call that may put another object on the path", `func f(s *T) { s.next.mu.Lock(); g(); _ = A; s.next.mu.Unlock(); _ = B }; func g() {}; func h(s *T) { s.next = nil }`, "A[s.next.mu?] B[]"},
		{"a call, and nobody writes the path", `func f(s *T) { s.next.mu.Lock(); g(); _ = A; s.next.mu.Unlock() }; func g() {}`, "A[s.next.mu]"},
		{"released by another name", `func f(s *T) { s.mu.Lock(); r := s; if cond() { r = s.next }; _ = A; r.mu.Unlock(); _ = B }`, "A[s.mu?] B[]"},
		{"hand over hand", `func f(s *T) { s.mu.Lock(); for s.next != nil { n := s.next; n.mu.Lock(); s.mu.Unlock(); s = n }; _ = A; s.mu.Unlock(); _ = B }`, "A[] B[]"},
		{"an element of a range", `func f(l []*T) { for _, s := range l { s.mu.Lock(); _ = A; s.mu.Unlock(); _ = B } }`, "A[l[t2].mu] B[]"},
		{"each element of a range, and none is released", `func f(l []*T) { for _, s := range l { _ = A; s.mu.Lock() }; _ = B }`, "A[] B[]"},
		{"an Unlock that is kept as a value", `func f(s *T) func() { s.mu.Lock(); _ = A; return s.mu.Unlock }`, "A[]"},

		// Leaks, and who else may release the lock.
		{"an error that returns with the lock", `func f(s *T) error { s.mu.Lock(); if s.err != nil { return s.err }; s.mu.Unlock(); return nil }`, "f!s.mu"},
		{"an error that returns without the lock", `func f(s *T) error { s.mu.Lock(); if s.err != nil { s.mu.Unlock(); return s.err }; s.mu.Unlock(); return nil }`, ""},
		{"a result that tells, and somebody releases", `func f(s *T) bool { s.mu.Lock(); if s.ok { return true }; s.mu.Unlock(); return false }; func g(s *T) { s.mu.Unlock() }`, "g-s.mu"},
		{"a result that tells, and nobody releases", `func f(s *T) bool { s.mu.Lock(); if s.ok { return true }; s.mu.Unlock(); return false }`, "f!s.mu"},
		{"a result that does not tell, and somebody releases", `func f(s *T) bool { s.mu.Lock(); if s.ok { return x }; s.mu.Unlock(); return x }; func g(s *T) { s.mu.Unlock() }`, "f!s.mu g-s.mu"},
		{"a name that says so", `func LockIf(s *T) { s.mu.Lock(); if s.ok { return }; s.mu.Unlock() }`, ""},
		{"a name that says so, of a function for the package", `func lockIf(s *T) { s.mu.Lock(); if s.ok { return }; s.mu.Unlock() }`, "lockIf!s.mu"},
		{"a name that says so, and a caller that releases nothing", `func LockIf(s *T) { s.mu.Lock(); if s.ok { return }; s.mu.Unlock() }; func g(s *T) { LockIf(s) }`, "LockIf!s.mu"},
		{"a name that says so, of a function that a goroutine runs", `func lockIt(s *T) { s.mu.Lock() }; func g(s *T) { go lockIt(s) }`, "lockIt!s.mu lockIt+s.mu"},
		{"a name that says so, and no caller", `func lockIt(s *T) { s.mu.Lock() }`, "lockIt+s.mu"},
		{"a caller that releases, and one that forgets on one way", `func f(s *T) { s.mu.Lock() }; func g(s *T) { f(s); s.mu.Unlock() }; func h(s *T) { if x { f(s) } }`, "f!s.mu f+s.mu"},
		{"a caller whose callers release", `func f(s *T) { s.mu.Lock() }; func g(s *T) { f(s) }; func h(s *T) { g(s); s.mu.Unlock() }`, "f+s.mu g+s.mu"},
		{"callers that call each other, and nobody releases", `func f(s *T) { s.mu.Lock() }; func g(s *T) { if x { h(s) } else { f(s) } }; func h(s *T) { g(s) }`, "f!s.mu f+s.mu"},
		{"a call that nothing comes to", `func f(s *T) { s.mu.Lock() }; func g(s *T, b bool) { if b { return }; if b { f(s) } }`, "f+s.mu"},
		{"a literal that is returned releases", `func f(s *T) func() { s.mu.Lock(); if s.ok { s.mu.Unlock(); return nil }; return func() { s.mu.Unlock() } }`, "f$1-s.mu"},
		{"a new object that is returned", `func f() *T { s := &T{}; s.mu.Lock(); if cond() { s.mu.Unlock(); return nil }; return s }`, ""},
		{"a new object that is kept in a field", `func f(t *T) { s := &T{}; s.mu.Lock(); if cond() { s.mu.Unlock(); return }; t.next = s }`, ""},
		{"a new object that is kept in a map", `func f(m map[int]*T) { s := &T{}; s.mu.Lock(); if cond() { s.mu.Unlock(); return }; m[1] = s }`, ""},
		{"a new object that is sent away", `func f(c chan *T) { s := &T{}; s.mu.Lock(); if cond() { s.mu.Unlock(); return }; c <- s }`, ""},
		{"a new object that nobody else ever has", `func f() { s := &T{}; s.mu.Lock(); if cond() { s.mu.Unlock(); return }; _ = A }`, "A[complit.mu]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := modelOf(t, test.src).facts(); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.src, got, test.want)
			}
		})
	}
}

// What f is told to do, with the locks that it holds there on every path: see model.events.
func TestEvents(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"a lock under a lock", `func f(s *T) { s.mu.Lock(); s.nu.Lock() }`, "lock s.mu []; lock s.nu [s.mu]"},
		{"a lock on one way", `func f(s *T) { if cond() { s.mu.Lock() }; s.nu.Lock() }`, "lock s.mu []; lock s.nu []"},
		{"a lock on the other way", `func f(s *T) { if cond() { cond() } else { s.mu.Lock() }; s.nu.Lock() }`, "lock s.mu []; lock s.nu []"},
		{"for reading on one way", `func f(s *T) { if cond() { s.rw.RLock() } else { s.rw.Lock() }; s.nu.Lock() }`, "lock s.nu [s.rw:r]; lock s.rw []; lock s.rw []"},
		{"for reading on the other way", `func f(s *T) { if cond() { s.rw.Lock() } else { s.rw.RLock() }; s.nu.Lock() }`, "lock s.nu [s.rw:r]; lock s.rw []; lock s.rw []"},
		{"a wait", `func f(s *T) { s.mu.Lock(); select {} }`, "lock s.mu []; wait select{} [s.mu]"},
		{"a wait of a callee", `func f(s *T) { s.mu.Lock(); g() }; func g() { select {} }`, "lock s.mu []; wait select{} [s.mu]"},
		{"a callee that lets the lock go first", `func f(s *T) { s.mu.Lock(); g(s) }; func g(s *T) { s.mu.Unlock(); select {} }`, "lock s.mu []; wait select{} []"},
		{"a callee that lets another lock go first", `func f(s, r *T) { s.mu.Lock(); g(r) }; func g(s *T) { s.mu.Unlock(); select {} }`, "lock s.mu []; wait select{} [s.mu]"},
		{"a callee of a callee that lets the lock go first", `func f(s *T) { s.mu.Lock(); g(s) }; func g(s *T) { h(s) }; func h(s *T) { s.mu.Unlock(); select {} }`, "lock s.mu []; wait select{} []"},
		{"a lock of a callee", `func f(s *T) { s.mu.Lock(); g(s.next) }; func g(s *T) { s.nu.Lock(); s.nu.Unlock() }`, "lock s.mu []; lock s.next.nu [s.mu]"},
		{"a lock of an object that the callee makes", `func f(s *T) { s.mu.Lock(); g() }; func g() { s := get(); s.nu.Lock(); s.nu.Unlock() }; var get func() *T`, "lock example.com/src.T.nu [s.mu]; lock s.mu []"},
		{"in a goroutine", `func f(s *T) { s.mu.Lock(); go g(s) }; func g(s *T) { s.nu.Lock() }`, "lock s.mu []"},

		// What callers choose.
		{"of its own, for the caller to choose", `func f(s *T, b bool) { if b { s.mu.Lock(); s.mu.Unlock() } }`, "lock s.mu []"},
		{"where something is given", `func f(s, p *T) { g(s, p) }; func g(s, p *T) { if p != nil { s.mu.Lock(); s.mu.Unlock() } }`, "lock s.mu []"},
		{"where nothing is given", `func f(s *T) { g(s, nil) }; func g(s, p *T) { if p != nil { s.mu.Lock(); s.mu.Unlock() } }`, ""},
		{"where it is not known that nothing is given", `func f(s, p *T) { g(s, p) }; func g(s, p *T) { if p == nil { s.mu.Lock(); s.mu.Unlock() } }`, ""},
		{"chosen", `func f(s *T) { g(s, true) }; func g(s *T, b bool) { if b { s.mu.Lock(); s.mu.Unlock() } }`, "lock s.mu []"},
		{"not chosen", `func f(s *T) { g(s, false) }; func g(s *T, b bool) { if b { s.mu.Lock(); s.mu.Unlock() } }`, ""},
		{"nobody knows what is chosen", `func f(s *T) { g(s, cond()) }; func g(s *T, b bool) { if b { s.mu.Lock(); s.mu.Unlock() } }`, ""},
		{"a number that is chosen", `func f(s *T) { g(s, 3) }; func g(s *T, n int) { if n == 3 { s.mu.Lock(); s.mu.Unlock() } }`, "lock s.mu []"},
		{"another number", `func f(s *T) { g(s, 4) }; func g(s *T, n int) { if n == 3 { s.mu.Lock(); s.mu.Unlock() } }`, ""},
		{"chosen by the caller's caller", `func f(s *T) { g(s, true) }; func g(s *T, b bool) { h(s, b) }; func h(s *T, b bool) { if b { s.mu.Lock(); s.mu.Unlock() } }`, "lock s.mu []"},
		{"left to the caller's caller", `func f(s *T, b bool) { g(s, b) }; func g(s *T, b bool) { if b { s.mu.Lock(); s.mu.Unlock() } }`, ""},

		// One place by two names.
		{"a field of what a constructor makes", `type W struct { t *T }; func newW(t *T) *W { return &W{t: t} }; func f(s *T) { w := newW(s); w.t.mu.Lock(); _ = A }`, "lock s.mu []"},
		{"an element that points back", `type P struct { mu sync.Mutex; items map[int]*I }; type I struct { owner *P }; func (p *P) add(k int) { p.items[k] = &I{owner: p} }; func f(p *P, k int) { p.mu.Lock(); p.items[k].owner.mu.Lock() }`, "lock p.mu []; lock p.mu [p.mu]"},
		{"an element that may point to another owner", `type P struct { mu sync.Mutex; items map[int]*I }; type I struct { owner *P }; func (p *P) add(k int, q *P) { p.items[k] = &I{owner: q} }; func f(p *P, k int) { p.mu.Lock(); p.items[k].owner.mu.Lock() }`, "lock p.items[k].owner.mu [p.mu]; lock p.mu []"},
		{"a field of what two constructors make", `type W struct { t *T }; type V struct { w *W }; func newW(t *T) *W { return &W{t: t} }; func newV(w *W) *V { return &V{w: w} }; func f(s *T) { v := newV(newW(s)); v.w.t.mu.Lock() }`, "lock s.mu []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := modelOf(t, test.src).events(); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.src, got, test.want)
			}
		})
	}
}
