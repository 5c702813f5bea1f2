package oracle

// A Program is a package of a few functions over one object that has locks, channels, condition variables and contexts.
// Functions call those with higher numbers only, so that there is no recursion. Run starts the goroutines and waits for
// them.
type Program struct {
	Locks      []Lock
	Chans      []int     // the size of each buffer
	Conds      []int     `json:",omitempty"` // the lock of each condition variable
	Contexts   []Context `json:",omitempty"`
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

// A Func is a method of the object. Its parameters are bools. Its variables are the parameters, and after them its own
// flags, false at entry.
type Func struct {
	Params int     `json:",omitempty"`
	Tells  bool    `json:",omitempty"` // it has a bool result: that of its Return statements, false at its end
	Body   []*Stmt `json:",omitempty"`
}

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
)

// A Stmt is a statement.
type Stmt struct {
	Op     Op
	N      int       `json:",omitempty"`
	Read   bool      `json:",omitempty"` // of a lock: for reading
	Style  Style     `json:",omitempty"` // how it is written
	Value  bool      `json:",omitempty"`
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
// method value or an interface, and through a function literal on a new goroutine. A Fork can use WaitGroup.Go.
const (
	Plain Style = iota
	Wrapped
	InLiteral
	MethodValue
	Interface
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
			x, y := p.Locks[a], p.Locks[b]
			inner := func(l Lock) bool { return l.Place == Nested || l.Place == Pointed }
			if inner(x) && inner(y) && x.RW == y.RW && (x.Place == Pointed || y.Place == Pointed) {
				return true
			}
		}
	}
	return false
}
