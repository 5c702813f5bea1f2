package driver

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"time"

	"golang.org/x/tools/go/packages"
)

// Cost is what a run took, for people who want to know why.
type Cost struct {
	Phases     []Phase
	Rules      []Spent // by analyzer and by what comes before them, the dearest first
	Packages   []Spent // the dearest ones
	Own        int     // packages that are loaded from source, of which
	Stored     int     // so many were not even parsed: what they give was in the store
	Imported   int     // dependencies, of which
	Signatures int     // so many, and own packages, were type-checked, without function bodies
}

// Phase is one part of a run.
type Phase struct {
	Name      string
	Wall      time.Duration
	HeapBytes uint64 // on the heap at its end, garbage included
}

// Spent is a share of the time of a run.
type Spent struct {
	What string
	Time time.Duration
}

// dearest is how many packages [Cost] names.
const dearest = 10

// meter gathers a Cost.
type meter struct {
	last   time.Time
	phases []Phase
	rules  map[string]time.Duration
	spent  []Spent
	stored int
}

func (m *meter) begin() { m.last, m.rules = time.Now(), make(map[string]time.Duration) }

// phase ends the phase that began with the last call.
func (m *meter) phase(name string) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	now := time.Now()
	m.phases = append(m.phases, Phase{name, now.Sub(m.last), mem.HeapAlloc})
	m.last = now
}

// add counts the analysis of p, or that it was spared.
func (m *meter) add(p *packages.Package, u *unit, fresh bool) {
	if !fresh {
		m.stored++
		return
	}
	var all time.Duration
	for what, t := range u.times {
		if what == "" {
			continue // nobody wanted an SSA form
		}
		m.rules[what] += t
		all += t
	}
	m.spent = append(m.spent, Spent{p.ID, all})
}

func (m *meter) sum(r *run) Cost {
	c := Cost{
		Phases: m.phases, Packages: m.spent, Own: len(r.graph.Own), Stored: m.stored,
		Imported: r.graph.Dependencies(), Signatures: r.graph.Signatures(),
	}
	for _, what := range slices.Sorted(maps.Keys(m.rules)) {
		c.Rules = append(c.Rules, Spent{what, m.rules[what]})
	}
	byTime := func(a, b Spent) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.What, b.What)) }
	slices.SortStableFunc(c.Rules, byTime)
	slices.SortStableFunc(c.Packages, byTime)
	c.Packages = c.Packages[:min(dearest, len(c.Packages))]
	return c
}
