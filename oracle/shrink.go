package oracle

import (
	"encoding/json"
	"slices"
)

// Shrink makes p as small as it can while keeps says that it still shows what it is about. p itself is left as it is.
// It takes away statements, functions, goroutines, locks and channels, and writes what is left in the plainest way.
func Shrink(p *Program, keeps func(*Program) bool) *Program {
	p = p.clone()
	for again := true; again; {
		again = false
		for _, c := range candidates(p) {
			if c.size() < p.size() && keeps(c) {
				p, again = c, true
				break
			}
		}
	}
	return p
}

// clone is a copy of p.
func (p *Program) clone() *Program {
	data, err := json.Marshal(p)
	q := new(Program)
	if err == nil {
		err = json.Unmarshal(data, q)
	}
	if err != nil { // it has nothing that JSON could not hold
		panic(err)
	}
	return q
}

// size is smaller for what is simpler to read.
func (p *Program) size() int {
	n := 20*len(p.Funcs) + 20*len(p.Goroutines) + 5*len(p.Locks) + 5*len(p.Chans) + 5*len(p.Conds) + 5*len(p.Contexts)
	for _, c := range p.Chans {
		n += c
	}
	for _, l := range p.Locks {
		if l.RW {
			n++
		}
		if l.Place != Field {
			n++
		}
	}
	n += 5 * p.Groups
	if p.Paced {
		n++
	}
	if p.Item != nil {
		n += 5 + p.Item.Buffer
		if p.Item.Embedded {
			n++
		}
	}
	for _, f := range p.Funcs {
		n += 3*f.Params + 5*len(f.Literals)
		if f.Tells {
			n += 3
		}
		if f.Makes {
			n += 3
		}
		if f.Given != NoItem {
			n += 3
		}
	}
	p.each(func(s *Stmt) {
		n += 10 + len(s.Bodies) + 2*len(s.Arms)
		if s.Style != Plain {
			n += 2
		}
		if s.Read {
			n++
		}
		for _, a := range s.Args {
			if a.Var >= 0 {
				n++
			}
			if a.Value {
				n++
			}
		}
		switch s.Op {
		case Loop:
			n += s.N
		case Select, TrySend, TryRecv, CallLate, IfCall, Range, Try, Late, Go:
			n += 2
		case InvokeLate, Start:
			n += 4
		case Make:
			if s.N != Own {
				n += 4
			}
		}
	})
	return n
}

// candidates are programs that are simpler than p by one step, the greatest steps first.
func candidates(p *Program) []*Program {
	var out []*Program
	with := func(change func(q *Program)) {
		q := p.clone()
		change(q)
		out = append(out, q)
	}
	for i := range p.Goroutines {
		with(func(q *Program) { q.Goroutines = slices.Delete(q.Goroutines, i, i+1) })
	}
	for f := range p.Funcs {
		with(func(q *Program) { q.dropFunc(f) })
	}
	lists := func(q *Program) []*[]*Stmt {
		all := q.lists()
		for i := 0; i < len(all); i++ { // it grows
			for _, s := range *all[i] {
				all = append(all, s.children()...)
			}
		}
		return all
	}
	for i, l := range lists(p) {
		for j, s := range *l {
			with(func(q *Program) {
				at := lists(q)[i]
				*at = slices.Delete(*at, j, j+1)
			})
			if len(s.Body)+len(s.Else)+len(s.Bodies) > 0 { // what is inside of it takes its place
				for _, c := range s.children() {
					if len(*c) > 0 {
						with(func(q *Program) {
							at := lists(q)[i]
							*at = slices.Replace(*at, j, j+1, *c...)
						})
					}
				}
			}
			for _, simpler := range simplify(s) {
				with(func(q *Program) { (*lists(q)[i])[j] = simpler })
			}
			// A release, and whatever else there is of the same lock, goes together with what takes it.
			for k := j + 1; k < len(*l); k++ {
				if o := (*l)[k]; o.N == s.N && s.Op == Acquire && (o.Op == Release || o.Op == Late) {
					with(func(q *Program) {
						at := lists(q)[i]
						*at = slices.Delete(slices.Delete(*at, k, k+1), j, j+1)
					})
				}
			}
		}
	}
	for m := range p.Locks {
		with(func(q *Program) { q.dropLock(m) })
		with(func(q *Program) { q.Locks[m].Place = Field })
		with(func(q *Program) {
			q.Locks[m].RW = false
			q.each(func(s *Stmt) {
				if s.N == m && (s.Op == Acquire || s.Op == Release || s.Op == Late || s.Op == Try) {
					s.Read = false
				}
			})
		})
	}
	for c := range p.Chans {
		with(func(q *Program) { q.dropChan(c) })
		if p.Chans[c] > 0 {
			with(func(q *Program) { q.Chans[c]-- })
		}
	}
	if len(p.Conds) > 0 {
		with(func(q *Program) { q.drop(func(s *Stmt) bool { return s.Op == Wait || s.Op == Signal }); q.Conds = nil })
	}
	if len(p.Contexts) > 0 {
		with(func(q *Program) {
			q.drop(func(s *Stmt) bool { return s.Op == Cancel || s.Op == Done })
			q.dropArms()
			q.Contexts = nil
		})
	}
	out = append(out, plainItems(p)...)
	for f := range p.Funcs {
		for v := range p.Funcs[f].Params {
			with(func(q *Program) { q.dropParam(f, v) })
		}
		with(func(q *Program) { q.Funcs[f].Tells = false })
	}
	return out
}

// plainItems are candidates with less of what only wide programs have.
func plainItems(p *Program) []*Program {
	var out []*Program
	with := func(change func(q *Program)) {
		q := p.clone()
		change(q)
		out = append(out, q)
	}
	if p.Paced {
		with(func(q *Program) { q.Paced = false })
	}
	if p.Groups > 0 {
		with(func(q *Program) { q.drop(func(s *Stmt) bool { return s.Op == Start || s.Op == Await }); q.Groups = 0 })
	}
	if p.Item != nil {
		with(func(q *Program) { q.Item = nil })
		with(func(q *Program) { q.Item = &Item{Embedded: p.Item.Embedded, Buffer: max(0, p.Item.Buffer-1)} })
		with(func(q *Program) { q.Item = &Item{Buffer: p.Item.Buffer} })
		with(func(q *Program) { q.each(func(s *Stmt) { s.makeOwn() }) })
	}
	for f := range p.Funcs {
		with(func(q *Program) { q.Funcs[f].Given = NoItem })
		with(func(q *Program) { q.Funcs[f].Makes = false })
		for n := range p.Funcs[f].Literals {
			with(func(q *Program) { q.dropLiteral(f, n) })
		}
	}
	for m := range len(p.Locks) + 1 { // how a lock is handed over is changed where it is taken and where it is released at once
		if m == len(p.Locks) {
			m = Own
		}
		with(func(q *Program) {
			q.each(func(s *Stmt) {
				if s.N == m && (s.Style == Returned || s.Style == Guarded) {
					s.Style = Plain
				}
			})
		})
	}
	return out
}

// makeOwn lets s, which calls a constructor, make the item itself.
func (s *Stmt) makeOwn() {
	if s.Op == Make {
		s.N, s.Args = Own, nil
	}
}

// dropLiteral writes literal n of function f where it is invoked, or takes it away.
func (p *Program) dropLiteral(f, n int) {
	fn := p.Funcs[f]
	var inline func(l *[]*Stmt)
	inline = func(l *[]*Stmt) {
		for i := 0; i < len(*l); i++ {
			s := (*l)[i]
			invokes := s.Op == Invoke || s.Op == InvokeLate
			switch {
			case s.Op == Invoke && s.N == n:
				body := (&Program{Goroutines: [][]*Stmt{fn.Literals[n]}}).clone().Goroutines[0]
				*l = slices.Replace(*l, i, i+1, body...)
				i += len(body) - 1
				continue
			case invokes && s.N == n:
				*l = slices.Delete(*l, i, i+1)
				i--
				continue
			case invokes && s.N > n:
				s.N--
			}
			for _, c := range s.children() {
				inline(c)
			}
		}
	}
	inline(&fn.Body)
	fn.Literals = slices.Delete(fn.Literals, n, n+1)
}

// simplify gives plainer forms of s.
func simplify(s *Stmt) []*Stmt {
	var out []*Stmt
	with := func(change func(t *Stmt)) {
		q := (&Program{Goroutines: [][]*Stmt{{s}}}).clone()
		t := q.Goroutines[0][0]
		change(t)
		out = append(out, t)
	}
	if s.Style != Plain {
		with(func(t *Stmt) { t.Style = Plain })
	}
	for i, a := range s.Args {
		if a.Var >= 0 {
			with(func(t *Stmt) { t.Args[i] = Arg{Var: -1} })
			with(func(t *Stmt) { t.Args[i] = Arg{Var: -1, Value: true} })
		} else if a.Value {
			with(func(t *Stmt) { t.Args[i].Value = false })
		}
	}
	for i := range s.Bodies {
		if len(s.Bodies) > 1 {
			with(func(t *Stmt) { t.Bodies = slices.Delete(t.Bodies, i, i+1) })
		}
	}
	for i := range s.Arms {
		if len(s.Arms) > 1 {
			with(func(t *Stmt) { t.Arms = slices.Delete(t.Arms, i, i+1) })
		} else {
			with(func(t *Stmt) { t.Op, t.N, t.Arms = s.Arms[0].Op, s.Arms[0].N, nil })
		}
	}
	plainer := map[Op]Op{TrySend: Send, TryRecv: Receive, Range: Receive, CallLate: Call, Go: Call, Late: Release, InvokeLate: Invoke, Start: Go}
	if op, ok := plainer[s.Op]; ok {
		with(func(t *Stmt) { t.Op, t.Style = op, Plain })
	}
	switch s.Op {
	case If:
		if len(s.Else) > 0 {
			with(func(t *Stmt) { t.Else = nil })
		}
	case Acquire, Release, Late, Try:
		if s.Read {
			with(func(t *Stmt) { t.Read = false })
		}
	}
	return out
}

// drop takes away the statements that which says.
func (p *Program) drop(which func(*Stmt) bool) {
	var clean func(l *[]*Stmt)
	clean = func(l *[]*Stmt) {
		*l = slices.DeleteFunc(*l, which)
		for _, s := range *l {
			for _, c := range s.children() {
				clean(c)
			}
		}
	}
	for _, l := range p.lists() {
		clean(l)
	}
}

func (p *Program) dropArms() {
	p.each(func(s *Stmt) { s.Arms = slices.DeleteFunc(s.Arms, func(a Arm) bool { return a.Op == Done }) })
	p.drop(func(s *Stmt) bool { return s.Op == Select && len(s.Arms) == 0 })
}

func (p *Program) dropFunc(f int) {
	p.drop(func(s *Stmt) bool { return s.calls() && s.N == f })
	p.Funcs = slices.Delete(p.Funcs, f, f+1)
	p.each(func(s *Stmt) {
		if s.calls() && s.N > f {
			s.N--
		}
	})
}

func (p *Program) dropLock(m int) {
	ofLock := func(s *Stmt) bool { return s.Op == Acquire || s.Op == Release || s.Op == Late || s.Op == Try }
	p.drop(func(s *Stmt) bool { return ofLock(s) && s.N == m })
	if slices.Contains(p.Conds, m) {
		p.drop(func(s *Stmt) bool { return s.Op == Wait || s.Op == Signal })
		p.Conds = nil
	}
	p.Locks = slices.Delete(p.Locks, m, m+1)
	for i, c := range p.Conds {
		if c > m {
			p.Conds[i]--
		}
	}
	p.each(func(s *Stmt) {
		if ofLock(s) && s.N > m {
			s.N--
		}
	})
}

func (p *Program) dropChan(c int) {
	ofChan := func(op Op) bool {
		return op == Send || op == Receive || op == TrySend || op == TryRecv || op == Close || op == Range
	}
	p.drop(func(s *Stmt) bool { return ofChan(s.Op) && s.N == c })
	p.each(func(s *Stmt) {
		s.Arms = slices.DeleteFunc(s.Arms, func(a Arm) bool { return a.Op != Done && a.N == c })
		for i, a := range s.Arms {
			if a.Op != Done && a.N > c {
				s.Arms[i].N--
			}
		}
		if ofChan(s.Op) && s.N > c {
			s.N--
		}
	})
	p.drop(func(s *Stmt) bool { return s.Op == Select && len(s.Arms) == 0 })
	p.Chans = slices.Delete(p.Chans, c, c+1)
}

// dropParam takes parameter v of function f away: its tests are taken for false.
func (p *Program) dropParam(f, v int) {
	fn := p.Funcs[f]
	fn.Params--
	outer := &Program{Funcs: []*Func{fn}}
	outer.drop(func(s *Stmt) bool { return (s.Op == If || s.Op == Set) && s.N == v })
	outer.each(func(s *Stmt) {
		if (s.Op == If || s.Op == Set) && s.N > v {
			s.N--
		}
		for i, a := range s.Args {
			if a.Var == v {
				s.Args[i] = Arg{Var: -1}
			} else if a.Var > v {
				s.Args[i].Var--
			}
		}
	})
	p.each(func(s *Stmt) {
		if s.calls() && s.N == f && v < len(s.Args) {
			s.Args = slices.Delete(s.Args, v, v+1)
		}
	})
}
