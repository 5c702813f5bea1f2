package oracle

import "slices"

// A Program is a package of a few functions over one object that has locks, channels, condition variables and contexts.
// Functions call those with higher numbers only, so that there is no recursion. Run starts the goroutines and waits for
// them.
type Program struct {
	Locks      []Lock
	Chans      []int     // the size of each buffer
	Conds      []int     `json:",omitempty"` // the lock of each condition variable
	Contexts   []Context `json:",omitempty"`
	Paced      bool      `json:",omitempty"` // condition variables lie in objects whose constructor is given the lock
	Groups     int       `json:",omitempty"` // the number of wait groups
	Item       *Item     `json:",omitempty"`
	Funcs      []*Func
	Goroutines [][]*Stmt
}

// A Lock is a mutex of the program's object, or beside it.
type Lock struct {
	RW    bool  `json:",omitempty"`
	Place Place `json:",omitempty"`
}

// Place is where a lock lies.
type Place int

// A lock is a field, an embedded field, a package variable, a field of a struct that lies in the object, or of one that the
// object points to.
const (
	Field Place = iota
	Embedded
	Global
	Nested
	Pointed
)

// Context is a kind of context.
type Context int

// A context never ends, can be cancelled, or ends by itself some time.
const (
	Background Context = iota
	Cancelled
	Timeout
)

// An Item is the program's second type: an object with a lock, a channel, and a condition variable of that lock. Each Make
// makes a new one, which only those have to whom it is given.
type Item struct {
	Embedded bool `json:",omitempty"` // of the lock
	Buffer   int  `json:",omitempty"` // of the channel
}

// Own is the N of statements about the lock, channel or condition variable of the function's item.
const Own = -2

// A Func is a method of the object. Its parameters are bools. Its variables are the parameters, and after them its own
// flags, false at entry.
type Func struct {
	Params   int       `json:",omitempty"`
	Given    Given     `json:",omitempty"`
	Tells    bool      `json:",omitempty"` // it has a bool result: that of its Return statements, false at its end
	Makes    bool      `json:",omitempty"` // it makes an item: its results are that and nil, or an error where a Return says false
	Literals [][]*Stmt `json:",omitempty"` // function literals that it has in variables
	Body     []*Stmt   `json:",omitempty"`
}

// Given is what a function is given of an item.
type Given int

// A function is given no item, the item, or its channel only.
const (
	NoItem Given = iota
	WholeItem
	ItsChannel
)

// Op is what a statement does.
type Op string

// The statements. N is the lock, channel, condition variable, context, variable or function.
const (
	Acquire  Op = "lock"
	Release  Op = "unlock"
	Late     Op = "defer"     // releases N at the end of the function
	Try      Op = "try"       // Body and a release, if the lock is free
	Send     Op = "send"      // to channel N
	Receive  Op = "receive"   // from channel N
	TrySend  Op = "trysend"   // with a default case
	TryRecv  Op = "tryrecv"   // with a default case
	Select   Op = "select"    // Arms
	Close    Op = "close"     // channel N
	Range    Op = "range"     // over channel N, until it is closed
	Wait     Op = "wait"      // for condition N, in a loop on its flag
	Signal   Op = "signal"    // sets the flag of condition N and wakes all that wait
	Cancel   Op = "cancel"    // context N
	Done     Op = "done"      // waits for the end of context N
	Call     Op = "call"      // of function N with Args
	CallLate Op = "defercall" // of function N with Args, at the end of the function
	Go       Op = "go"        // the same on a new goroutine
	IfCall   Op = "ifcall"    // Body where function N, which tells, gave true
	If       Op = "if"        // Body where variable N is true, else Else
	Set      Op = "set"       // variable N to Value
	Loop     Op = "loop"      // Body N times
	Return   Op = "return"    // with Value, in a function that tells
	Fork     Op = "fork"      // Bodies on goroutines of their own, and waits for them
	Literal  Op = "literal"   // Body in a function literal that is called in place

	Make       Op = "make"       // an item, by New or by function N, and Body with it, where N does not fail
	Invoke     Op = "invoke"     // of the function's literal N
	InvokeLate Op = "invokelate" // of the same, at the end of the function
	Start      Op = "start"      // function N with Args on a new goroutine, in wait group Group
	Await      Op = "await"      // for all goroutines of wait group N
	Subscribe  Op = "subscribe"  // puts the channel of the item on the list of subscribers
	Publish    Op = "publish"    // a send to each subscriber
)

// A Stmt is a statement.
type Stmt struct {
	Op     Op
	N      int       `json:",omitempty"`
	Read   bool      `json:",omitempty"` // of a lock: for reading
	Style  Style     `json:",omitempty"` // how it is written
	Value  bool      `json:",omitempty"`
	Group  int       `json:",omitempty"`
	Args   []Arg     `json:",omitempty"`
	Arms   []Arm     `json:",omitempty"`
	Body   []*Stmt   `json:",omitempty"`
	Else   []*Stmt   `json:",omitempty"`
	Bodies [][]*Stmt `json:",omitempty"`

	line  int // where the operation is in the text that was emitted last
	owner int // and in which function
}

// Style is how a statement is written; it means the same in any.
type Style int

// Lock operations can go through a method of the object, and deferred ones through a function literal; calls through a
// method value or an interface, and through a function literal on a new goroutine. A Fork can use WaitGroup.Go. Waits for
// conditions and groups, signals and starts can go through a method, too. Who takes a lock can be given the function that
// releases it, or an object with such a method.
const (
	Plain Style = iota
	Wrapped
	InLiteral
	MethodValue
	Interface
	Returned
	Guarded
)

// An Arg is a bool: a constant, or variable Var of the caller where that is not negative.
type Arg struct {
	Var   int
	Value bool `json:",omitempty"`
}

// An Arm is a case of a select: a send to or a receive from channel N, or the end of context N.
type Arm struct {
	Op Op // Send, Receive or Done
	N  int
}

// children are the statement lists inside of s.
func (s *Stmt) children() []*[]*Stmt {
	out := []*[]*Stmt{&s.Body, &s.Else}
	for i := range s.Bodies {
		out = append(out, &s.Bodies[i])
	}
	return out
}

// lists are the outermost statement lists of p: of its functions, then of its goroutines.
func (p *Program) lists() []*[]*Stmt {
	var out []*[]*Stmt
	for _, f := range p.Funcs {
		out = append(out, &f.Body)
		for i := range f.Literals {
			out = append(out, &f.Literals[i])
		}
	}
	for i := range p.Goroutines {
		out = append(out, &p.Goroutines[i])
	}
	return out
}

// walk calls do for each statement of the list, outer ones first.
func walk(list []*Stmt, do func(*Stmt)) {
	for _, s := range list {
		do(s)
		for _, c := range s.children() {
			walk(*c, do)
		}
	}
}

// each calls do for each statement of p.
func (p *Program) each(do func(*Stmt)) {
	for _, l := range p.lists() {
		walk(*l, do)
	}
}

// oneType reports whether two of the locks are of one type, as the order of locks knows them: fields of the same struct
// type behind a pointer.
func (p *Program) oneType(locks []int) bool {
	for i, a := range locks {
		for _, b := range locks[i+1:] {
			if a == Own || b == Own {
				if a == b {
					return true
				}
				continue
			}
			x, y := p.Locks[a], p.Locks[b]
			inner := func(l Lock) bool { return l.Place == Nested || l.Place == Pointed }
			if inner(x) && inner(y) && x.RW == y.RW && (x.Place == Pointed || y.Place == Pointed) {
				return true
			}
		}
	}
	return false
}

// uncalled are the functions that no goroutine reaches.
func (p *Program) uncalled() []int {
	used := make([]bool, len(p.Funcs))
	var mark func(list []*Stmt)
	mark = func(list []*Stmt) {
		walk(list, func(s *Stmt) {
			if s.calls() && !used[s.N] {
				used[s.N] = true
				mark(p.Funcs[s.N].Body)
			}
		})
	}
	for _, body := range p.Goroutines {
		mark(body)
	}
	var out []int
	for f := range used {
		if !used[f] {
			out = append(out, f)
		}
	}
	return out
}

// makes reports whether some function makes items.
func (p *Program) makes() bool {
	return slices.ContainsFunc(p.Funcs, func(f *Func) bool { return f.Makes })
}

// subscribes reports whether the program has a list of subscribers.
func (p *Program) subscribes() bool {
	found := false
	p.each(func(s *Stmt) { found = found || s.Op == Subscribe || s.Op == Publish })
	return found
}

// uses reports whether some statement of the list is about the item of its function.
func (p *Program) uses(list []*Stmt) bool {
	found := false
	walk(list, func(s *Stmt) {
		switch {
		case s.Op == Make:
		case s.N == Own, s.Op == Subscribe, slices.ContainsFunc(s.Arms, func(a Arm) bool { return a.N == Own }):
			found = true
		case s.calls():
			found = found || p.Funcs[s.N].Given != NoItem
		}
	})
	return found
}

// scoped reports whether each statement about an item is where there is one, and whether what else its statements name exists.
func (p *Program) scoped() bool {
	var list func(l []*Stmt, given Given, f *Func) bool
	list = func(l []*Stmt, given Given, f *Func) bool {
		return !slices.ContainsFunc(l, func(s *Stmt) bool {
			inside := given
			switch s.Op {
			case Make:
				if given != NoItem || p.Item == nil || s.N != Own && !p.Funcs[s.N].Makes {
					return true
				}
				inside = WholeItem
			case Call, CallLate, Go, IfCall, Start:
				if g := p.Funcs[s.N].Given; p.Funcs[s.N].Makes || g == WholeItem && given != WholeItem || g == ItsChannel && given == NoItem {
					return true
				}
			case Invoke, InvokeLate:
				if s.N >= len(f.Literals) {
					return true
				}
			case Subscribe:
				if given == NoItem {
					return true
				}
			}
			ofChannel := s.Op == Send || s.Op == Receive || s.Op == TrySend || s.Op == TryRecv || s.Op == Close || s.Op == Range
			if s.N == Own && s.Op != Make && given != WholeItem && !(ofChannel && given == ItsChannel) {
				return true
			}
			if given == NoItem && slices.ContainsFunc(s.Arms, func(a Arm) bool { return a.N == Own }) {
				return true
			}
			return slices.ContainsFunc(s.children(), func(c *[]*Stmt) bool { return !list(*c, inside, f) })
		})
	}
	for _, f := range p.Funcs {
		given := f.Given
		if f.Makes {
			given = WholeItem
		}
		if given != NoItem && p.Item == nil || f.Makes && (f.Given != NoItem || f.Tells) || !list(f.Body, given, f) {
			return false
		}
		if slices.ContainsFunc(f.Literals, func(l []*Stmt) bool { return !list(l, given, &Func{}) }) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Goroutines, func(l []*Stmt) bool { return !list(l, NoItem, &Func{}) })
}
