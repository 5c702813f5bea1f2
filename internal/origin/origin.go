// Package origin says, for one package, where a function value, a channel, a wait group or the dynamic type of an
// interface may come from.
//
// It is a flow-insensitive, field-based propagation in the manner of variable type analysis (Sundaresan et al.,
// OOPSLA 2000): one node for each value and variable, one for each struct field whatever the object. Function values
// and dynamic types follow directed edges. Channels and objects of package sync are shared by all code that has them, so
// their nodes are unified (Steensgaard, POPL 1996). Whatever code outside the package may put in is marked unknown, and
// whatever it may have escapes.
package origin

import (
	"go/types"
	"math"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// Escape says how far code that is not known can have a channel.
type Escape uint8

// The ways to escape.
const (
	Returned Escape = 1 << iota // an exported function returns it: its callers have it
	Passed                      // it is passed to, or can be read by, code of another package
	Received                    // as Passed, but only to receive from it
	Sent                        // as Passed, but only to send to it, or to close it
)

// Func is a function that a value may hold.
type Func struct {
	Fn      *ssa.Function    // the function itself: the method for a bound method value
	Closure *ssa.MakeClosure // where it was made, nil for a plain function
	Bound   bool             // Closure binds Fn's receiver
}

// Group is all that is one channel (or wait group, …) as far as the package can tell.
type Group struct{ n *node }

// Known reports whether g is anything.
func (g Group) Known() bool { return g.n != nil }

// Makes returns the make calls of the group's channels.
func (g Group) Makes() []*ssa.MakeChan { return g.n.makes }

// Unknown reports whether the group may hold channels that were made elsewhere.
func (g Group) Unknown() bool { return g.n.unknown || g.n.open && len(g.n.makes) == 0 }

// Escape says how code that is not known may have the group.
func (g Group) Escape() Escape { return g.n.escape }

// A Target is a function that a call may run, with what its parameters are given.
type Target struct {
	Func
	Args []ssa.Value // receiver first; nil for one that is not known
	Sel  string      // the steps from Args[0] to the receiver, for a promoted method
}

// An invoked is a method that is called of an interface.
type invoked struct {
	method *types.Func
	iface  string
}

// Index is the result for one package. It is safe for concurrent use.
type Index struct {
	mu      sync.Mutex // held by queries, which remember what they found
	pkg     *ssapkg.Package
	nodes   map[key]*node
	targets map[ssa.CallInstruction][]Target
	callers map[*ssa.Function][]ssa.CallInstruction
	dynamic []ssa.CallInstruction
	stored  map[ssa.CallInstruction][]Target // see Stored
	impls   map[invoked][]*types.Named

	converted map[*types.Named]map[string]bool // the interfaces that the package makes of a type
	turned    map[string]map[string]bool       // the interfaces that it turns one into, by conversion or assertion
	stores    map[*types.Var][]stored          // to fields of functions, and of lists and maps of them
	partial   map[ssa.CallInstruction]bool     // calls that may run more than their targets
	main      bool

	byMethod  map[string][]int // the defined types of the package, by the names of the methods that they declare
	embedding []int            // those that may have methods of what they embed
	named     []*types.Named   // what these are indices of

	visits int // walks so far
	work   []*node
	ran    map[run]bool // what connect has let values flow to
	cut    func(what string, at any)
}

const (
	// maxVisited is how many nodes one query looks at. There can be as many queries as nodes, each of which would walk all
	// of them (TestLongWay, TestTangle). Beyond it, more may come than was found.
	maxVisited = 2000

	// MaxTargets is how many functions one dynamic call is taken to run. What many may do, hardly one does, and to apply
	// all of them to every call costs their product (TestTargets). Beyond it, nothing is said.
	MaxTargets = 3

	// MaxHandlers is the number of functions that a call out of a table, as of a state machine, is assumed to run at
	// most, for callers that analyse each of them once: that costs their sum, and no product (TestHandlers). Beyond it,
	// the result is empty.
	MaxHandlers = 16
)

// Build makes the index of pkg, and calls cut for each query or call that exceeds a limit.
func Build(pkg *ssapkg.Package, cut func(what string, at any)) *Index {
	ix := &Index{
		ran: map[run]bool{}, cut: cut,
		pkg: pkg, nodes: map[key]*node{}, targets: map[ssa.CallInstruction][]Target{},
		callers: map[*ssa.Function][]ssa.CallInstruction{}, stored: map[ssa.CallInstruction][]Target{}, impls: map[invoked][]*types.Named{},
		stores: map[*types.Var][]stored{}, converted: map[*types.Named]map[string]bool{}, turned: map[string]map[string]bool{}, partial: map[ssa.CallInstruction]bool{},
		main: pkg.Pkg.Name() == "main",
	}
	for _, a := range pkg.Asserted {
		ix.converts(a.Type, a.Interface)
	}
	for _, fn := range pkg.All() {
		ix.params(fn)
		for in := range flow.Instrs(fn) {
			ix.instr(in)
		}
	}
	ix.connect()
	// Where the package's own types implement an interface, they are what it is for: only calls that run none of the
	// package's functions leave it.
	for _, c := range ix.dynamic {
		if ix.partial[c] && (!c.Common().IsInvoke() || !ix.bound(c)) {
			ix.leave(c, c.Common().Args)
		}
	}
	ix.connect() // what comes from elsewhere may run other functions still
	for _, c := range ix.dynamic {
		for _, t := range ix.targets[c] {
			ix.callers[t.Fn] = append(ix.callers[t.Fn], c)
		}
	}
	return ix
}

// A run is a function that a call may run.
type run struct {
	call    ssa.CallInstruction
	fn      *ssa.Function
	sel     string
	closure *ssa.MakeClosure
}

// connect lets the arguments of calls of function values and interface methods reach what they may run, which may
// resolve more such calls, until nothing is new.
func (ix *Index) connect() {
	for changed := true; changed; {
		changed = false
		for _, c := range ix.dynamic {
			ts, partial := ix.resolve(c)
			for _, t := range ts {
				if r := (run{c, t.Fn, t.Sel, t.Closure}); !ix.ran[r] {
					ix.ran[r], changed = true, true
					ix.bind(c, t)
				}
			}
			ix.targets[c], ix.partial[c] = ts, partial
		}
	}
}

// bound reports whether a call may run a function of the package.
func (ix *Index) bound(c ssa.CallInstruction) bool {
	return slices.ContainsFunc(ix.targets[c], func(t Target) bool { return ix.has(t.Fn) })
}

// Callers returns the calls, deferred calls and go statements of the package that may run fn.
func (ix *Index) Callers(fn *ssa.Function) []ssa.CallInstruction { return ix.callers[fn] }

// Targets returns the functions that a call of a function value or an interface method may run: at most three, none
// where there may be more. The second result is false if there may be others, which are not known.
func (ix *Index) Targets(c ssa.CallInstruction) ([]Target, bool) {
	return ix.targets[c], len(ix.targets[c]) > 0 && !ix.partial[c]
}

// open reports whether other packages can have types that implement the interface t.
func (ix *Index) open(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return true
	}
	for m := range iface.Methods() {
		if !m.Exported() {
			return false
		}
	}
	n, ok := types.Unalias(t).(*types.Named)
	return !ix.main && (!ok || n.Obj().Exported() || n.Obj().Pkg() != ix.pkg.Pkg)
}

// Funcs returns the functions that v may hold; the second result is true if it may hold others as well.
func (ix *Index) Funcs(v ssa.Value) ([]Func, bool) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.funcs(v, math.MaxInt)
}

// FewFuncs is like Funcs, for callers that do nothing if there are more than three functions: it stops at the fourth.
func (ix *Index) FewFuncs(v ssa.Value) ([]Func, bool) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.funcs(v, MaxTargets)
}

// Handlers returns the functions that the call c of a function value may run, up to MaxHandlers; nil if there may be
// more. It is for callers that analyse each of them once. There may be other functions that are not known.
func (ix *Index) Handlers(c ssa.CallInstruction) []*ssa.Function {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	fns, _ := ix.funcs(c.Common().Value, MaxHandlers)
	if len(fns) > MaxHandlers {
		ix.cut(tooManyTargets, c)
		return nil
	}
	out := make([]*ssa.Function, 0, len(fns))
	for _, f := range fns {
		out = append(out, f.Fn)
	}
	return out
}

// funcs is Funcs up to one more than most.
func (ix *Index) funcs(v ssa.Value, most int) ([]Func, bool) {
	n := ix.nodes[key(v)]
	if n == nil {
		if fn := flow.FuncValue(v); fn != nil {
			return []Func{{Fn: fn}}, false
		}
		return nil, true
	}
	want, _ := v.Type().Underlying().(*types.Signature)
	var out []Func
	seen := map[*ssa.Function]bool{}
	unknown := ix.visit(n, func(n *node) {
		for _, f := range n.funcs {
			if len(out) > most {
				return
			}
			if !seen[f.Fn] && fits(f, want) {
				seen[f.Fn] = true
				out = append(out, f)
			}
		}
	})
	return out, unknown
}

// fits reports whether v can hold f, by its type: elements and fields of v share its node.
func fits(f Func, want *types.Signature) bool {
	if want == nil || f.Fn.Signature == nil {
		return true
	}
	if f.Closure == nil && f.Fn.Signature.Recv() != nil { // a method expression: the receiver is the first parameter
		return f.Fn.Signature.Params().Len()+1 == want.Params().Len() && f.Fn.Signature.Results().Len() == want.Results().Len()
	}
	return f.Fn.Signature.Params().Len() == want.Params().Len() && f.Fn.Signature.Results().Len() == want.Results().Len()
}

// types returns the dynamic types of the interface v, up to one more than most.
func (ix *Index) types(v ssa.Value, most int) ([]types.Type, bool) {
	n := ix.nodes[key(v)]
	if n == nil {
		return nil, true
	}
	iface, ok := v.Type().Underlying().(*types.Interface)
	if !ok {
		return nil, true
	}
	var out []types.Type
	unknown := ix.visit(n, func(n *node) {
		for _, t := range n.types {
			if len(out) > most {
				return
			}
			same := func(o types.Type) bool { return types.Identical(o, t) }
			if types.Implements(t, iface) && !slices.ContainsFunc(out, same) {
				out = append(out, t)
			}
		}
	})
	return out, unknown
}

// visit walks all that may reach n; it reports whether something unknown may.
func (ix *Index) visit(n *node, do func(*node)) (unknown bool) {
	ix.visits++
	start, seen := n.find(), 0
	work := append(ix.work[:0], start)
	defer func() { ix.work = work[:0] }()
	for len(work) > 0 {
		n := work[len(work)-1].find()
		work = work[:len(work)-1]
		if n.visit == ix.visits {
			continue
		}
		if seen >= maxVisited {
			ix.cut("values come from more places than are looked at", start)
			return true
		}
		seen++
		n.visit = ix.visits
		unknown = unknown || n.unknown || n.open
		do(n)
		work = append(work, n.preds...)
	}
	return unknown
}

// GroupOf returns the group of a channel, or of the address of an object of package sync.
func (ix *Index) GroupOf(v ssa.Value) Group {
	if !shared(v.Type()) {
		return Group{}
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if n := ix.place(v); n != nil {
		return Group{n.find()}
	}
	return Group{}
}
