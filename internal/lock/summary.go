package lock

import (
	"go/token"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
)

// Limits of what one summary holds. Each caller has all events of its callees, and a fact carries them. Beyond the
// limits events are forgotten, never invented. TestLimits reaches these and those below.
const (
	maxEvents = 48 // of each kind
	maxHops   = 10 // of one call chain

	tooManyEvents = "functions have more events than a summary has room for"

	// Bounds of a state: every program point has its own copy, so a function without bounds would cost the square of
	// its size. What is forgotten silences findings: beyond maxHeld those of the whole function, as an Unlock without
	// its Lock would seem to release a caller's lock; beyond maxTests those that depend on a later test.
	maxHeld  = 128
	maxTests = 64
)

// maxStates bounds the states of one block, since each test can double them. A block with more continues with their
// meet (TestManyStates). It is a variable for tests.
var maxStates = 8

// What follows is exported, with the fields that a fact carries, since encoding/gob writes no others.

// A Ref is a lock or a bound in terms of the summarised function, for callers to substitute: a parameter (receiver
// first) or a package variable, then Sel. In the summary of a function literal, local is a value of the enclosing
// function and stands for itself.
type Ref struct {
	Param  int    // index, -1 for none
	Global string // "pkg/path.name"
	Sel    string
	Class  Class
	local  ssa.Value // not part of the fact
}

// A Hop is one call on the way from a function to an event.
type Hop struct {
	Func string    // the name of the callee, for messages
	Pos  token.Pos // of the call, where it is in the file set
	At   link.At   // of the call
}

// Event is what the functions' events have in common: where it is, the calls that lead there, and what the function
// had dropped of its caller's locks before.
type Event struct {
	Pos     token.Pos // valid where it is in the file set
	At      link.At
	Chain   []Hop // the calls within the package of the fact
	Dropped []Ref
	Passed  []HeldRef // locks that the function takes on every way there, and may have given back
	Guards  []Guard   // where it happens for some callers only
	Owners  []OwnerGuard
	Maybe   bool // an execution of the function may avoid it
	ByMode  bool // a field that is compared with a constant decides whether it does

	via *via // the calls in this package, shared by all events on one chain
}

// via is a list of calls, the outermost first.
type via struct {
	hop   Hop
	next  *via
	depth int
}

// Hops are the calls that lead to the event, the outermost first.
func (ev *Event) Hops() []Hop {
	if ev.via == nil {
		return ev.Chain
	}
	out := make([]Hop, 0, ev.depth())
	for v := ev.via; v != nil; v = v.next {
		out = append(out, v.hop)
	}
	return append(out, ev.Chain...)
}

// depth is the number of hops.
func (ev *Event) depth() int {
	n := len(ev.Chain)
	if ev.via != nil {
		n += ev.via.depth
	}
	return n
}

// behind is ev seen from the call hop.
func (ev *Event) behind(hop Hop) Event {
	depth := 1
	if ev.via != nil {
		depth += ev.via.depth
	}
	out := *ev
	out.Dropped, out.Passed, out.via = nil, nil, &via{hop, ev.via, depth}
	return out
}

// AcquireEvent is a lock that a function may acquire.
type AcquireEvent struct {
	Event
	Lock Ref
	Mode Mode
}

// BlockEvent is a way in which a function may block.
type BlockEvent struct {
	Event
	Kind  blocking.Kind
	What  string
	Limit blocking.Limit
	Bound Ref     // the parameter that bounds it, for Limit Parameter
	Why   string  // for Limit Never
	Peers *Peers  // for waits on other goroutines
	Stop  *Peers  // for waits with a stop channel: its closes
	Own   Ref     // for Cond: the condition variable's own lock, released while it waits
	Owns  []Class // for Cond, where Own is not known: the classes of the locks that it may release
	Under bool    // a lock is held there in the function itself already: it is reported there

	Option string // a flag, as all packages call it, that is set where it happens; see engine.option
}

// SlowEvent is something slow that a function may do, but that ends.
type SlowEvent struct {
	Event
	blocking.Slow
	Over *Ref // it is slow where this parameter is a stream that ends at another machine; nil where it is slow for all
}

// ParamCall says that a function calls its parameter, on its own goroutine.
type ParamCall struct {
	Param int
	Event
	Held []HeldRef // acquired by the function itself at that point

	local *ssa.Parameter // of a function around a literal, which calls it; Param is -1 then. Not part of the fact.
}

// Summary is what a function does to locks and how it may block, seen from its callers. Its zero value is a function
// that does neither.
type Summary struct {
	Acquired []HeldRef // held at every return and not at entry
	Released []HeldRef // released at every return, held at entry
	May      []Ref     // released at some returns
	Acquires []AcquireEvent
	Blocks   []BlockEvent
	Calls    []ParamCall
	Slow     []SlowEvent // the first of each kind and parameter
	Opens    []OpenEvent // one for each that is called
	NoReturn bool        // it ends the process, panics or runs forever
}

// HeldRef is a lock in a mode.
type HeldRef struct {
	Ref
	Mode Mode

	// for Acquired: the function returns something by which it is released, which other packages cannot follow
	handle bool
}

func (s *Summary) empty() bool {
	return s == nil || !s.NoReturn && len(s.Acquired)+len(s.Released)+len(s.May) == 0 &&
		len(s.Acquires)+len(s.Blocks)+len(s.Calls)+len(s.Slow)+len(s.Opens) == 0
}

// namedIndex matches an index that is not a constant.
var namedIndex = regexp.MustCompile(`\[[^\]0-9"]`)

// refOf is p in terms of fn; false if a caller cannot substitute its root.
func refOf(fn *ssa.Function, p flow.Path, class Class) (Ref, bool) {
	r := Ref{Param: -1, Sel: p.Sel, Class: class}
	if namedIndex.MatchString(p.Sel) { // an element at a variable index: two calls may mean two
		return Ref{}, false
	}
	switch x := p.Root.(type) {
	case *ssa.Parameter:
		if x.Parent() != fn {
			r.local = x
			return r, true
		}
		for i, q := range fn.Params {
			if q == x {
				r.Param = i
				return r, true
			}
		}
	case *ssa.Global:
		if x.Pkg != nil {
			r.Global = x.Pkg.Pkg.Path() + "." + x.Name()
			return r, true
		}
	case ssa.Instruction:
		if x.Parent() != fn && fn.Parent() != nil { // a captured variable of an enclosing function
			r.local = p.Root
			return r, true
		}
	}
	return Ref{}, false
}

// pathIn is r in terms of a caller that passes args.
func (r Ref) pathIn(prog *ssa.Program, args []ssa.Value) (flow.Path, bool) {
	switch {
	case r.local != nil:
		return flow.Path{Root: r.local, Sel: r.Sel}, true
	case r.Param >= 0:
		if r.Param < len(args) {
			if p := flow.PathOf(args[r.Param]); p.Known() {
				return flow.Path{Root: p.Root, Sel: p.Sel + r.Sel}, true
			}
		}
	case r.Global != "":
		i := strings.LastIndex(r.Global, ".")
		for _, pkg := range prog.AllPackages() {
			if pkg.Pkg.Path() == r.Global[:i] {
				if g := pkg.Var(r.Global[i+1:]); g != nil {
					return flow.Path{Root: g, Sel: r.Sel}, true
				}
			}
		}
	}
	return flow.Path{}, false
}
