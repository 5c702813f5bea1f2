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
	counts []int  // the same of each wait group
	subs   []int  // channels of the subscribers
}

type goroutine struct {
	frames []frame // the innermost one is last; none when it has ended
	group  int     // of a Fork, -1 for others
	member int     // of wait group member-1
	awake  bool    // it was woken by a signal, or by the end of a wait group's last goroutine
	spawn  bool    // nothing waits for it
}

type frame struct {
	pc     int
	called int // the line of the call that it is of
	vars   uint16
	known  uint16 // variables that have been asked for, where they may have any value
	item   int    // number item-1, none where it is zero
	turn   int    // of a Publish
	result bool   // of the last call
	late   []late
	groups []int
}

// late is a deferred call: of the code at pc, or where that is negative, the release of a lock.
type late struct {
	pc      int
	literal bool // it has the variables of the function
	lock    int
	read    bool
	vars    uint16
	item    int
	line    int
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
		counts: make([]int, c.p.Groups),
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
		ended: slices.Clone(w.ended), groups: slices.Clone(w.groups), counts: slices.Clone(w.counts), subs: slices.Clone(w.subs),
	}
}

// The locks, channels and condition variables of items come behind those of the object. lockIn is the one that n
// is in frame f, and so are chanIn and condIn; guardIn is the lock of condition variable n.
func (c *code) lockIn(f *frame, n int) int { return own(f, n, len(c.p.Locks)) }
func (c *code) chanIn(f *frame, n int) int { return own(f, n, len(c.p.Chans)) }
func (c *code) condIn(f *frame, n int) int { return own(f, n, len(c.p.Conds)) }

func (c *code) guardIn(f *frame, n int) int {
	if n == Own {
		return c.lockIn(f, Own)
	}
	return c.p.Conds[n]
}

func own(f *frame, n, others int) int {
	if n == Own {
		return others + f.item - 1
	}
	return n
}

// class is the N of statements about lock m.
func (c *code) class(m int) int {
	if m >= len(c.p.Locks) {
		return Own
	}
	return m
}

// room is the size of the buffer of channel ch.
func (c *code) room(ch int) int {
	if ch >= len(c.p.Chans) {
		return c.p.Item.Buffer
	}
	return c.p.Chans[ch]
}

// newItem makes an item, and gives its number as a frame has it.
func (w *world) newItem(c *code) int {
	w.locks = append(w.locks, mutex{writer: -1, pending: -1})
	w.chans = append(w.chans, channel{})
	w.ready = append(w.ready, false)
	return len(w.locks) - len(c.p.Locks)
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
		b = append(b, byte(g.member))
		for j := range g.frames {
			f := &g.frames[j]
			num(f.pc)
			num(f.called)
			num(int(f.vars))
			num(int(f.known))
			flag(f.result)
			b = append(b, byte(f.item), byte(f.turn))
			b = append(b, byte(len(f.late)), byte(len(f.groups)))
			for _, l := range f.late {
				num(l.pc)
				b = append(b, byte(l.lock), byte(l.item))
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
	for _, l := range [][]int{w.groups, w.counts, w.subs} {
		for _, n := range l {
			b = append(b, byte(n))
		}
		b = append(b, 255)
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
	case m >= len(c.p.Locks) || !c.p.Locks[m].RW:
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
