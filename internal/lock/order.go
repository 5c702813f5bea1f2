package lock

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
)

// An Edge of the lock-order graph: a lock of class To is acquired while one of class From is held.
type Edge struct {
	From, To         Class
	FromMode, ToMode Mode
	Gates            []Class // other locks that are held on every path there
	ToAt             link.At // of the acquisition of To
	Func             string  // the function that holds From
	Chain            []Hop   // the calls that lead from there to the acquisition of To
	At, Taken        link.At // where Func reaches To, and where it acquired From
	Name             string  // what Func calls From
	Quiet            bool    // nothing is to be reported there

	// Of an edge of the package under analysis:
	pos   token.Pos // the acquisition of To, or the call that leads to it
	hold  Hold      // From
	event Event     // the acquisition of To
	more  *[]Edge   // the same locks in other functions, shared by the edges that differ in modes only
}

// Pos is where To is acquired, or the call that leads there; it is not valid for an edge of another package.
func (e *Edge) Pos() token.Pos { return e.pos }

// Hold is the lock From in the function that holds it.
func (e *Edge) Hold() Hold {
	if e.hold.Site != nil {
		return e.hold
	}
	return Hold{Class: e.From, Mode: e.FromMode, Name: e.Name, Taken: e.Taken}
}

// Event is the acquisition of To.
func (e *Edge) Event() Event {
	if e.pos.IsValid() {
		return e.event
	}
	return Event{At: e.ToAt, Chain: e.Chain}
}

// More are further edges of the package between the same locks, one for each function.
func (e *Edge) More() []Edge {
	if e.more == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(*e.more), func(m Edge) bool { return m.Func == e.Func })
}

// maxMore bounds More, which are all related places of a finding (TestLimits).
const maxMore = 12

// maxEdges is the number of edges that one package passes on to those that import it, each of which reads them
// (TestLimits).
const maxEdges = 256

type pair struct{ from, to Class }

// edges are the order edges of the package, one for each pair of classes and modes.
func (e *engine) edges() []Edge {
	type key struct {
		from, to Class
		fm, tm   Mode
		gated    bool
	}
	seen := map[key]bool{}
	pairs := map[pair]*[]Edge{}
	var out []Edge
	for _, fn := range e.pkg.Funcs {
		res := e.results[fn]
		if res == nil {
			continue
		}
		for i := range res.Events {
			o := &res.Events[i]
			if o.Acquire == nil || o.Acquire.Lock.Class == "" || o.Acquire.Mode == Once || private(o.Lock, fn) ||
				delegates(o.Instr) {
				continue
			}
			to := o.Acquire.Lock.Class
			from := without(o.Held, func(h Hold) bool {
				return h.Class == "" || h.Class.same(to) || h.Stale || private(h.Path, fn) || e.otherMode(o, h.Class)
			})
			if len(from) == 0 || e.panics(o.Instr) {
				continue
			}
			above := e.heldByCallers(fn)
			if e.unordered(o, above) {
				continue
			}
			for _, h := range from {
				k := key{from: h.Class, to: to, fm: h.Mode, tm: o.Acquire.Mode}
				more := pairs[pair{k.from, k.to}]
				if seen[k] && len(*more) == maxMore {
					e.pkg.Cut("lock orders are taken in more functions than are named", pair{k.from, k.to})
					continue
				}
				edge := Edge{
					From: h.Class, To: to, FromMode: h.Mode, ToMode: o.Acquire.Mode,
					Func: flow.FuncName(fn), ToAt: o.Acquire.At, Chain: o.Acquire.Hops(),
					pos: flow.Pos(o.Instr), hold: h, event: o.Acquire.Event,
					At: e.at(flow.Pos(o.Instr)),
				}
				if h.Path.Known() {
					edge.Name = h.Path.String()
				}
				if h.Site != nil {
					edge.Taken = e.at(flow.Pos(h.Site))
				}
				if h.By != "" {
					edge.Func = h.By
				}
				for _, g := range append(slices.Clone(o.Held), above...) {
					if g.Class != "" && g.Class != edge.From && g.Class != edge.To {
						edge.Gates = append(edge.Gates, g.Class)
					}
				}
				if g := e.goroutine(fn); g != "" {
					edge.Gates = append(edge.Gates, g)
				}
				k.gated = len(edge.Gates) > 0
				if more == nil {
					more = &[]Edge{}
					pairs[pair{edge.From, edge.To}] = more
				}
				if len(*more) < maxMore &&
					!slices.ContainsFunc(*more, func(m Edge) bool { return m.Func == edge.Func }) {
					*more = append(*more, edge)
				}
				if !seen[k] {
					seen[k] = true
					edge.more = more
					out = append(out, edge)
				}
			}
		}
	}
	return out
}

// unordered reports whether the acquisition o implies no order of classes, given the locks above that all callers hold.
func (e *engine) unordered(o *Occurrence, above []Hold) bool {
	same := func(h Hold) bool { return h.Class != "" && h.Class.same(o.Acquire.Lock.Class) }
	// A lock that is released before and reacquired here was held by the callers.
	again := slices.ContainsFunc(o.dropped, func(h Hold) bool { return same(h) && h.Path == o.Lock })
	if again && (o.Acquire.ByMode || !slices.ContainsFunc(slices.Concat(e.heldAt[o.Instr], above), same)) {
		return true
	}
	// A held lock of the same class is that of another object: the objects form a chain that was built in one order.
	if slices.ContainsFunc(o.Held, func(h Hold) bool { return same(h) && h.Path != o.Lock }) {
		return true
	}
	return slices.ContainsFunc(above, same) && !slices.ContainsFunc(o.dropped, same)
}

// panics reports whether every path from instr ends in a panic: the program is wrong already.
func (e *engine) panics(instr ssa.Instruction) bool {
	some := false
	for b := range flow.BlocksFrom(instr.Block()) {
		if e.cfg.inLoop(b) {
			return false // it may not terminate
		}
		switch b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Panic:
			some = true
		case *ssa.Return:
			return false
		}
	}
	return some
}

// delegates reports whether instr calls through an interface that the type of its own method implements, and so another
// object of that kind: see search.delegates.
func delegates(instr ssa.Instruction) bool {
	c, ok := instr.(ssa.CallInstruction)
	if !ok || !c.Common().IsInvoke() {
		return false
	}
	recv := flow.Decl(instr.Parent()).Signature.Recv()
	iface, ok := c.Common().Value.Type().Underlying().(*types.Interface)
	return ok && recv != nil && types.Implements(recv.Type(), iface)
}

// goroutine identifies the one goroutine of an object, or of the program, that executes fn, as a gate lock: all call
// chains begin at one go statement that is not in a loop, in a function with one call, which is not in a loop either;
// "" if several goroutines may execute fn.
func (e *engine) goroutine(fn *ssa.Function) Class {
	return e.turns.Ask(fn, "", func() Class {
		callers := e.origins.Callers(fn)
		if e.callable(fn) || len(callers) == 0 || e.handedOut(fn) {
			return ""
		}
		var all Class
		for i, c := range callers {
			var here Class
			if _, spawn := c.(*ssa.Go); !spawn {
				here = e.goroutine(c.Parent())
			} else if !e.cfg.inLoop(c.Block()) && e.runsOnce(c.Parent()) {
				here = Class("go at " + e.at(flow.Pos(c)).String())
			}
			if here == "" || i > 0 && here != all {
				return ""
			}
			all = here
		}
		return all
	})
}

// runsOnce reports whether fn, which starts a goroutine, has at most one call in the package, not in a loop, and is
// not used as a value.
func (e *engine) runsOnce(fn *ssa.Function) bool {
	callers := e.origins.Callers(fn)
	return len(callers) <= 1 && !slices.ContainsFunc(callers,
		func(c ssa.CallInstruction) bool { return e.cfg.inLoop(c.Block()) }) && !e.handedOut(fn)
}

// handedOut reports whether the package uses fn, or the method of an object that it is, as a value, which may be called
// any number of times.
func (e *engine) handedOut(fn *ssa.Function) bool { return fn.Parent() == nil && e.pkg.IsValue(fn) }

// heldByCallers are the locks that are held at every call of fn; none on a cycle of calls.
func (e *engine) heldByCallers(fn *ssa.Function) []Hold {
	return e.above.Ask(fn, nil, func() []Hold {
		if e.callable(fn) {
			return nil
		}
		var all []Hold
		for i, c := range e.origins.Callers(fn) {
			if _, ok := c.(*ssa.Go); ok {
				return nil
			}
			here := append(slices.Clone(e.heldAt[c]), e.heldByCallers(c.Parent())...)
			if i == 0 {
				all = here
			}
			all = slices.DeleteFunc(all, func(h Hold) bool {
				return !slices.ContainsFunc(here, func(x Hold) bool { return x.Class.same(h.Class) })
			})
		}
		if len(all) > maxAbove {
			e.pkg.Cut("functions are called with more locks held than are compared", fn)
			all = all[:maxAbove]
		}
		return all
	})
}

// maxAbove bounds the locks of its callers that a function is called with, the last acquired first: a chain of
// functions that each acquire a lock and call the next would cost the square of its length (TestLimits).
const maxAbove = 16

// private reports whether the object at the root of p was made by fn itself: no other goroutine has it yet, as far as
// it matters for an order.
func private(p flow.Path, fn *ssa.Function) bool {
	a, ok := p.Root.(*ssa.Alloc)
	return ok && a.Parent() == fn
}

// Cycle is a list of edges each of which ends where the next begins, the last one where the first begins.
type Cycle []Edge

// findCycles are the cycles of the lock-order graph with an edge among the first own, shortest first, no two with a
// common edge. A cycle of read locks needs a writer, and two edges with a common gate lock cannot be executed at
// once. It reports to cut if its budget ends the search.
func findCycles(edges []Edge, own int, writer func(Class) bool, cut func(what string, at any)) []Cycle {
	g := &orderGraph{edges: edges, writer: writer, cut: cut, budget: stepsPerEdge * (len(edges) + 100)}
	g.out, g.component = map[Class][]int{}, map[Class]int{}
	for i, e := range edges {
		g.out[e.From] = append(g.out[e.From], i)
	}
	next := func(c Class) []Class {
		var to []Class
		for _, i := range g.out[c] {
			to = append(to, edges[i].To)
		}
		return to
	}
	for n, classes := range program.Components(slices.Sorted(maps.Keys(g.out)), next) {
		for _, c := range classes {
			g.component[c] = n
		}
	}
	var cycles []Cycle
	for i, e := range edges[:own] {
		if g.component[e.From] == g.component[e.To] {
			if c := g.shortest(i); c != nil {
				cycles = append(cycles, c)
			}
		}
	}
	if g.budget <= 0 {
		cut("searches for order cycles were cut short", "")
	}
	// One edge too many can close many cycles: of those that have an edge in common the shortest is enough.
	slices.SortStableFunc(cycles, func(a, b Cycle) int {
		return cmp.Or(cmp.Compare(len(a), len(b)),
			slices.CompareFunc(a, b, func(a, b Edge) int { return strings.Compare(string(a.From), string(b.From)) }))
	})
	reported := map[pair]bool{}
	cycles = slices.DeleteFunc(cycles, func(c Cycle) bool {
		for _, e := range c {
			if reported[pair{e.From, e.To}] {
				return true
			}
		}
		for _, e := range c {
			reported[pair{e.From, e.To}] = true
		}
		return false
	})
	slices.SortFunc(cycles, func(a, b Cycle) int { return cmp.Compare(a[0].pos, b[0].pos) })
	return cycles
}

// An orderGraph is searched for cycles.
type orderGraph struct {
	edges     []Edge
	out       map[Class][]int // the edges that begin at a class
	component map[Class]int   // the strongly connected component of a class
	writer    func(Class) bool
	cut       func(what string, at any)
	budget    int
}

// conflict reports whether a, waiting for its To, can wait for the holder of b's From.
func (g *orderGraph) conflict(a, b Edge) bool {
	return a.ToMode == Write || b.FromMode == Write || g.writer(a.To)
}

// A step is an edge on a way through the graph.
type step struct {
	edge Edge
	prev *step
	n    int
}

// way is all edges up to s.
func (s *step) way() Cycle {
	var c Cycle
	for ; s != nil; s = s.prev {
		c = append(c, s.edge)
	}
	slices.Reverse(c)
	return c
}

// stepsPerEdge bounds the search for cycles, which is linear in the number of edges so. Real programs need two or three
// (TestCyclesOfManyEdges).
const stepsPerEdge = 100

// maxCycle bounds the locks of a cycle, for the reader of the message (TestLimits).
const maxCycle = 4

// shortest is the shortest cycle through edge i whose neighbours all conflict; nil where there is none.
func (g *orderGraph) shortest(i int) Cycle {
	start := g.edges[i]
	queue := []*step{{edge: start, n: 1}}
	visited := map[int]bool{i: true}
	for len(queue) > 0 && g.budget > 0 {
		s := queue[0]
		queue = queue[1:]
		if s.edge.To == start.From {
			if c := s.way(); g.conflict(s.edge, start) && !gated(c) {
				return c
			}
			continue
		}
		for _, j := range g.out[s.edge.To] {
			g.budget--
			next := &step{g.edges[j], s, s.n + 1}
			if visited[j] || g.component[next.edge.To] != g.component[start.From] || !g.conflict(s.edge, next.edge) ||
				gated(next.way()) {
				continue
			}
			if next.n > maxCycle {
				g.cut(fmt.Sprintf("locks may be part of order cycles of more than %d", maxCycle), start.From)
				break
			}
			visited[j] = true
			queue = append(queue, next)
		}
	}
	return nil
}

// gated reports whether two edges of the cycle have a lock in common, so that they cannot be walked at the same time.
func gated(c Cycle) bool {
	for i, a := range c {
		for _, b := range c[i+1:] {
			for _, g := range a.Gates {
				if slices.Contains(b.Gates, g) {
					return true
				}
			}
		}
	}
	return false
}
