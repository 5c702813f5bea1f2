package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// A Text is a program as Go.
type Text struct {
	Source string

	owner    []int          // by line: the innermost function, literals included; -1 outside of all
	names    []string       // of the functions, by owner
	funcs    []int          // the owners that the program's functions are
	wrappers map[string]int // by name: the line of the operation in a method that wraps it
}

// Form is how a program is written.
type Form struct {
	Package string // its name
	Pauses  bool   // for runs: other goroutines get their turn between statements, and package variables are fields
}

// Emit writes p as a package that imports the standard library only, with an exported function Run.
func Emit(p *Program, form Form) *Text {
	e := &emitter{p: p, form: form, t: &Text{wrappers: map[string]int{}}, current: -1}
	e.types()
	for i, f := range p.Funcs {
		e.function(i, f)
	}
	e.run()
	for _, w := range e.wanted {
		e.wrapper(w)
	}
	e.t.Source = e.b.String()
	return e.t
}

type emitter struct {
	p    *Program
	form Form
	t    *Text
	b    strings.Builder

	indent  int
	current int // owner
	wanted  []wrapper
	fn      *Func
}

// A wrapper is a method that does one operation on a lock.
type wrapper struct {
	lock int
	read bool
	drop bool
}

func (w wrapper) name() string {
	verb := map[bool]string{false: "enter", true: "exit"}[w.drop]
	if w.lock%2 == 1 { // the rules believe some names, where they see no caller
		verb = map[bool]string{false: "take", true: "give"}[w.drop]
	}
	if w.read {
		verb += "Read"
	}
	return fmt.Sprintf("%s%d", verb, w.lock)
}

func (w wrapper) method() string {
	switch {
	case w.drop && w.read:
		return "RUnlock"
	case w.drop:
		return "Unlock"
	case w.read:
		return "RLock"
	}
	return "Lock"
}

// line writes a line, and gives its number.
func (e *emitter) line(format string, args ...any) int {
	fmt.Fprintf(&e.b, strings.Repeat("\t", e.indent)+format+"\n", args...)
	if e.t.owner == nil {
		e.t.owner = []int{-1} // lines count from one
	}
	e.t.owner = append(e.t.owner, e.current)
	return len(e.t.owner) - 1
}

// next is the number of the line that comes next.
func (e *emitter) next() int { return len(e.t.owner) }

// enter begins a function, and gives the way back to the one around it.
func (e *emitter) enter(name string) (leave func()) {
	outer := e.current
	e.t.names = append(e.t.names, name)
	e.current = len(e.t.names) - 1
	return func() { e.current = outer }
}

func (e *emitter) place(lock int) Place {
	p := e.p.Locks[lock].Place
	if e.form.Pauses && p == Global {
		return Field
	}
	return p
}

// lock is the expression of a lock's methods.
func (e *emitter) lock(m int) string {
	switch e.place(m) {
	case Embedded:
		return "s"
	case Global:
		return fmt.Sprintf("g%d", m)
	case Nested, Pointed:
		return fmt.Sprintf("s.n%d.mu", m)
	}
	return fmt.Sprintf("s.m%d", m)
}

// address is the lock itself.
func (e *emitter) address(m int) string {
	if e.place(m) == Embedded {
		return "&s." + strings.TrimPrefix(e.mutex(m), "sync.")
	}
	return "&" + e.lock(m)
}

func (e *emitter) mutex(m int) string {
	if e.p.Locks[m].RW {
		return "sync.RWMutex"
	}
	return "sync.Mutex"
}

func (e *emitter) inner(m int) string {
	if e.p.Locks[m].RW {
		return "innerRW"
	}
	return "inner"
}

func (e *emitter) types() {
	p := e.p
	e.line("// Package %s is generated.", e.form.Package)
	e.line("package %s", e.form.Package)
	e.line("")
	e.line("import (")
	if len(p.Contexts) > 0 {
		e.line("\t%q", "context")
	}
	if e.form.Pauses {
		e.line("\t%q", "math/rand/v2")
		e.line("\t%q", "runtime")
	}
	e.line("\t%q", "sync")
	if slices.Contains(p.Contexts, Timeout) {
		e.line("\t%q", "time")
	}
	e.line(")")
	e.line("")
	inner := map[string]bool{}
	for m := range p.Locks {
		if pl := e.place(m); (pl == Nested || pl == Pointed) && !inner[e.inner(m)] {
			inner[e.inner(m)] = true
			e.line("type %s struct{ mu %s }", e.inner(m), e.mutex(m))
			e.line("")
		}
	}
	e.line("type S struct {")
	var made []string
	for m := range p.Locks {
		switch e.place(m) {
		case Field:
			e.line("\tm%d %s", m, e.mutex(m))
		case Embedded:
			e.line("\t%s", e.mutex(m))
		case Nested:
			e.line("\tn%d %s", m, e.inner(m))
		case Pointed:
			e.line("\tn%d *%s", m, e.inner(m))
			made = append(made, fmt.Sprintf("n%d: &%s{}", m, e.inner(m)))
		}
	}
	for c, size := range p.Chans {
		e.line("\tc%d chan int", c)
		buffer := ""
		if size > 0 {
			buffer = fmt.Sprintf(", %d", size)
		}
		made = append(made, fmt.Sprintf("c%d: make(chan int%s)", c, buffer))
	}
	for d := range p.Conds {
		e.line("\td%d *sync.Cond", d)
		e.line("\tready%d bool", d)
	}
	for c, kind := range p.Contexts {
		e.line("\tctx%d context.Context", c)
		if kind == Background {
			made = append(made, fmt.Sprintf("ctx%d: context.Background()", c))
		} else {
			e.line("\tcancel%d context.CancelFunc", c)
		}
	}
	e.line("}")
	e.line("")
	for m := range p.Locks {
		if e.place(m) == Global {
			e.line("var g%d %s", m, e.mutex(m))
			e.line("")
		}
	}
	for _, f := range e.interfaces() {
		e.line("type runner%d interface{ f%d%s }", f, f, e.signature(p.Funcs[f]))
		e.line("")
	}
	if e.form.Pauses {
		e.line("func pause() {")
		e.line("\tif rand.IntN(3) == 0 {")
		e.line("\t\truntime.Gosched()")
		e.line("\t}")
		e.line("}")
		e.line("")
	}
	e.line("func New() *S {")
	e.line("\ts := &S{%s}", strings.Join(made, ", "))
	for d, m := range p.Conds {
		e.line("\ts.d%d = sync.NewCond(%s)", d, e.address(m))
	}
	for c, kind := range p.Contexts {
		switch kind {
		case Cancelled:
			e.line("\ts.ctx%d, s.cancel%d = context.WithCancel(context.Background())", c, c)
		case Timeout:
			e.line("\ts.ctx%d, s.cancel%d = context.WithTimeout(context.Background(), time.Millisecond)", c, c)
		}
	}
	e.line("\treturn s")
	e.line("}")
	e.line("")
}

// interfaces are the functions that are called through one.
func (e *emitter) interfaces() []int {
	var out []int
	e.p.each(func(s *Stmt) {
		if s.Op == Call && s.Style == Interface && !slices.Contains(out, s.N) {
			out = append(out, s.N)
		}
	})
	slices.Sort(out)
	return out
}

func (e *emitter) signature(f *Func) string {
	var params []string
	for i := range f.Params {
		params = append(params, fmt.Sprintf("v%d", i))
	}
	sig := "(" + strings.Join(params, ", ")
	if f.Params > 0 {
		sig += " bool"
	}
	sig += ")"
	if f.Tells {
		sig += " bool"
	}
	return sig
}

func (e *emitter) function(i int, f *Func) {
	leave := e.enter(fmt.Sprintf("f%d", i))
	e.t.funcs = append(e.t.funcs, e.current)
	e.fn = f
	e.line("func (s *S) f%d%s {", i, e.signature(f))
	e.indent++
	read := map[int]bool{}
	walk(f.Body, func(s *Stmt) {
		if s.Op == If && s.N >= f.Params {
			read[s.N] = true
		}
		for _, a := range s.Args {
			if a.Var >= f.Params {
				read[a.Var] = true
			}
		}
	})
	for v := f.Params; v < f.Params+8; v++ {
		if read[v] {
			e.line("v%d := false", v)
		}
	}
	e.list(f.Body, read)
	if f.Tells && (len(f.Body) == 0 || f.Body[len(f.Body)-1].Op != Return) {
		e.line("return false")
	}
	e.indent--
	e.line("}")
	leave()
	e.line("")
}

func (e *emitter) run() {
	leave := e.enter("Run")
	e.line("func Run() {")
	e.indent++
	e.line("s := New()")
	e.line("var wg sync.WaitGroup")
	e.fn = &Func{}
	for _, body := range e.p.Goroutines {
		e.line("wg.Add(1)")
		back := e.enter("Run's goroutine")
		e.line("go func() {")
		e.line("\tdefer wg.Done()")
		e.indent++
		e.list(body, nil)
		e.indent--
		e.line("}()")
		back()
	}
	e.line("wg.Wait()")
	e.indent--
	e.line("}")
	leave()
	e.line("")
}

func (e *emitter) wrapper(w wrapper) {
	leave := e.enter(w.name())
	e.line("func (s *S) %s() {", w.name())
	e.t.wrappers[w.name()] = e.line("\t%s.%s()", e.lock(w.lock), w.method())
	e.line("}")
	leave()
	e.line("")
}

func args(s *Stmt) string {
	var out []string
	for _, a := range s.Args {
		if a.Var >= 0 {
			out = append(out, fmt.Sprintf("v%d", a.Var))
		} else {
			out = append(out, fmt.Sprint(a.Value))
		}
	}
	return strings.Join(out, ", ")
}

func (e *emitter) list(list []*Stmt, read map[int]bool) {
	for _, s := range list {
		if e.form.Pauses && s.Op != Return && s.Op != Set {
			e.line("pause()")
		}
		e.stmt(s, read)
	}
}

func (e *emitter) body(list []*Stmt, read map[int]bool) {
	e.indent++
	e.list(list, read)
	e.indent--
}

// operation is the call that s is, of a lock's method or of a method that wraps it.
func (e *emitter) operation(s *Stmt) string {
	w := wrapper{s.N, s.Read, s.Op != Acquire}
	if s.Style == Wrapped {
		if !slices.Contains(e.wanted, w) {
			e.wanted = append(e.wanted, w)
		}
		return fmt.Sprintf("s.%s()", w.name())
	}
	return fmt.Sprintf("%s.%s()", e.lock(s.N), w.method())
}

func (e *emitter) stmt(s *Stmt, read map[int]bool) {
	s.line, s.owner = e.next(), e.current
	switch s.Op {
	case Acquire, Release:
		e.line("%s", e.operation(s))
	case Late:
		if s.Style == InLiteral {
			e.line("defer func() { %s }()", e.operation(&Stmt{Op: Release, N: s.N, Read: s.Read}))
		} else {
			e.line("defer %s", e.operation(s))
		}
	case Try:
		method := "TryLock"
		if s.Read {
			method = "TryRLock"
		}
		e.line("if %s.%s() {", e.lock(s.N), method)
		e.body(s.Body, read)
		e.line("\t%s.%s()", e.lock(s.N), wrapper{s.N, s.Read, true}.method())
		e.line("}")
	case Send:
		e.line("s.c%d <- 1", s.N)
	case Receive:
		e.line("<-s.c%d", s.N)
	case TrySend, TryRecv, Select:
		arms := s.Arms
		if s.Op == TrySend {
			arms = []Arm{{Send, s.N}}
		} else if s.Op == TryRecv {
			arms = []Arm{{Receive, s.N}}
		}
		e.line("select {")
		if s.Op == Select && len(arms) == 1 { // it is the operation itself
			s.line = e.next()
		}
		for _, a := range arms {
			e.line("case %s:", map[Op]string{
				Send: fmt.Sprintf("s.c%d <- 1", a.N), Receive: fmt.Sprintf("<-s.c%d", a.N), Done: fmt.Sprintf("<-s.ctx%d.Done()", a.N),
			}[a.Op])
		}
		if s.Op != Select {
			e.line("default:")
		}
		e.line("}")
	case Close:
		e.line("close(s.c%d)", s.N)
	case Range:
		e.line("for range s.c%d {", s.N)
		e.line("}")
	case Wait:
		e.line("for !s.ready%d {", s.N)
		s.line = e.line("\ts.d%d.Wait()", s.N)
		e.line("}")
	case Signal:
		e.line("s.ready%d = true", s.N)
		s.line = e.line("s.d%d.Broadcast()", s.N)
	case Cancel:
		e.line("s.cancel%d()", s.N)
	case Done:
		e.line("<-s.ctx%d.Done()", s.N)
	case Call, CallLate, Go, IfCall:
		e.call(s, read)
	case If:
		e.line("if v%d {", s.N)
		e.body(s.Body, read)
		if len(s.Else) > 0 {
			e.line("} else {")
			e.body(s.Else, read)
		}
		e.line("}")
	case Set:
		if read[s.N] {
			e.line("v%d = %v", s.N, s.Value)
		}
	case Loop:
		e.line("for range %d {", s.N)
		e.body(s.Body, read)
		e.line("}")
	case Return:
		if e.fn.Tells {
			e.line("return %v", s.Value)
		} else {
			e.line("return")
		}
	case Fork:
		e.fork(s, read)
	case Literal:
		leave := e.enter("literal")
		e.line("func() {")
		e.body(s.Body, read)
		leave()
		s.line = e.line("}()")
	}
}

func (e *emitter) call(s *Stmt, read map[int]bool) {
	call := fmt.Sprintf("s.f%d(%s)", s.N, args(s))
	switch {
	case s.Op == CallLate:
		e.line("defer %s", call)
	case s.Op == Go && s.Style == InLiteral:
		e.line("go func() { %s }()", call)
	case s.Op == Go:
		e.line("go %s", call)
	case s.Op == IfCall:
		e.line("if %s {", call)
		e.body(s.Body, read)
		e.line("}")
	case s.Style == MethodValue:
		name := fmt.Sprintf("call%d", e.next())
		e.line("%s := s.f%d", name, s.N)
		s.line = e.line("%s(%s)", name, args(s))
	case s.Style == Interface:
		name := fmt.Sprintf("runner%d", e.next())
		e.line("var %s runner%d = s", name, s.N)
		s.line = e.line("%s.f%d(%s)", name, s.N, args(s))
	default:
		e.line("%s", call)
	}
}

func (e *emitter) fork(s *Stmt, read map[int]bool) {
	name := fmt.Sprintf("wg%d", e.next())
	e.line("var %s sync.WaitGroup", name)
	for _, body := range s.Bodies {
		if s.Style != Wrapped {
			e.line("%s.Add(1)", name)
		}
		leave := e.enter("literal")
		if s.Style == Wrapped {
			e.line("%s.Go(func() {", name)
		} else {
			e.line("go func() {")
			e.line("\tdefer %s.Done()", name)
		}
		e.body(body, read)
		if s.Style == Wrapped {
			e.line("})")
		} else {
			e.line("}()")
		}
		leave()
	}
	s.line = e.line("%s.Wait()", name)
}
