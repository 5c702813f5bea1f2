package certain

import "example.com/operators/lockheld/certain/guards"

// A Ledger uses locks of another package, which come with what releases them.
type Ledger struct{ box *guards.Box }

func (l *Ledger) add(n int) {
	g := l.box.Acquire()
	defer g.Release()
	l.box.N += n
}

// Move takes the lock twice, one time after the other.
func (l *Ledger) Move(n int) {
	l.add(-n)
	l.add(n)
}

func (l *Ledger) put(n int) {
	defer l.box.Edit()()
	l.box.N = n
}

func (l *Ledger) Copy() {
	done := l.box.Edit()
	n := l.box.N
	done()
	l.put(n)
	l.put(0)
}

// Twice opens what is open.
func (l *Ledger) Twice() int {
	n := l.box.Open()
	defer l.box.Close()
	return n + l.box.Open() // want relock/certain "l.box.mu (locked at line 35) is locked again (guards.go:32, via (*Box).Open), which deadlocks; unlock first, or call a variant that does not lock" @35 "l.box.mu is locked here" @37 "calls (*Box).Open" @guards.go:32 "second acquisition"
}
