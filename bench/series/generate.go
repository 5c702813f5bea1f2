package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// shape is a form of call graph.
type shape string

const (
	dag   shape = "dag"   // every function calls three random later ones
	chain shape = "chain" // every function calls the next one
	scc   shape = "scc"   // components of a given size, in which every function reaches every other one
)

// program is one generated package.
type program struct {
	src   string
	funcs int
	edges int // calls of generated functions
}

const (
	locks  = 4 // mutexes that the ordinary functions use: fields mu0 to mu2, and a package variable
	plants = 4 // bugs of each kind, one to four calls deep
	degree = 3 // calls in a function of a dag or scc

	nowhere = -1 // no function
)

// relockMark and blockingMark end the lines on which a finding is due; no other line deserves one. What keeps the rest
// free of bugs, whatever calls whatever: a mutex is held across a call only where all that the callee reaches take
// later mutexes, or where it is a local one, and the channel that is waited for has a peer that needs no lock.
const (
	relockMark   = "// planted: relock"
	blockingMark = "// planted: blocking"
)

type generator struct {
	program
	b      strings.Builder
	random *rand.Rand
}

// generate makes a package with about edges calls. The components of an scc have size functions, the last one what is
// left. Equal arguments give equal programs.
func generate(s shape, edges, size int) program {
	g := &generator{random: rand.New(rand.NewPCG(1, uint64(edges)))}
	n := edges / degree
	if s == chain {
		n = edges
	}
	g.preamble()
	for i := range n {
		switch s {
		case dag:
			g.dagFunc(i, n)
		case chain:
			g.chainFunc(i, n)
		case scc:
			g.sccFunc(i, n, min(size, n))
		}
	}
	for k := range plants {
		g.relock(k, after(k, n), s == scc)
		g.blocking(k, n)
	}
	g.src = g.b.String()
	return g.program
}

func (g *generator) preamble() {
	g.line("package series")
	g.line("")
	g.line(`import "sync"`)
	g.line("")
	g.line("type S struct {")
	for l := range locks - 1 {
		g.line("\tmu%d sync.Mutex", l)
	}
	for k := range plants {
		g.line("\tagain%d, busy%d sync.Mutex", k, k)
	}
	g.line("\ttick, never chan struct{}")
	g.line("\tn int")
	g.line("}")
	g.line("")
	g.line("var global sync.Mutex")
	g.line("")
	g.line("func newS() *S { return &S{tick: make(chan struct{}), never: make(chan struct{})} }")
	g.line("")
	g.line("func pump(a *S) { a.tick <- struct{}{} }")
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

// open starts a function. All have two parameters of one type, and calls swap them or do not: to know a lock again, the
// arguments must be put in for the parameters.
func (g *generator) open(name string) {
	g.funcs++
	g.line("")
	g.line("func %s(a, b *S) {", name)
}

func (g *generator) close() { g.line("}") }

// call calls name with the arguments in random order.
func (g *generator) call(name string) {
	args := "a, b"
	if g.random.IntN(2) == 0 {
		args = "b, a"
	}
	g.edges++
	g.line("\t%s(%s)", name, args)
}

func (g *generator) callFunc(i int) { g.call(fmt.Sprintf("f%d", i)) }

func mutex(level int) string {
	if level == locks-1 {
		return "global"
	}
	return fmt.Sprintf("a.mu%d", level)
}

// wait makes every eighth function block.
func (g *generator) wait(i int) {
	if i%8 == 5 {
		g.line("\t<-a.tick")
	}
}

// dagFunc takes the mutex of its level, of which there are as many as mutexes, later functions having the later ones.
// Two of three functions hold it across their calls of functions of later levels.
func (g *generator) dagFunc(i, n int) {
	g.open(fmt.Sprintf("f%d", i))
	level := func(i int) int { return i * locks / n }
	var later, same []int
	for range degree {
		if i == n-1 {
			break
		}
		j := i + 1 + g.random.IntN(n-i-1)
		if level(j) > level(i) && i%3 != 0 {
			later = append(later, j)
		} else {
			same = append(same, j)
		}
	}
	deferred := len(same)+len(planted(i, n)) == 0 && i%2 == 0
	g.line("\t%s.Lock()", mutex(level(i)))
	if deferred {
		g.line("\tdefer %s.Unlock()", mutex(level(i)))
	}
	g.wait(i)
	for _, j := range later {
		g.callFunc(j)
	}
	if !deferred {
		g.line("\t%s.Unlock()", mutex(level(i)))
	}
	g.rest(i, n, same)
	g.close()
}

// chainFunc takes and gives back a mutex, and calls the next function.
func (g *generator) chainFunc(i, n int) {
	g.open(fmt.Sprintf("f%d", i))
	g.own(i)
	var next []int
	if i < n-1 {
		next = []int{i + 1}
	}
	g.rest(i, n, next)
	g.close()
}

// sccFunc calls the next function of its component, the last one the first, and two more that are near on that ring. A
// few functions call one that is far. The first function of a component calls the next component.
//
// Calls to anywhere would not do: to order the package's variables, go/types takes the functions out of the graph one by
// one and joins each one's callers to its callees, which for a random component is cubic in its size.
func (g *generator) sccFunc(i, n, size int) {
	const near, far = 8, 8 // how far away; how many
	g.open(fmt.Sprintf("f%d", i))
	g.own(i)
	first := i - i%size
	size = min(size, n-first)
	at := func(offset int) int { return first + ((i-first+offset)%size+size)%size }
	callees := []int{at(1), at(1 + g.random.IntN(near)), at(-g.random.IntN(near))}
	if (i-first)%(size/far+1) == 0 {
		callees[degree-1] = first + g.random.IntN(size)
	}
	if i == first && first+size < n {
		callees = append(callees, first+size)
	}
	g.rest(i, n, callees)
	g.close()
}

// own is what a function does that does not hold a shared mutex across calls.
func (g *generator) own(i int) {
	mu := mutex(i % locks)
	g.line("\t%s.Lock()", mu)
	g.wait(i)
	g.line("\t%s.Unlock()", mu)
	if i%4 == 1 {
		g.line("\tvar mu sync.Mutex")
		g.line("\tmu.Lock()")
		g.line("\tdefer mu.Unlock()")
	}
}

// rest calls what is called without a shared mutex, one callee of two under a condition, and a function with a bug from
// a few places.
func (g *generator) rest(i, n int, callees []int) {
	for c, j := range callees {
		if (i+c)%2 == 0 {
			g.line("\tif a.n > %d {", c)
			g.callFunc(j)
			g.line("\t}")
		} else {
			g.callFunc(j)
		}
	}
	for _, name := range planted(i, n) {
		g.call(name)
	}
}

// planted are the functions with a bug that function i calls.
func planted(i, n int) []string {
	var names []string
	for k := range plants {
		if i == before(k, n) {
			names = append(names, fmt.Sprintf("relock%d", k))
		}
	}
	return names
}

// before is the function that calls relockK, and after the one that relockK calls. They are neighbours, so that the bugs
// are members of a chain and, but for a border between them, of a component.
func before(k, n int) int { return (2*k + 1) * (n - 2) / (2 * plants) }
func after(k, n int) int  { return before(k, n) + 1 }

// relock plants a function that locks a mutex again k+1 calls deep. It does the same with the mutex of the other object,
// and after the unlock, neither of which is a bug. Where next calls back, only the function itself goes on to it, after
// the unlock: any way back with the mutex held would be one more bug.
func (g *generator) relock(k, next int, cyclic bool) {
	g.open(fmt.Sprintf("relock%d", k))
	g.line("\ta.again%d.Lock()", k)
	g.line("\tagain%dx0(a, b) %s", k, relockMark)
	g.line("\tagain%dx0(b, a)", k)
	g.line("\ta.again%d.Unlock()", k)
	g.line("\tagain%dx0(a, b)", k)
	g.edges += 3
	g.callFunc(next)
	g.close()
	if cyclic {
		next = nowhere
	}
	g.steps(fmt.Sprintf("again%d", k), k, next, func(p string) {
		g.line("\t%s.again%d.Lock()", p, k)
		g.line("\t%s.again%d.Unlock()", p, k)
	})
}

// blocking plants a function that nobody calls and that waits k+1 calls deep, with a mutex held, for a channel without
// peers; and, without the mutex, does it right.
func (g *generator) blocking(k, n int) {
	g.open(fmt.Sprintf("blocking%d", k))
	g.line("\ta.busy%d.Lock()", k)
	g.line("\tbusy%dx0(a, b) %s", k, blockingMark)
	g.line("\ta.busy%d.Unlock()", k)
	g.line("\tbusy%dx0(a, b)", k)
	g.edges += 2
	g.callFunc(0)
	g.close()
	g.steps(fmt.Sprintf("busy%d", k), k, n/2, func(p string) { g.line("\t<-%s.never", p) })
}

// steps makes the functions nameX0 to nameXk, each calling the next with its arguments swapped. The last one does end
// with the name that the first one's a has there; every one goes on into the graph at function next, if any.
func (g *generator) steps(name string, k, next int, end func(param string)) {
	for i := range k + 1 {
		g.open(fmt.Sprintf("%sx%d", name, i))
		if i < k {
			g.line("\t%sx%d(b, a)", name, i+1)
			g.edges++
		} else if i%2 == 0 {
			end("a")
		} else {
			end("b")
		}
		if next != nowhere {
			g.callFunc(next)
		}
		g.close()
	}
}
