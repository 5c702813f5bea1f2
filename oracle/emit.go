package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// A Text is a program as Go.
type Text struct {
	Source string

	owner    []int           // by line: the innermost function, literals included; -1 outside of all
	names    []string        // of the functions, by owner
	funcs    []int           // the owners that the program's functions are
	items    []int           // by function: the line where it makes its item
	literals map[literal]int // the owners that literals in variables are
	wrappers map[wrapper]int // the line of the operation in a method that wraps it
}

// Form is how a program is written.
type Form struct {
	Package string // its name
	Pauses  bool   // for runs: other goroutines get their turn between statements, and package variables are fields
}

// Emit writes p as a package that imports the standard library only, with an exported function Run.
func Emit(p *Program, form Form) *Text {
	e := &emitter{p: p, form: form, t: &Text{literals: map[literal]int{}, wrappers: map[wrapper]int{}}, current: -1, held: map[wrapper][]string{}}
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
	held    map[wrapper][]string // by release: the variables with the functions or objects that do it, the next one last
	fn      *Func
}

// A wrapper is a method that does one operation on a lock, condition variable or wait group.
type wrapper struct {
	op    Op // Acquire or Release of a lock
	n     int
	read  bool
	style Style
}

// wrapper is the one that does what s does, if it is not written in place.
func (s *Stmt) wrapper() wrapper {
	w := wrapper{s.Op, s.N, s.Read, s.Style}
	if s.Op == Late {
		w.op = Release
	}
	return w
}

// called reports whether the operation is in a function of its own, which is called.
func (w wrapper) called() bool {
	switch w.style {
	case Wrapped, Guarded:
		return true
	case Returned: // the release is a method value, or a function literal
		return w.op == Acquire || w.literal()
	}
	return false
}

func (w wrapper) literal() bool { return w.n%2 == 1 }

// release is the other one of an acquisition.
func (w wrapper) release() wrapper {
	w.op = Release
	return w
}

func (w wrapper) name() string {
	verb := map[Op]string{Acquire: "enter", Release: "exit", Wait: "wait", Signal: "signal", Await: "await", Start: "spawn"}[w.op]
	switch {
	case w.style == Returned:
		verb = "hold"
	case w.style == Guarded:
		verb = "guarded"
	case w.n%2 == 1 && (w.op == Acquire || w.op == Release): // the rules believe some names, where they see no caller
		verb = map[Op]string{Acquire: "take", Release: "give"}[w.op]
	}
	if w.read {
		verb += "Read"
	}
	return verb + number(w.n)
}

// number is what tells names of several things apart; there is one item.
func number(n int) string {
	if n == Own {
		return ""
	}
	return fmt.Sprint(n)
}

func (w wrapper) method() string {
	switch {
	case w.op == Release && w.read:
		return "RUnlock"
	case w.op == Release:
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
	if m == Own {
		if e.p.Item.Embedded {
			return "t"
		}
		return "t.mu"
	}
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

// channel is the expression of channel c.
func (e *emitter) channel(c int) string {
	switch {
	case c == Own && e.fn.Given == ItsChannel:
		return "c"
	case c == Own:
		return "t.c"
	}
	return fmt.Sprintf("s.c%d", c)
}

// condition is the expressions of condition variable d and of its flag.
func (e *emitter) condition(d int) (cond, ready string) {
	switch {
	case d == Own:
		return "t.d", "t.ready"
	case e.p.Paced:
		return fmt.Sprintf("s.d%d.cond", d), fmt.Sprintf("s.d%d.ready", d)
	}
	return fmt.Sprintf("s.d%d", d), fmt.Sprintf("s.ready%d", d)
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
	if p.makes() {
		e.line("\t%q", "errors")
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
		if p.Paced {
			e.line("\td%d *pacer", d)
		} else {
			e.line("\td%d *sync.Cond", d)
			e.line("\tready%d bool", d)
		}
	}
	for g := range p.Groups {
		e.line("\twg%d sync.WaitGroup", g)
	}
	if p.subscribes() {
		e.line("\tsubs []chan int")
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
	e.items()
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
		constructor := "sync.NewCond"
		if p.Paced {
			constructor = "newPacer"
		}
		e.line("\ts.d%d = %s(%s)", d, constructor, e.address(m))
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

// items writes the types of items and of condition variables in objects of their own, and their constructors.
func (e *emitter) items() {
	p := e.p
	if p.Paced && len(p.Conds) > 0 {
		e.line("type pacer struct {")
		e.line("\tcond sync.Cond")
		e.line("\tready bool")
		e.line("}")
		e.line("")
		e.line("func newPacer(mu sync.Locker) *pacer {")
		e.line("\tp := &pacer{}")
		e.line("\tp.cond.L = mu")
		e.line("\treturn p")
		e.line("}")
		e.line("")
	}
	if p.makes() {
		e.line("var errFailed = errors.New(%q)", "failed")
		e.line("")
	}
	if p.Item == nil {
		return
	}
	e.line("type T struct {")
	lock := "t.mu"
	if p.Item.Embedded {
		lock = "t.Mutex"
		e.line("\tsync.Mutex")
	} else {
		e.line("\tmu sync.Mutex")
	}
	e.line("\tc chan int")
	e.line("\td *sync.Cond")
	e.line("\tready bool")
	e.line("}")
	e.line("")
	buffer := ""
	if p.Item.Buffer > 0 {
		buffer = fmt.Sprintf(", %d", p.Item.Buffer)
	}
	e.line("func newT() *T {")
	e.line("\tt := &T{c: make(chan int%s)}", buffer)
	e.line("\tt.d = sync.NewCond(&%s)", lock)
	e.line("\treturn t")
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
	sig := strings.Join(params, ", ")
	if f.Params > 0 {
		sig += " bool"
	}
	if f.Given != NoItem {
		if f.Params > 0 {
			sig += ", "
		}
		sig += map[Given]string{WholeItem: "t *T", ItsChannel: "c chan int"}[f.Given]
	}
	sig = "(" + sig + ")"
	if f.Tells {
		sig += " bool"
	}
	if f.Makes {
		sig += " (*T, error)"
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
	invoked := f.invoked()
	text := slices.Clone(f.Body)
	for n, list := range f.Literals {
		if invoked[n] {
			text = append(text, list...)
		}
	}
	walk(text, func(s *Stmt) {
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
	made := 0
	if f.Makes {
		made = e.line("t := newT()")
	}
	e.t.items = append(e.t.items, made)
	e.literals(f, invoked)
	e.list(f.Body, read)
	if f.Makes && (len(f.Body) == 0 || f.Body[len(f.Body)-1].Op != Return) {
		e.line("return t, nil")
	}
	if f.Tells && (len(f.Body) == 0 || f.Body[len(f.Body)-1].Op != Return) {
		e.line("return false")
	}
	e.indent--
	e.line("}")
	leave()
	e.line("")
}

// invoked are the literals of f that run.
func (f *Func) invoked() map[int]bool {
	out := map[int]bool{}
	walk(f.Body, func(s *Stmt) {
		if s.Op == Invoke || s.Op == InvokeLate {
			out[s.N] = true
		}
	})
	return out
}

// literals writes those that f has in variables, and runs.
func (e *emitter) literals(f *Func, invoked map[int]bool) {
	for n, list := range f.Literals {
		if !invoked[n] {
			continue
		}
		leave := e.enter("literal")
		e.t.literals[literal{f, n}] = e.current
		e.line("l%d := func() {", n)
		e.body(list, nil)
		e.line("}")
		leave()
	}
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
	receiver, name := "s *S", w.name()
	if w.n == Own {
		receiver = "t *T"
	}
	guard := "guard" + strings.TrimPrefix(name, "guarded")
	switch {
	case w.op == Wait:
		cond, ready := e.condition(w.n)
		e.line("func (%s) %s() {", receiver, name)
		e.line("\tfor !%s {", ready)
		e.t.wrappers[w] = e.line("\t\t%s.Wait()", cond)
		e.line("\t}")
	case w.op == Signal:
		cond, ready := e.condition(w.n)
		e.line("func (%s) %s() {", receiver, name)
		e.line("\t%s = true", ready)
		e.t.wrappers[w] = e.line("\t%s.Broadcast()", cond)
	case w.op == Await:
		e.line("func (%s) %s() {", receiver, name)
		e.t.wrappers[w] = e.line("\ts.wg%d.Wait()", w.n)
	case w.op == Start:
		e.line("func (%s) %s(f func()) {", receiver, name)
		e.line("\ts.wg%d.Add(1)", w.n)
		e.line("\tgo func() {")
		e.line("\t\tdefer s.wg%d.Done()", w.n)
		e.line("\t\tf()")
		e.line("\t}()")
	case w.style == Returned:
		e.line("func (%s) %s() func() {", receiver, name)
		e.t.wrappers[w] = e.line("\t%s.%s()", e.lock(w.n), w.method())
		release := e.lock(w.n) + "." + w.release().method()
		if w.literal() {
			back := e.enter("literal")
			e.t.wrappers[w.release()] = e.line("\treturn func() { %s() }", release)
			back()
		} else {
			e.line("\treturn %s", release)
		}
	case w.style == Guarded:
		e.line("func (%s) %s() %s {", receiver, name, guard)
		e.t.wrappers[w] = e.line("\t%s.%s()", e.lock(w.n), w.method())
		e.line("\treturn %s{%s}", guard, receiver[:1])
	default:
		e.line("func (%s) %s() {", receiver, name)
		e.t.wrappers[w] = e.line("\t%s.%s()", e.lock(w.n), w.method())
	}
	e.line("}")
	leave()
	e.line("")
	if w.style == Guarded {
		e.guard(guard, receiver, w.release())
	}
}

// guard writes the type of the object that has a lock, and its method that does the release w.
func (e *emitter) guard(name, of string, w wrapper) {
	e.line("type %s struct{ %s }", name, of)
	e.line("")
	lock := e.lock(w.n)
	if w.n == Own || e.place(w.n) != Global {
		lock = "g." + lock
	}
	leave := e.enter("end")
	e.line("func (g %s) end() {", name)
	e.t.wrappers[w] = e.line("\t%s.%s()", lock, w.method())
	e.line("}")
	leave()
	e.line("")
}

// args are those of the call s.
func (e *emitter) args(s *Stmt) string {
	var out []string
	for _, a := range s.Args {
		if a.Var >= 0 {
			out = append(out, fmt.Sprintf("v%d", a.Var))
		} else {
			out = append(out, fmt.Sprint(a.Value))
		}
	}
	switch e.p.Funcs[s.N].Given {
	case WholeItem:
		out = append(out, "t")
	case ItsChannel:
		out = append(out, e.channel(Own))
	}
	return strings.Join(out, ", ")
}

func (e *emitter) list(list []*Stmt, read map[int]bool) {
	made := false
	for _, s := range list {
		if e.form.Pauses && s.Op != Return && s.Op != Set {
			e.line("pause()")
		}
		again := made && s.Op == Make && s.N == Own // t has a scope of its own
		if again {
			e.line("{")
			e.indent++
		}
		made = made || s.Op == Make
		e.stmt(s, read)
		if again {
			e.indent--
			e.line("}")
		}
	}
}

func (e *emitter) body(list []*Stmt, read map[int]bool) {
	e.indent++
	e.list(list, read)
	e.indent--
}

// operation is the call that s is, of a lock's method or of a function that wraps it.
func (e *emitter) operation(s *Stmt) string {
	w := s.wrapper()
	switch {
	case w.op == Release && w.style == Returned:
		return e.release(w) + "()"
	case w.op == Release && w.style == Guarded:
		return e.release(w) + ".end()"
	case w.called():
		return fmt.Sprintf("%s.%s()", e.want(w), w.name())
	}
	return fmt.Sprintf("%s.%s()", e.lock(s.N), w.method())
}

// release is the variable with what does the release w.
func (e *emitter) release(w wrapper) string {
	names := e.held[w]
	if len(names) == 0 { // it does not compile
		return "free"
	}
	e.held[w] = names[:len(names)-1]
	return names[len(names)-1]
}

// want notes that the function w is needed, and gives its receiver.
func (e *emitter) want(w wrapper) string {
	if !slices.Contains(e.wanted, w) {
		e.wanted = append(e.wanted, w)
	}
	if w.n == Own {
		return "t"
	}
	return "s"
}

func (e *emitter) stmt(s *Stmt, read map[int]bool) {
	s.line, s.owner = e.next(), e.current
	switch s.Op {
	case Acquire, Release:
		if w := s.wrapper(); w.op == Acquire && (w.style == Returned || w.style == Guarded) {
			name := fmt.Sprintf("%s%d", map[Style]string{Returned: "free", Guarded: "guard"}[w.style], e.next())
			e.line("%s := %s", name, e.operation(s))
			e.held[w.release()] = append(e.held[w.release()], name)
			return
		}
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
		e.line("\t%s.%s()", e.lock(s.N), wrapper{op: Release, read: s.Read}.method())
		e.line("}")
	case Send:
		e.line("%s <- 1", e.channel(s.N))
	case Receive:
		e.line("<-%s", e.channel(s.N))
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
				Send: e.channel(a.N) + " <- 1", Receive: "<-" + e.channel(a.N), Done: fmt.Sprintf("<-s.ctx%d.Done()", a.N),
			}[a.Op])
		}
		if s.Op != Select {
			e.line("default:")
		}
		e.line("}")
	case Close:
		e.line("close(%s)", e.channel(s.N))
	case Range:
		e.line("for range %s {", e.channel(s.N))
		e.line("}")
	case Wait, Signal:
		cond, ready := e.condition(s.N)
		switch {
		case s.Style == Wrapped:
			e.line("%s.%s()", e.want(s.wrapper()), s.wrapper().name())
		case s.Op == Wait:
			e.line("for !%s {", ready)
			s.line = e.line("\t%s.Wait()", cond)
			e.line("}")
		default:
			e.line("%s = true", ready)
			s.line = e.line("%s.Broadcast()", cond)
		}
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
		switch {
		case e.fn.Makes && s.Value:
			e.line("return t, nil")
			return
		case e.fn.Makes:
			e.line("return nil, errFailed")
			return
		}
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
	case Make:
		e.item(s, read)
	case Invoke:
		e.line("l%d()", s.N)
	case InvokeLate:
		e.line("defer l%d()", s.N)
	case Start:
		e.start(s)
	case Await:
		if s.Style == Wrapped {
			e.line("%s.%s()", e.want(s.wrapper()), s.wrapper().name())
		} else {
			e.line("s.wg%d.Wait()", s.N)
		}
	case Subscribe:
		e.line("s.subs = append(s.subs, %s)", e.channel(Own))
	case Publish:
		e.line("for _, c := range s.subs {")
		s.line = e.line("\tc <- 1")
		e.line("}")
	}
}

// item writes the Make s, and what is done with the item.
func (e *emitter) item(s *Stmt, read map[int]bool) {
	used := e.p.uses(s.Body)
	switch {
	case s.N != Own:
		name := "_"
		if used {
			name = "t"
		}
		e.line("if %s, err := s.f%d(%s); err == nil {", name, s.N, e.args(s))
		e.body(s.Body, read)
		e.line("}")
		return
	case used:
		e.line("t := newT()")
	default:
		e.line("newT()")
	}
	e.list(s.Body, read)
}

// start writes a goroutine of a wait group.
func (e *emitter) start(s *Stmt) {
	call := fmt.Sprintf("s.f%d(%s)", s.N, e.args(s))
	switch s.Style {
	case Wrapped:
		w := wrapper{op: Start, n: s.Group, style: Wrapped}
		s.line = e.line("%s.%s(func() { %s })", e.want(w), w.name(), call)
	case MethodValue:
		s.line = e.line("s.wg%d.Go(func() { %s })", s.Group, call)
	default:
		e.line("s.wg%d.Add(1)", s.Group)
		s.line = e.next()
		e.line("go func() {")
		e.line("\tdefer s.wg%d.Done()", s.Group)
		e.line("\t%s", call)
		e.line("}()")
	}
}

func (e *emitter) call(s *Stmt, read map[int]bool) {
	call := fmt.Sprintf("s.f%d(%s)", s.N, e.args(s))
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
		s.line = e.line("%s(%s)", name, e.args(s))
	case s.Style == Interface:
		name := fmt.Sprintf("runner%d", e.next())
		e.line("var %s runner%d = s", name, s.N)
		s.line = e.line("%s.f%d(%s)", name, s.N, e.args(s))
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
