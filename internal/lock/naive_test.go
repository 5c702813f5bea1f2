package lock

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A naive interpretation of small functions, beside the one that the package has: it walks each way from the first
// statement to the last one by itself, loops up to three times, and merges nothing.

// naiveLocks are the locks of naivePrelude: two of the receiver, one that can come to be another one by any call, and one
// of the same class that cannot.
var naiveLocks = []string{"s.m0", "s.m1", "s.p.mu", "q.mu"}

const (
	movable = 2
	twin    = 3
)

const naivePrelude = `package src

import "sync"

type inner struct{ mu sync.RWMutex }

type S struct {
	m0, m1 sync.RWMutex
	p      *inner
	flag   bool
}

func (s *S) swap(q *inner) { s.p = q }

var unknown []bool

func ask() bool { return unknown[0] }

func mark(int) {}

func fatal() { panic("it is over") }

func (s *S) take() { s.m0.Lock() }

func (s *S) drop() { s.m0.Unlock() }

func (s *S) mayDrop() {
	if ask() {
		s.m0.Unlock()
	}
}

func (s *S) lockIf(v bool) {
	if v {
		s.m1.Lock()
		s.m1.Unlock()
	}
}

`

type naiveOp int

const (
	nLock   naiveOp = iota // lock n
	nUnlock                // lock n
	nDefer                 // its release
	nMark                  // a call of mark with the line
	nTake                  // calls
	nDrop
	nMayDrop
	nLockIf // with cond
	nGo     // drop on a goroutine
	nFatal
	nSet    // flag n to value; the last one is a field
	nIf     // cond, body, other
	nTry    // body where TryLock of lock n gave true
	nLoop   // body while ask
	nReturn // early
	nMove   // another object comes to where the movable lock is
)

// The bools of a function: two parameters, two variables that are false at first, and a field that may be anything.
const (
	nParams = 2
	nFlags  = 3
	nBools  = nParams + nFlags
	nField  = nBools - 1
	nAsk    = nBools     // ask()
	nTrue   = nBools + 1 // a constant
	nFalse  = nBools + 2
)

type naiveStmt struct {
	op          naiveOp
	n           int
	read, value bool
	body, other []*naiveStmt
	line        int
}

// naiveGen makes a function of up to blocks blocks.
type naiveGen struct {
	*rand.Rand
	blocks int
	loops  int
}

func (g *naiveGen) list(depth int) []*naiveStmt {
	var out []*naiveStmt
	for range 1 + g.IntN(4) {
		out = append(out, g.stmt(depth)...)
	}
	return out
}

// many are branches that leave more states behind than are kept.
func (g *naiveGen) many() []*naiveStmt {
	var out []*naiveStmt
	for range 4 {
		s := &naiveStmt{op: []naiveOp{nLock, nLock, nUnlock, nTake, nMayDrop}[g.IntN(5)], n: g.IntN(len(naiveLocks)), read: g.IntN(3) == 0}
		out = append(out, &naiveStmt{op: nIf, n: nAsk, body: []*naiveStmt{s}})
	}
	return out
}

func (g *naiveGen) stmt(depth int) []*naiveStmt {
	// In a loop, holds for reading would add up without an end.
	s := &naiveStmt{n: g.IntN(len(naiveLocks)), read: g.IntN(3) == 0 && g.loops == 0}
	switch k := g.IntN(100); {
	case k < 22:
		s.op = nLock
	case k < 38:
		s.op = nUnlock
	case k < 41 && depth == 0:
		s.op = nDefer
	case k < 50:
		s.op = nMark
	case k < 58:
		s.op = []naiveOp{nTake, nDrop, nMayDrop, nGo}[g.IntN(4)]
	case k < 63:
		s.op, s.n = nLockIf, []int{0, 1, nTrue, nTrue, nFalse}[g.IntN(5)]
	case k < 66:
		s.op = nMove
	case k < 67:
		s.op = nFatal
		if depth == 0 {
			s.op = nMark
		}
	case k < 76:
		s.op, s.n, s.value = nSet, []int{nParams, nParams + 1, nField, nField}[g.IntN(4)], g.IntN(3) > 0
	case g.blocks < 2:
		s.op = nMark
	case k < 92:
		s.op, s.n = nIf, min(g.IntN(nBools+3), nAsk)
		if s.n == nAsk && g.IntN(2) == 0 {
			s.n = nField
		}
		g.blocks -= 2
		s.body = g.list(depth + 1)
		if g.IntN(3) == 0 {
			g.blocks--
			s.other = g.list(depth + 1)
		}
		if depth < 3 && g.IntN(5) == 0 {
			s.body = append(s.body, &naiveStmt{op: nReturn})
		}
	case k < 96:
		s.op = nTry
		g.blocks -= 2
		s.body = g.list(depth + 1)
		if g.IntN(2) == 0 {
			s.body = append(s.body, &naiveStmt{op: nUnlock, n: s.n, read: s.read})
		}
	default:
		s.op = nLoop
		g.blocks -= 2
		g.loops++
		s.body = g.list(depth + 1)
		g.loops--
	}
	return []*naiveStmt{s}
}

// naiveEmit writes a function as Go.
type naiveEmit struct {
	strings.Builder
	line int
}

func (e *naiveEmit) put(format string, args ...any) {
	fmt.Fprintf(e, format+"\n", args...)
	e.line++
}

func naiveSource(body []*naiveStmt) string {
	e := &naiveEmit{line: strings.Count(naivePrelude, "\n") + 1}
	e.WriteString(naivePrelude)
	e.put("func (s *S) f(v0, v1 bool, q *inner) {")
	for v := nParams; v < nField; v++ {
		e.put("v%d := false", v)
		e.put("_ = v%d", v)
	}
	e.list(body)
	e.put("}")
	return e.String()
}

func naiveBool(v int) string {
	switch v {
	case nField:
		return "s.flag"
	case nAsk:
		return "ask()"
	case nTrue, nFalse:
		return fmt.Sprint(v == nTrue)
	}
	return fmt.Sprintf("v%d", v)
}

func (e *naiveEmit) list(list []*naiveStmt) {
	for _, s := range list {
		s.line = e.line
		r := map[bool]string{true: "R"}[s.read]
		switch s.op {
		case nLock:
			e.put("%s.%sLock()", naiveLocks[s.n], r)
		case nUnlock:
			e.put("%s.%sUnlock()", naiveLocks[s.n], r)
		case nDefer:
			e.put("defer %s.%sUnlock()", naiveLocks[s.n], r)
		case nMark:
			e.put("mark(%d)", s.line)
		case nTake:
			e.put("s.take()")
		case nDrop:
			e.put("s.drop()")
		case nMayDrop:
			e.put("s.mayDrop()")
		case nLockIf:
			e.put("s.lockIf(%s)", naiveBool(s.n))
		case nGo:
			e.put("go s.drop()")
		case nFatal:
			e.put("fatal()")
		case nSet:
			e.put("%s = %v", naiveBool(s.n), s.value)
		case nIf:
			e.put("if %s {", naiveBool(s.n))
			e.list(s.body)
			if len(s.other) > 0 {
				e.put("} else {")
				e.list(s.other)
			}
			e.put("}")
		case nTry:
			e.put("if %s.Try%sLock() {", naiveLocks[s.n], r)
			e.list(s.body)
			e.put("}")
		case nLoop:
			e.put("for ask() {")
			e.list(s.body)
			e.put("}")
		case nReturn:
			e.put("return")
		case nMove:
			e.put("s.p = q")
		}
	}
}

// naiveHold is a lock that is held.
type naiveHold struct {
	lock  int
	mode  Mode
	stale bool
}

// naiveWay is one way through the function up to a place.
type naiveWay struct {
	held    []naiveHold
	dropped map[int]Mode
	defers  []*naiveStmt
	bools   [nBools]bool
}

func (w *naiveWay) clone() *naiveWay {
	c := *w
	c.held, c.dropped, c.defers = slices.Clone(w.held), maps.Clone(w.dropped), slices.Clone(w.defers)
	return &c
}

func (w *naiveWay) acquire(lock int, mode Mode) {
	if m, ok := w.dropped[lock]; ok && m == mode {
		delete(w.dropped, lock)
		return
	}
	deadlock := false // no way comes past it
	for i, h := range w.held {
		if h.lock == lock && (h.mode == Write || mode == Write) {
			w.held[i].mode, deadlock = Write, true
		}
	}
	if deadlock {
		return
	}
	w.held = append(w.held, naiveHold{lock, mode, false})
}

func (w *naiveWay) release(lock int, mode Mode) {
	for i, h := range slices.Backward(w.held) {
		if h.lock == lock {
			w.held = slices.Delete(w.held, i, i+1)
			return
		}
	}
	for i, h := range slices.Backward(w.held) { // as like as not the same lock under its old name
		if h.stale && (lock == movable || lock == twin) && (h.lock == movable || h.lock == twin) {
			w.held = slices.Delete(w.held, i, i+1)
			return
		}
	}
	if _, ok := w.dropped[lock]; !ok {
		w.dropped[lock] = mode
	}
}

func (w *naiveWay) forget(lock int) {
	w.held = slices.DeleteFunc(w.held, func(h naiveHold) bool { return h.lock == lock })
}

// called is any call but that of a lock's method: the movable lock may be another one from now on.
func (w *naiveWay) called() {
	for i := range w.held {
		if w.held[i].lock == movable {
			w.held[i].stale = true
		}
	}
}

func naiveMode(read bool) Mode {
	if read {
		return Read
	}
	return Write
}

// A naiveSet is what is held at a place on every way, by lock.
type naiveSet map[int]Mode

// naiveResult is what all ways show.
type naiveResult struct {
	marks  map[int]naiveSet // at each mark and each operation that takes a lock, by line
	events map[int]bool     // lines with such an operation, in the function or below
	kept   map[int]bool     // locks with which some way returns
	all    naiveSet         // with which all do
	gone   map[int]bool     // that all have released for the caller
	exits  int
	ways   int
}

const maxNaive = 30000

// naively walks all ways; false where there are too many.
func naively(body []*naiveStmt) (*naiveResult, bool) {
	r := &naiveResult{marks: map[int]naiveSet{}, events: map[int]bool{}, kept: map[int]bool{}}
	for bits := range 1 << (nParams + 1) { // the parameters and the field
		w := &naiveWay{dropped: map[int]Mode{}}
		for v := range nParams {
			w.bools[v] = bits&(1<<v) != 0
		}
		w.bools[nField] = bits&(1<<nParams) != 0
		r.list(body, w, r.leave)
		if r.ways > maxNaive {
			return nil, false
		}
	}
	return r, true
}

// note is what is held at line on one way.
func (r *naiveResult) note(line int, w *naiveWay) {
	now := naiveSet{}
	for _, h := range w.held {
		if m, ok := now[h.lock]; !ok || h.mode < m {
			now[h.lock] = h.mode
		}
	}
	r.marks[line] = r.marks[line].common(now, r.marks[line] == nil)
}

func (a naiveSet) common(b naiveSet, first bool) naiveSet {
	if first {
		return b
	}
	out := naiveSet{}
	for lock, mode := range a {
		if m, ok := b[lock]; ok {
			out[lock] = min(mode, m)
		}
	}
	return out
}

// list walks the statements of list, and goes on with next behind them.
func (r *naiveResult) list(list []*naiveStmt, w *naiveWay, next func(*naiveWay)) {
	if r.ways++; r.ways > maxNaive {
		return
	}
	if len(list) == 0 {
		next(w)
		return
	}
	s := list[0]
	rest := func(w *naiveWay) { r.list(list[1:], w, next) }
	switch s.op {
	case nLock:
		r.note(s.line, w)
		r.events[s.line] = true
		w.acquire(s.n, naiveMode(s.read))
	case nUnlock:
		w.release(s.n, naiveMode(s.read))
	case nDefer:
		w.defers = append(w.defers, s)
	case nMark:
		r.note(s.line, w)
		w.called()
	case nTake:
		r.note(s.line, w)
		r.events[s.line] = true
		w.called()
		w.acquire(0, Write)
	case nDrop:
		w.called()
		w.release(0, Write)
	case nMayDrop:
		w.called()
		w.forget(0)
	case nLockIf:
		if s.n == nTrue {
			r.note(s.line, w)
			r.events[s.line] = true
		}
		w.called()
	case nGo:
		w.forget(0)
	case nFatal:
		return
	case nSet:
		w.bools[s.n] = s.value
	case nIf:
		yes := []bool{true, false}
		if s.n < nBools {
			yes = []bool{w.bools[s.n]}
		} else {
			w.called()
		}
		for _, y := range yes {
			branch := s.other
			if y {
				branch = s.body
			}
			r.list(branch, w.clone(), rest)
		}
		return
	case nTry:
		held := slices.ContainsFunc(w.held, func(h naiveHold) bool {
			return h.lock == s.n && !h.stale && (h.mode == Write || !s.read)
		})
		if !held { // else it fails
			taken := w.clone()
			taken.acquire(s.n, naiveMode(s.read))
			r.list(s.body, taken, rest)
		}
	case nLoop:
		r.loop(s, w, rest, 3)
		return
	case nReturn:
		r.leave(w)
		return
	case nMove:
		w.forget(movable)
	}
	rest(w)
}

// loop walks the body of s up to turns times.
func (r *naiveResult) loop(s *naiveStmt, w *naiveWay, next func(*naiveWay), turns int) {
	w.called()
	if turns > 0 {
		r.list(s.body, w.clone(), func(w *naiveWay) { r.loop(s, w, next, turns-1) })
	}
	next(w)
}

// leave is a return.
func (r *naiveResult) leave(w *naiveWay) {
	w = w.clone()
	for _, d := range slices.Backward(w.defers) {
		w.release(d.n, naiveMode(d.read))
	}
	now, gone := naiveSet{}, map[int]bool{}
	for _, h := range w.held {
		now[h.lock] = h.mode
		if !h.stale {
			r.kept[h.lock] = true
		}
	}
	for lock := range w.dropped {
		if r.exits == 0 || r.gone[lock] {
			gone[lock] = true
		}
	}
	r.gone = gone
	r.all = r.all.common(now, r.exits == 0)
	r.exits++
}

// once reports whether the list has a loop in which a parameter or the field is tested: a test with one place in the text is
// not remembered from one turn to the next one, so that less may be known than on the ways.
func once(list []*naiveStmt, inside bool) bool {
	for _, s := range list {
		if inside && s.op == nIf && (s.n < nParams || s.n == nField) || once(s.body, inside || s.op == nLoop) || once(s.other, inside) {
			return true
		}
	}
	return false
}
