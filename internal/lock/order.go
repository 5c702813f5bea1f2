package lock

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// An Edge says that a lock of class To is acquired while one of class From is held.
type Edge struct {
	From, To         Class
	FromMode, ToMode Mode
	Gates            []Class // other locks that are held on every path there
	FromAt, ToAt     string  // base file name and line of both acquisitions
	Func             string  // the function that holds From
	Chain            []Hop   // the calls that lead from there to the acquisition of To

	// Of an edge of the package under analysis:
	pos   token.Pos // the acquisition of To, or the call that leads to it
	hold  Hold      // From
	event Event     // the acquisition of To
	more  *[]Edge   // the same locks in other functions, shared by the edges that differ in modes only
}

// Pos is where To is acquired, or the call that leads there; it is not valid for an edge of another package.
func (e *Edge) Pos() token.Pos { return e.pos }

// Hold is the lock From in the function that holds it; zero for an edge of another package.
func (e *Edge) Hold() Hold { return e.hold }

// Event is the acquisition of To; zero for an edge of another package.
func (e *Edge) Event() Event { return e.event }

// More are further edges of the package between the same locks, one for each function.
func (e *Edge) More() []Edge {
	if e.more == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(*e.more), func(m Edge) bool { return m.Func == e.Func })
}

// maxMore bounds More.
const maxMore = 12

// maxEdges is the number of edges that one package passes on to those that import it.
const maxEdges = 256

// PackageFact holds what other packages have to know of a package as a whole.
type PackageFact struct {
	Edges   []Edge
	Writers []Class // that some function locks for writing, sorted
}

// AFact marks PackageFact as a fact.
func (*PackageFact) AFact() {}

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
			if o.Acquire == nil || o.Acquire.Lock.Class == "" || private(o.Lock, fn) {
				continue
			}
			for _, h := range o.Held {
				if h.Class == "" || h.Class.Same(o.Acquire.Lock.Class) || h.Stale || private(h.Path, fn) {
					continue
				}
				k := key{from: h.Class, to: o.Acquire.Lock.Class, fm: h.Mode, tm: o.Acquire.Mode}
				more := pairs[pair{k.from, k.to}]
				if seen[k] && len(*more) == maxMore {
					continue
				}
				edge := Edge{
					From: h.Class, To: o.Acquire.Lock.Class, FromMode: h.Mode, ToMode: o.Acquire.Mode,
					Func: flow.FuncName(fn), ToAt: o.Acquire.At, Chain: o.Acquire.Hops(),
					pos: flow.Pos(o.Instr), hold: h, event: o.Acquire.Event,
				}
				if h.By != "" {
					edge.Func = h.By
				}
				if h.Site != nil {
					edge.FromAt = e.at(flow.Pos(h.Site))
				}
				for _, g := range append(slices.Clone(o.Held), e.heldByCallers(fn, maxLift)...) {
					if g.Class != "" && g.Class != edge.From && g.Class != edge.To {
						edge.Gates = append(edge.Gates, g.Class)
					}
				}
				k.gated = len(edge.Gates) > 0
				if more == nil {
					more = &[]Edge{}
					pairs[pair{edge.From, edge.To}] = more
				}
				if len(*more) < maxMore && !slices.ContainsFunc(*more, func(m Edge) bool { return m.Func == edge.Func }) {
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

type callersKey struct {
	fn    *ssa.Function
	depth int
}

// heldByCallers are the locks that are held at every call of fn.
func (e *engine) heldByCallers(fn *ssa.Function, depth int) []Hold {
	k := callersKey{fn, depth}
	hs, ok := e.above[k]
	if !ok {
		hs = e.findHeldByCallers(fn, depth)
		e.above[k] = hs
	}
	return hs
}

func (e *engine) findHeldByCallers(fn *ssa.Function, depth int) []Hold {
	callers := e.origins.Callers(fn)
	if depth == 0 || len(callers) == 0 || e.callable(fn) {
		return nil
	}
	var all []Hold
	for i, c := range callers {
		if _, ok := c.(*ssa.Go); ok || c.Parent() == fn {
			return nil
		}
		here := append(slices.Clone(e.heldAt[c]), e.heldByCallers(c.Parent(), depth-1)...)
		if i == 0 {
			all = here
			continue
		}
		all = slices.DeleteFunc(all, func(h Hold) bool {
			return !slices.ContainsFunc(here, func(x Hold) bool { return x.Class.Same(h.Class) })
		})
		if len(all) == 0 {
			return nil
		}
	}
	return all
}

// private reports whether the object at the root of p was made by fn itself: no other goroutine has it yet, as far as
// it matters for an order.
func private(p flow.Path, fn *ssa.Function) bool {
	a, ok := p.Root.(*ssa.Alloc)
	return ok && a.Parent() == fn
}

// Cycle is a list of edges each of which ends where the next begins, the last one where the first begins.
type Cycle []Edge

// Cycles are the cycles among edges that can be deadlocks and have an edge among the first own, no two of which share an
// edge. A cycle of readers without a writer is none, nor one two of whose edges have a lock in common.
func Cycles(edges []Edge, own int, writer func(Class) bool) []Cycle {
	cycles, _ := findCycles(edges, own, writer)
	return cycles
}

// findCycles is Cycles; the second result is true where the graph is so dense that the search was cut short.
func findCycles(edges []Edge, own int, writer func(Class) bool) ([]Cycle, bool) {
	budget := stepsPerEdge * (len(edges) + 100)
	out := map[Class][]int{}
	for i, e := range edges {
		out[e.From] = append(out[e.From], i)
	}
	comp := components(edges, out)
	var cycles []Cycle
	for i := range own {
		if comp[edges[i].From] == comp[edges[i].To] {
			if c := shortest(edges, out, comp, i, writer, &budget); c != nil {
				cycles = append(cycles, c)
			}
		}
	}
	// One edge too many can close many cycles: of those that have an edge in common the shortest is enough.
	slices.SortStableFunc(cycles, func(a, b Cycle) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a[0].pos, b[0].pos)) })
	told := map[pair]bool{}
	cycles = slices.DeleteFunc(cycles, func(c Cycle) bool {
		for _, e := range c {
			if told[pair{e.From, e.To}] {
				return true
			}
		}
		for _, e := range c {
			told[pair{e.From, e.To}] = true
		}
		return false
	})
	slices.SortFunc(cycles, func(a, b Cycle) int { return cmp.Compare(a[0].pos, b[0].pos) })
	return cycles, budget <= 0
}

// stepsPerEdge bounds the search for cycles, which is linear in the number of edges so. Real programs need two or three.
const stepsPerEdge = 100

// maxCycle is the number of locks in a cycle that a reader can still follow.
const maxCycle = 4

// shortest is the shortest cycle through edge i whose neighbours all conflict; nil where there is none.
func shortest(edges []Edge, out map[Class][]int, comp map[Class]int, i int, writer func(Class) bool, budget *int) Cycle {
	type step struct {
		edge int
		prev *step
		n    int
	}
	start := edges[i]
	conflict := func(a, b Edge) bool { // a acquires what b holds
		return a.ToMode == Write || b.FromMode == Write || writer(a.To)
	}
	queue := []*step{{edge: i, n: 1}}
	visited := map[int]bool{i: true}
	for len(queue) > 0 && *budget > 0 {
		s := queue[0]
		queue = queue[1:]
		last := edges[s.edge]
		if last.To == start.From {
			if !conflict(last, start) {
				continue
			}
			var c Cycle
			for x := s; x != nil; x = x.prev {
				c = append(c, edges[x.edge])
			}
			slices.Reverse(c)
			if !gated(c) {
				return c
			}
			continue
		}
		if s.n == maxCycle {
			continue
		}
		for _, j := range out[last.To] {
			*budget--
			with := func() Cycle { // the path so far, and edge j
				c := Cycle{edges[j]}
				for x := s; x != nil; x = x.prev {
					c = append(c, edges[x.edge])
				}
				return c
			}
			if !visited[j] && comp[edges[j].To] == comp[start.From] && conflict(last, edges[j]) && !gated(with()) {
				visited[j] = true
				queue = append(queue, &step{j, s, s.n + 1})
			}
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

// components numbers the strongly connected components of the classes (Tarjan, 1972).
func components(edges []Edge, out map[Class][]int) map[Class]int {
	index, low, comp := map[Class]int{}, map[Class]int{}, map[Class]int{}
	var stack []Class
	on := map[Class]bool{}
	n := 0
	var visit func(c Class)
	visit = func(c Class) {
		index[c], low[c] = len(index)+1, len(index)+1
		stack, on[c] = append(stack, c), true
		for _, i := range out[c] {
			t := edges[i].To
			if index[t] == 0 {
				visit(t)
				low[c] = min(low[c], low[t])
			} else if on[t] {
				low[c] = min(low[c], index[t])
			}
		}
		if low[c] == index[c] {
			n++
			for {
				t := stack[len(stack)-1]
				stack, on[t] = stack[:len(stack)-1], false
				comp[t] = n
				if t == c {
					return
				}
			}
		}
	}
	for _, e := range edges {
		if index[e.From] == 0 {
			visit(e.From)
		}
	}
	return comp
}
