package oracle

import "slices"

// A world is one state of a running program.
type world struct {
	gs     []goroutine
	locks  []mutex
	chans  []channel
	ready  []bool // flags of the condition variables
	ended  []bool // contexts
	groups []int  // goroutines of each Fork that still run
}

type goroutine struct {
	frames []frame // the innermost one is last; none when it has ended
	group  int     // of a Fork, -1 for others
	awake  bool    // it was woken by a signal
	spawn  bool    // nothing waits for it
}

type frame struct {
	pc     int
	called int // the line of the call that it is of
	vars   uint16
	result bool // of the last call
	late   []late
	groups []int
}

// late is a deferred call: of function fn, or where that is negative, the release of a lock.
type late struct {
	fn   int
	lock int
	read bool
	vars uint16
	line int
}

// mutex is a lock: who has it, and the writer that waits for the readers to leave. -1 stands for nobody.
type mutex struct {
	writer, pending int
	readers         []int
}

type channel struct {
	n      int
	closed bool
}

func newWorld(c *code) *world {
	w := &world{
		chans: make([]channel, len(c.p.Chans)), ready: make([]bool, len(c.p.Conds)), ended: make([]bool, len(c.p.Contexts)),
	}
	for range c.p.Locks {
		w.locks = append(w.locks, mutex{writer: -1, pending: -1})
	}
	for _, pc := range c.start {
		w.gs = append(w.gs, goroutine{frames: []frame{{pc: pc}}, group: -1})
	}
	return w
}

// clone copies what steps change in place; the slices of frames are replaced, never written to.
func (w *world) clone() *world {
	return &world{
		gs: slices.Clone(w.gs), locks: slices.Clone(w.locks), chans: slices.Clone(w.chans), ready: slices.Clone(w.ready),
		ended: slices.Clone(w.ended), groups: slices.Clone(w.groups),
	}
}

func (w *world) running(g int) bool { return len(w.gs[g].frames) > 0 }

// top is the innermost frame of g.
func (w *world) top(g int) frame { return w.gs[g].frames[len(w.gs[g].frames)-1] }

// put replaces the innermost frame of g by fs.
func (w *world) put(g int, fs ...frame) {
	old := w.gs[g].frames
	out := make([]frame, 0, len(old)+len(fs))
	w.gs[g].frames = append(append(out, old[:len(old)-1]...), fs...)
}

// advance moves g to the next instruction.
func (w *world) advance(g int) {
	f := w.top(g)
	f.pc++
	w.put(g, f)
}

// key is equal for equal worlds.
func (w *world) key() string {
	b := make([]byte, 0, 128)
	num := func(n int) { b = append(b, byte(n), byte(n>>8)) }
	flag := func(v bool) {
		if v {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	for i := range w.gs {
		g := &w.gs[i]
		b = append(b, byte(len(g.frames)))
		flag(g.awake)
		num(g.group)
		for j := range g.frames {
			f := &g.frames[j]
			num(f.pc)
			num(f.called)
			num(int(f.vars))
			flag(f.result)
			b = append(b, byte(len(f.late)), byte(len(f.groups)))
			for _, l := range f.late {
				b = append(b, byte(l.fn), byte(l.lock))
				flag(l.read)
				num(int(l.vars))
			}
			for _, x := range f.groups {
				b = append(b, byte(x))
			}
		}
	}
	b = append(b, 255)
	for i := range w.locks {
		m := &w.locks[i]
		b = append(b, byte(m.writer), byte(m.pending), byte(len(m.readers)))
		for _, r := range m.readers {
			b = append(b, byte(r))
		}
	}
	for _, c := range w.chans {
		b = append(b, byte(c.n))
		flag(c.closed)
	}
	for _, v := range w.ready {
		flag(v)
	}
	for _, v := range w.ended {
		flag(v)
	}
	for _, n := range w.groups {
		b = append(b, byte(n))
	}
	return string(b)
}

// owns reports whether g has lock m.
func (w *world) owns(g, m int) bool {
	l := &w.locks[m]
	return l.writer == g || slices.Contains(l.readers, g)
}

// owners are the goroutines that have lock m, or that have announced themselves to its readers.
func (w *world) owners(m int) []int {
	l := &w.locks[m]
	out := slices.Clone(l.readers)
	if l.writer >= 0 {
		out = append(out, l.writer)
	}
	return out
}

// take is an attempt of g to take lock m. It reports whether g has the lock now, and whether something changed at all: a
// writer announces itself, and keeps new readers out while it waits.
func (w *world) take(c *code, g, m int, read bool) (has, changed bool) {
	l := &w.locks[m]
	switch {
	case !c.p.Locks[m].RW:
		if l.writer >= 0 {
			return false, false
		}
		l.writer = g
	case read:
		if l.writer >= 0 || l.pending >= 0 {
			return false, false
		}
		l.readers = append(slices.Clone(l.readers), g)
		slices.Sort(l.readers)
	case l.writer >= 0 || l.pending >= 0 && l.pending != g:
		return false, false
	case len(l.readers) > 0:
		if l.pending == g {
			return false, false
		}
		l.pending = g
		return false, true
	default:
		l.writer, l.pending = g, -1
	}
	return true, true
}

// free reports whether TryLock, or TryRLock, may succeed.
func (w *world) free(m int, read bool) bool {
	l := &w.locks[m]
	return l.writer < 0 && l.pending < 0 && (read || len(l.readers) == 0)
}

// drop is the release of lock m by g; false where nobody has it so, and Go panics.
func (w *world) drop(g, m int, read bool) bool {
	l := &w.locks[m]
	if !read {
		if l.writer < 0 {
			return false
		}
		l.writer = -1
		return true
	}
	if len(l.readers) == 0 {
		return false
	}
	i := max(0, slices.Index(l.readers, g))
	l.readers = slices.Delete(slices.Clone(l.readers), i, i+1)
	return true
}
