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
	Own        Loaded  // packages of the user's own, and
	Parts      Loaded  // of dependencies
	Imported   int     // other dependencies, of which
	Signatures int     // so many, and own packages, were type-checked, without function bodies
}

// Loaded is how many packages are loaded from source, and how many of these were not even parsed: what they give was in the store.
type Loaded struct{ All, Stored int }

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
	stored map[*packages.Package]bool
}

func (m *meter) begin() {
	m.last, m.rules, m.stored = time.Now(), make(map[string]time.Duration), make(map[*packages.Package]bool)
}

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
		m.stored[p] = true
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
		Phases: m.phases, Packages: m.spent, Imported: r.graph.Dependencies(), Signatures: r.graph.Signatures(),
	}
	for _, p := range r.graph.Own {
		of := &c.Own
		if r.graph.IsPart(p) {
			of = &c.Parts
		}
		of.All++
		if m.stored[p] {
			of.Stored++
		}
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
